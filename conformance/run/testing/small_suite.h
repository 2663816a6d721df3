#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "conformance/adapter/adapter.h"
#include "conformance/model/payload.h"
#include "conformance/run/runner.h"
#include "reference/tensor/tensor_view.h"

// For tests: a suite of two small documents, and fake implementations.
namespace reshape::conformance::testing {

inline Case small_case(const std::string& dialect, const std::string& name, ElementType type,
                       Shape data, std::vector<PatternValue> pattern, Ruling expect,
                       std::vector<std::string> clauses) {
  Case one;
  one.id = dialect + "/" + name;
  one.clauses = std::move(clauses);
  one.source.kind = "document";
  one.request.dialect = dialect;
  one.request.data_type = type;
  one.request.data = std::move(data);
  one.request.pattern.values = std::move(pattern);
  one.request.special_zero = true;
  one.expect = std::move(expect);
  one.file = dialect + "/cases.yaml";
  return one;
}

// Two dialects, "one" and "two", with the same rules and five cases each.
inline Suite small_suite() {
  Suite suite;
  suite.version = "9.8.7";
  for (const std::string dialect : {"one", "two"}) {
    Document document;
    document.dialect.name = dialect;
    document.dialect.pattern_types = ElementTypes::integers();
    document.dialect.data_types = ElementTypes::numeric();
    document.dialect.data_types_unspecified = {ElementType::boolean};
    document.title = "Reshape, number " + dialect;
    document.clauses = {{"output.shape", Level::must, "", "The pattern is the shape.", "", true, 1},
                        {"content.kept", Level::must, "", "Elements stay.", "", false, 2},
                        {"volume.kept", Level::must, "", "Volumes are equal.", "", true, 3},
                        {"data.type-open", Level::silent, "", "Booleans.", "Silence.", false, 4}};
    document.cases = std::vector<Case>{
        small_case(dialect, "plain", ElementType::f32, {2, 3}, {3, 2}, Ruling::produces({3, 2}),
                   {"output.shape", "content.kept"}),
        small_case(dialect, "wide", ElementType::i64, {4}, {2, 2}, Ruling::produces({2, 2}),
                   {"output.shape", "content.kept"}),
        small_case(dialect, "empty", ElementType::f32, {0, 3}, {0, 3}, Ruling::produces({0, 3}),
                   {"output.shape"}),
        small_case(dialect, "too-many", ElementType::f32, {2, 3}, {2, 5},
                   Ruling::rejects("volume.kept"), {"volume.kept"}),
        small_case(dialect, "open", ElementType::boolean, {2}, {2},
                   Ruling::unspecified("data.type-open", true, {PermittedShape::exactly({2})}),
                   {"data.type-open"})};
    document.cases.edit()[0].source.kind = "published example";
    suite.documents.push_back(std::move(document));
  }
  return suite;
}

inline Capabilities everything() {
  Capabilities capabilities;
  capabilities.name = "fake";
  capabilities.version = "0.1";
  capabilities.dialects = {"one", "two"};
  capabilities.element_types = ElementTypes::all();
  capabilities.pattern_types = ElementTypes::integers();
  return capabilities;
}

// The right answer to a request whose pattern holds the sizes themselves.
inline Outcome right_answer(const Request& request) {
  Outcome outcome;
  std::vector<std::int64_t> sizes;
  for (PatternValue value : request.pattern.values) {
    sizes.push_back(static_cast<std::int64_t>(value));
  }
  outcome.shape = Shape(sizes);
  const std::int64_t count = *element_count(request.data);
  if (element_count(outcome.shape) != count) {
    outcome.kind = Outcome::Kind::rejected;
    outcome.shape = {};
    outcome.message = "the volume differs";
    return outcome;
  }
  outcome.kind = Outcome::Kind::produced;
  Execution execution;
  execution.probe.poison = 0xa5;
  execution.elements.resize(static_cast<std::size_t>(bytes_for(request.data_type, count)));
  for (std::int64_t position = 0; position < count; ++position) {
    store_element(request.data_type, execution.elements.data(), position,
                  payload_bits(Payload::distinct, request.data_type, position));
  }
  outcome.executions.push_back(std::move(execution));
  return outcome;
}

inline Outcome produced(Shape shape) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::produced;
  outcome.shape = std::move(shape);
  return outcome;
}

using Answers = std::function<Outcome(const Request&)>;

class FakeAdapter final : public Adapter {
 public:
  explicit FakeAdapter(Answers answers = right_answer, Capabilities capabilities = everything())
      : answers_(std::move(answers)), capabilities_(std::move(capabilities)) {}
  const Capabilities& capabilities() const override { return capabilities_; }
  Outcome ask(const Request& request) override { return answers_(request); }

 private:
  Answers answers_;
  Capabilities capabilities_;
};

// Starts adapters of this kind, each made of `made_of`.
template <typename Kind, typename... MadeOf>
StartAdapter starts_a(MadeOf... made_of) {
  return [=]() -> Result<std::unique_ptr<Adapter>> {
    return std::unique_ptr<Adapter>(std::make_unique<Kind>(made_of...));
  };
}

inline StartAdapter starts(Answers answers = right_answer) {
  return starts_a<FakeAdapter>(std::move(answers));
}

inline Plan whole(const Suite& suite) {
  Plan plan;
  plan.suite = &suite;
  plan.cases = *select(suite, {});
  return plan;
}

// Runs all of `suite` on an implementation that answers like this. The suite must outlive the
// result.
inline RunResult run_all(const Suite& suite, Answers answers = right_answer,
                         Capabilities capabilities = everything(), Bounds* bounds = nullptr) {
  FakeAdapter adapter(std::move(answers), std::move(capabilities));
  Plan plan = whole(suite);
  plan.bounds = bounds;
  return *run(plan, adapter, starts());
}

}  // namespace reshape::conformance::testing
