// PropertyCheck: records requests, and keeps those it draws within the declared capabilities.
#include <utility>

#include "conformance/model/judge.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/property/generated_cases.h"
#include "conformance/property/law.h"
#include "conformance/property/patterns.h"
#include "conformance/text/line.h"

namespace reshape::conformance {

PropertyCheck::PropertyCheck(Adapter& adapter, const Dialect& dialect, std::uint64_t seed)
    : adapter_(adapter),
      dialect_(dialect),
      abilities_(abilities_of(adapter.capabilities())),
      choices_(seed) {}

void PropertyCheck::remember(const Request& request) {
  std::string line = print_line(request);
  if (lines_.empty() || lines_.back() != line) lines_.push_back(std::move(line));
}

void PropertyCheck::look_at_the_machine(const Outcome& outcome) {
  if (outcome.kind == Outcome::Kind::not_asked) refused_ = outcome.message;
  if (outcome.kept_from_it) refused_ = "the machine did not let it work for all of its time";
}

void PropertyCheck::look(const Outcome& outcome) {
  look_at_the_machine(outcome);
  const bool answered = !died(outcome) && outcome.kind != Outcome::Kind::malformed;
  if (!answered && !breakdown_) breakdown_ = outcome;
  hung_ |= breakdown_ && breakdown_->kind == Outcome::Kind::timed_out;
}

Outcome PropertyCheck::ask(const Request& request) {
  if (breakdown_) return *breakdown_;
  remember(request);
  Outcome outcome = adapter_.ask(request);
  // Beyond its declared limits it may answer anything, but has to live.
  if (why_too_large(request, capabilities()) && !died(outcome)) {
    look_at_the_machine(outcome);
  } else {
    look(outcome);
  }
  return outcome;
}

std::vector<Outcome> PropertyCheck::ask_together(const std::vector<Request>& requests, int times) {
  if (in_turn_) return ask_in_turn(requests, times);
  if (breakdown_) return std::vector<Outcome>(requests.size(), *breakdown_);
  for (const Request& request : requests) remember(request);
  std::vector<Outcome> outcomes = adapter_.ask_together(requests, times);
  for (const Outcome& outcome : outcomes) look(outcome);
  return outcomes;
}

std::vector<Outcome> PropertyCheck::ask_in_turn(const std::vector<Request>& requests, int times) {
  if (breakdown_) return std::vector<Outcome>(requests.size(), *breakdown_);
  for (const Request& request : requests) remember(request);
  std::vector<Outcome> outcomes = adapter_.ask_in_turn(requests, times);
  for (const Outcome& outcome : outcomes) look(outcome);
  return outcomes;
}

std::optional<Outcome> PropertyCheck::ask_under(const Request& request, Hardship hardship) {
  if (breakdown_) return breakdown_;
  remember(request);
  std::optional<Outcome> outcome = adapter_.ask_under(request, hardship);
  if (outcome) look_at_the_machine(*outcome);
  hung_ |= outcome && outcome->kind == Outcome::Kind::timed_out;
  return outcome;
}

std::optional<Outcome> PropertyCheck::ask_swept(const std::vector<Request>& requests) {
  if (breakdown_) return breakdown_;
  std::optional<Outcome> outcome = adapter_.ask_swept(requests);
  if (!outcome) return outcome;
  look_at_the_machine(*outcome);
  hung_ |= outcome->kind == Outcome::Kind::timed_out;
  if (died(*outcome) && requests.size() == 1) remember(requests[0]);
  if (outcome->kind == Outcome::Kind::malformed && outcome->shape.rank() == 1) {
    const auto at = static_cast<std::size_t>(outcome->shape[0]);
    if (at < requests.size()) remember(requests[at]);
  }
  return outcome;
}

bool PropertyCheck::out_of_time() const { return end_ && std::chrono::steady_clock::now() > *end_; }

std::optional<Error> PropertyCheck::reload() {
  std::optional<Error> error = adapter_.reload();
  if (error && adapter_.refused()) refused_ = error->message;
  return error;
}

std::optional<Adapter::BadEnd> PropertyCheck::end_process() {
  std::optional<Adapter::BadEnd> bad = adapter_.end_process();
  hung_ |= bad && bad->hung;
  return bad;
}

// A generated request may be outside of the declared capabilities. An answer to it says nothing, so
// another one is drawn.
Request PropertyCheck::within(const std::function<Request()>& draw) const {
  constexpr int kMostDraws = 64;
  Request request = draw();
  for (int drawn = 1; drawn < kMostDraws; ++drawn) {
    const Expectation expectation{ruling_of(dialect_, request), std::nullopt};
    if (!why_unsupported(request, expectation, capabilities())) break;
    request = draw();
  }
  return request;
}

Request PropertyCheck::another() {
  return within([&] { return generate(dialect_, abilities_, choices_).request; });
}

Request PropertyCheck::another(const Aim& aim) {
  return within([&] { return generate_in_class(dialect_, aim, abilities_, choices_).request; });
}

Request PropertyCheck::plain(const Request& like, const Shape& data, const Shape& output) {
  Request request;
  request.dialect = like.dialect;
  request.data_type = like.data_type;
  request.shape_only = like.shape_only;
  request.special_zero = like.special_zero;
  if (request.special_zero) request.special_zero = false;
  request.data = data;
  request.pattern.type = like.pattern.type;
  request.pattern.values.assign(output.begin(), output.end());
  fit_pattern_type(request);
  return request;
}

Request PropertyCheck::dense(Request request) {
  request.make_dense();
  return request;
}

void PropertyCheck::fit_pattern_type(Request& request) {
  choose_pattern_type(dialect_.pattern_types & abilities_.pattern_types, request, choices_);
}

bool PropertyCheck::promised(const Request& request) const {
  const Ruling ruling = ruling_of(dialect_, request);
  return ruling.kind == Ruling::Kind::produces &&
         !why_unsupported(request, {ruling, std::nullopt}, capabilities());
}

bool PropertyCheck::promised(const Request& request, const Shape& shape) const {
  return promised(request) && ruling_of(dialect_, request).shape == shape;
}

}  // namespace reshape::conformance
