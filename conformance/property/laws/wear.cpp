// Laws about resources that many calls, or many different requests, use up.
#include "conformance/adapter/examine/many_shapes.h"
#include "conformance/model/judge.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/property/laws/answers.h"
#include "conformance/property/laws/laws.h"

namespace reshape::conformance::laws {
namespace {

// On the thread that loaded the library more calls are made than 16 bits count. Then on others, each
// for one order, which must finish within the deadline of one request.
constexpr int kOrders = 3;
constexpr int kInOrder = 3000;  // two inferences each
constexpr int kExecuted = 150;  // of each order; several executions each
constexpr std::int64_t kDifferent = 1100;
constexpr std::int64_t kDifferentElsewhere = 257;  // by another thread: more than 8 bits count

Request small(const Request& input, PropertyCheck& property, const Shape& data,
              const Shape& output) {
  Request request = property.plain(input, data, output);
  request.payload = Payload::distinct;
  request.shape_only = false;
  return request;
}

Trial too_slow() { return Trial::unfinished("so many requests take it too long"); }

// How the last of so many equal requests, or one of them, was not answered as the first.
std::optional<std::string> worn(const Outcome& first, const Outcome& last, int times) {
  // The call in a row without watches, and its number.
  if (last.kind == Outcome::Kind::malformed && !last.message.empty()) return last.message;
  if (const auto differing = difference(first, last)) {
    return "within " + std::to_string(times) + " equal requests: " + *differing;
  }
  // An inference that differed from its repetition, or what was lost in so many calls.
  if (first.observations.empty() && !last.observations.empty()) return last.observations[0].saw;
  return std::nullopt;
}

}  // namespace

Trial worn_by_use(const Request& input, PropertyCheck& property) {
  const Request executed = small(input, property, Shape{2, 3}, Shape{6});
  if (!property.promised(executed)) return Trial::discarded("rank 2 is not promised");
  Request inferred = executed;
  inferred.shape_only = true;
  bool cut_short = false;
  // In a row of their own before anything else is asked, so that the number of a call is its number
  // in the process.
  const auto in_turn = [&](const Request& request, Outcome& first) {
    const std::vector<Outcome> outcomes = property.ask_in_turn({request}, kExecuted);
    first = property.ask(request);
    if (outcomes.empty()) return std::optional<std::string>();
    cut_short |= outcomes[0].cut_short;
    return worn(first, outcomes[0], kExecuted);
  };
  Outcome inferred_first, executed_first;
  if (const auto differing = in_turn(inferred, inferred_first)) return Trial::broken(*differing);
  if (const auto differing = in_turn(executed, executed_first)) return Trial::broken(*differing);
  // What copies from and into strides may have a plan of its own.
  if (property.capabilities().strided_input) {
    Request strided = small(input, property, Shape{2, 3}, Shape{2, 3});
    strided.strides = Strides{1, 2};
    if (property.capabilities().strided_output) strided.out_strides = Strides{4, 1};
    Outcome strided_first;
    if (property.promised(strided)) {
      if (const auto differing = in_turn(strided, strided_first)) return Trial::broken(*differing);
    }
  }
  for (int order = 0; order < kOrders; ++order) {
    for (const bool executes : {false, true}) {
      const int times = executes ? kExecuted : kInOrder;
      const std::vector<Outcome> outcomes =
          property.ask_together({executes ? executed : inferred}, times);
      if (property.out_of_time() && !property.breakdown()) return too_slow();
      if (outcomes.empty()) return Trial::discarded("this way of reaching it has no threads");
      if (const auto differing =
              worn(executes ? executed_first : inferred_first, outcomes[0], times)) {
        return Trial::broken(*differing +
                             (cut_short ? ""
                                        : "; more calls by the thread that loaded it were answered "
                                          "alike"));
      }
      cut_short |= outcomes[0].cut_short;
    }
  }
  return cut_short ? too_slow() : Trial::held();
}

namespace {

// A thread may note where in a cache of all threads its last answer lies, and another thread's
// requests put other answers there.
Trial check_different_elsewhere(const Request& input, PropertyCheck& property) {
  const Request request = small(input, property, Shape{2, 3}, Shape{6});
  if (!property.promised(request)) return Trial::discarded("rank 2 is not promised");
  const Outcome first = property.ask(request);
  int asked = 0;
  for (std::int64_t size = 2; asked < kDifferentElsewhere; ++size, ++asked) {
    const Request other = small(input, property, Shape{size, 2}, Shape{2, size});
    if (!property.promised(other)) break;
    if (property.out_of_time()) return too_slow();
    if (property.ask_together({other}).empty()) break;
  }
  if (const auto differing = difference(first, property.ask(request))) {
    return Trial::broken("asked again after " + std::to_string(asked) +
                         " different requests by another thread: " + *differing);
  }
  return Trial::held();
}

// More than 16 bits count: the place of one may be in a table of as many.
Trial check_very_many(const Request& input, PropertyCheck& property) {
  const Shape largest{kMostSideOfShapes, kMostSideOfShapes};
  Request most = small(input, property, largest, largest);
  most.shape_only = property.capabilities().shape_only;
  // The pattern's type holds the largest sizes.
  const auto table = [&](const Shape& data, const Shape& output) {
    Request one = most;
    one.data = data;
    one.pattern.values.assign(output.begin(), output.end());
    return one;
  };
  const Request request = table(Shape{2, 3}, Shape{3, 2});
  if (!property.promised(most, largest) || !property.promised(request)) return Trial::held();
  // What is wrong with axes of one element is asked alone first: that is no matter of how many.
  for (const auto& [data, output] :
       {std::pair(Shape{2, 1, 3}, Shape{3, 2}), std::pair(Shape{2, 3}, Shape{3, 1, 2}),
        std::pair(Shape{1, 2, 1, 3}, Shape{3, 1, 2, 1})}) {
    const Request alone = table(data, output);
    if (!property.promised(alone, output)) continue;
    const Outcome outcome = property.ask(alone);
    if (outcome.kind != Outcome::Kind::produced) return Trial::broken(text(outcome));
  }
  const std::optional<Outcome> outcome = property.ask_under(request, Hardship::many_shapes);
  if (!outcome || outcome->kind == Outcome::Kind::produced) return Trial::held();
  if (outcome->kind == Outcome::Kind::unsupported) {
    return Trial::unfinished(
        "more different requests than 16 bits count take it too long; a thousand are answered "
        "alike");
  }
  return Trial::broken(told_by(*outcome));
}

}  // namespace

Trial room_for_many(const Request& input, PropertyCheck& property) {
  const Trial elsewhere = check_different_elsewhere(input, property);
  if (elsewhere.kind == Trial::Kind::broken || property.breakdown()) return elsewhere;
  for (std::int64_t size = 1; size <= kDifferent; ++size) {
    Request request = small(input, property, Shape{size, 2}, Shape{2, size});
    request.shape_only = true;
    if (!property.promised(request)) {
      if (size > 1) {
        return Trial::unfinished("no more than " + std::to_string(size - 1) +
                                 " different requests of rank 2 are promised");
      }
      const Ruling ruling = ruling_of(property.dialect(), request);
      return Trial::discarded(
          why_unsupported(request, {ruling, std::nullopt}, property.capabilities())
              .value_or("the document has no shape for rank 2"));
    }
    if (property.out_of_time()) return too_slow();
    const Outcome outcome = property.ask(request);
    if (outcome.kind != Outcome::Kind::produced) {
      return Trial::broken("different request number " + std::to_string(size) + ": " +
                           text(outcome));
    }
  }
  return check_very_many(input, property);
}

}  // namespace reshape::conformance::laws
