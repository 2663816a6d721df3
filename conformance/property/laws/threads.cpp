// Laws about which threads ask, and at the same time.
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "conformance/property/laws/answers.h"
#include "conformance/property/laws/laws.h"

namespace reshape::conformance::laws {
namespace {

constexpr int kTimes = 8;

// Asks all requests at the same time, and then each alone. In the first trial of a process the
// first calls are concurrent ones, to test concurrent initialization: what has been asked before,
// of another law, would have initialized all. A single request is asked alone first, by the thread
// that loaded the library.
Trial together(const std::vector<Request>& requests, int times, PropertyCheck& property) {
  std::vector<Outcome> alone, outcomes;
  const auto ask_alone = [&] {
    for (std::size_t at = 0; at < requests.size(); ++at) {
      const bool again = at > 0 && requests[at] == requests[0];
      alone.push_back(again ? alone[0] : property.ask(requests[at]));
    }
  };
  if (requests.size() == 1) ask_alone();
  outcomes = property.ask_together(requests, times);
  if (outcomes.empty()) return Trial::discarded("this way of reaching it has no threads");
  if (property.breakdown()) return Trial::held();  // the caller reports the breakdown
  if (requests.size() > 1) ask_alone();
  for (std::size_t at = 0; at < outcomes.size(); ++at) {
    if (const auto differing = difference(alone[at], outcomes[at])) {
      return Trial::broken(
          (property.in_turn() ? "in turn: " : std::to_string(requests.size()) + " threads: ") +
          *differing);
    }
  }
  // What the process was left with, which one thread alone does not do to it.
  const auto& seen = outcomes.front().observations;
  const auto changed = std::ranges::find(seen, Duty::C14, &Observation::duty);
  if (changed != seen.end() && alone.front().observations.empty()) {
    return Trial::broken(changed->saw);
  }
  return Trial::held();
}

// Requests that are all zeros to a thread's own note of the last one, which begins as zeros.
Trial check_zeros_elsewhere(const Request& input, PropertyCheck& property) {
  const bool scalar = property.choices().chance(50);
  Request zeros = with_one_payload(property.plain(input, scalar ? Shape{} : Shape{0}, Shape{}));
  zeros.shape_only = true;
  return together({zeros}, 1, property);
}

}  // namespace

Trial loaded_here_run_there(const Request& input, PropertyCheck& property) {
  constexpr std::uint64_t kOneIn = 4;
  if (property.choices().below(kOneIn) == 0) {
    const Trial zeros = check_zeros_elsewhere(input, property);
    if (zeros.kind != Trial::Kind::held) return zeros;
  }
  return together({with_one_payload(input)}, 1, property);
}

// Between copies of a few bytes lies more time than they take: now and then some of more bytes are
// asked. Most of them are turned, and of so many bytes that a buffer on the way that all threads
// share is worth having, or so many that a copy is cut into parts for threads of its own.
Trial two_at_once(const Request& input, PropertyCheck& property) {
  constexpr std::int64_t kSomeRows = 192, kManyRows = 4800, kColumns = 256;
  constexpr std::uint64_t kOneIn = 3, kMostlyTurned = 4;
  if (property.choices().below(kOneIn) == 0) {
    const std::int64_t rows = property.choices().chance(30) ? kManyRows : kSomeRows;
    Request request = property.plain(input, Shape{rows, kColumns}, Shape{rows * kColumns});
    request.shape_only = false;
    request.data_type = input.data_type;
    const bool turned =
        property.capabilities().strided_input && property.choices().below(kMostlyTurned) != 0;
    if (turned) {
      request.strides = Strides{1, rows};
      const ElementTypes types = property.promised_types();
      constexpr ElementType kWide = ElementType::f32;
      const bool widened = property.choices().below(2) == 0;
      if (widened && bits(request.data_type) < bits(kWide) && types.contains(kWide)) {
        request.data_type = kWide;
      }
    }
    if (property.promised(request)) {
      return together(std::vector<Request>(2, with_one_payload(request)), 1, property);
    }
  }
  return together(std::vector<Request>(2, with_one_payload(input)), kTimes, property);
}

Trial odd_threads(const Request& input, PropertyCheck& property) {
  constexpr std::size_t kCounts[] = {3, 5, 7};
  const std::size_t threads = kCounts[property.choices().below(3)];
  return together(std::vector<Request>(threads, with_one_payload(input)), kTimes, property);
}

namespace {

// A type of a width that is drawn first, so that narrow ones, which often go a way of their own, come
// as often as others.
ElementType type_of_any_width(PropertyCheck& property) {
  std::map<int, std::vector<ElementType>> by_width;
  for (const ElementType type : property.promised_types()) by_width[bits(type)].push_back(type);
  const auto drawn = [&](std::size_t count) {
    return static_cast<std::ptrdiff_t>(property.choices().below(count));
  };
  const std::vector<ElementType>& types =
      std::next(by_width.begin(), drawn(by_width.size()))->second;
  return types[static_cast<std::size_t>(drawn(types.size()))];
}

// The same request with either flag, where that matters: two threads must not read it from one place.
std::vector<Request> with_either_flag(const Request& input, PropertyCheck& property) {
  const Shape sizes{2, 3};
  Request copying = with_one_payload(property.plain(input, sizes, sizes));
  copying.pattern.values = {0, sizes[1]};
  property.fit_pattern_type(copying);
  copying.special_zero = true;
  if (property.dialect().zero != ZeroRule::by_flag || !property.promised(copying, sizes)) return {};
  Request other = copying;
  other.special_zero = false;
  return {copying, other};
}

// Turned tables of other sizes and ranks: the strides of either side lie in no place that calls share.
std::vector<Request> turned_differently(const Request& input, PropertyCheck& property) {
  struct Turned {
    Shape data, output;
    Strides strides;
  };
  static const Turned kTurned[] = {{{3, 5}, {5, 3}, {1, 3}},
                                   {{2, 3, 2, 2}, {4, 3, 2}, {1, 2, 6, 12}},
                                   {{7, 2, 2}, {1, 2, 1, 14}, {1, 14, 7}}};
  std::vector<Request> requests;
  if (!property.capabilities().strided_input || property.promised_types().empty()) return requests;
  Request like = input;
  like.data_type = type_of_any_width(property);
  for (const Turned& one : kTurned) {
    Request turned = with_one_payload(property.plain(like, one.data, one.output));
    turned.strides = one.strides;
    turned.shape_only = false;
    if (property.promised(turned, one.output)) requests.push_back(std::move(turned));
  }
  return requests;
}

// Outputs of more axes than arrays of a fixed size often have, whose last sizes differ: what does not
// fit into an array of the call's own lies in no place that calls share.
std::vector<Request> of_many_axes(const Request& input, PropertyCheck& property) {
  constexpr std::size_t kFew = 12, kMany = 40;
  const std::size_t axes = property.choices().chance(50) ? kFew : kMany;
  std::vector<Request> requests;
  for (const std::int64_t last : {1, 2, 3, 6}) {
    std::vector<std::int64_t> sizes(axes, 1);
    sizes[axes - 2] = 6 / last;
    sizes[axes - 1] = last;
    const Shape output(std::move(sizes));
    Request request = with_one_payload(property.plain(input, Shape{6}, output));
    if (property.promised(request, output)) requests.push_back(std::move(request));
  }
  return requests;
}

// More tables than a small cache of plans holds, so that threads replace each other's entries all
// the time, and not only at their first calls.
std::vector<Request> of_many_shapes(const Request& input, PropertyCheck& property) {
  std::vector<Request> requests;
  Request like = input;
  if (!property.promised_types().empty()) like.data_type = type_of_any_width(property);
  for (const std::int64_t rows : {2, 3, 4, 5, 6, 7, 8, 9}) {
    for (const std::int64_t columns : {2, 3, 4, 5, 6}) {
      const Shape output{columns, rows};
      Request turned = with_one_payload(property.plain(like, Shape{rows, columns}, output));
      if (property.capabilities().strided_input) turned.strides = Strides{1, rows};
      turned.shape_only = false;
      if (property.promised(turned, output)) requests.push_back(std::move(turned));
    }
  }
  return requests;
}

}  // namespace

Trial different_at_once(const Request& input, PropertyCheck& property) {
  std::vector<Request> requests;
  int times = kTimes;
  constexpr std::uint64_t kWays = 6;  // two of them ask whatever is drawn
  switch (property.choices().below(kWays)) {
    case 0: requests = with_either_flag(input, property); break;
    case 1: requests = turned_differently(input, property); break;
    case 2: requests = of_many_axes(input, property); break;
    case 5:
      requests = of_many_shapes(input, property);
      times = 1;
      break;
    default: requests = {with_one_payload(input), with_one_payload(property.another())};
  }
  while (requests.size() < 3) requests.push_back(with_one_payload(property.another()));
  return together(requests, times, property);
}

Trial unloaded_and_loaded(const Request& input, PropertyCheck& property) {
  if (!property.can_reload()) {
    return Trial::discarded("this way of reaching it cannot unload it");
  }
  constexpr std::uint64_t kOneIn = 4;
  Request request = with_one_payload(input);
  // Of so many bytes that threads of its own share them, which have to end with it.
  Request large = property.plain(input, Shape{1024, 1200}, Shape{1024 * 1200});
  large.shape_only = false;
  if (property.choices().below(kOneIn) == 0 && property.promised(large)) {
    request = with_one_payload(large);
  }
  const Outcome before = property.ask(request);
  if (const auto error = property.reload()) {
    return Trial::broken("it cannot be loaded again: " + error->message);
  }
  const Outcome after = property.ask(request);
  if (const auto differing = difference(before, after)) {
    return Trial::broken("loaded again: " + *differing);
  }
  // Checked on its own: if an earlier trial reloaded the library too, both answers may be equally
  // wrong.
  if (!produced(after)) return Trial::broken("loaded again: " + text(after));
  // What stays loaded all the same is taken down with its process.
  if (property.choices().below(kOneIn) == 0) {
    if (const auto bad = property.end_process()) {
      return Trial::broken("asked to end, its process " + bad->how);
    }
  }
  return Trial::held();
}

}  // namespace reshape::conformance::laws
