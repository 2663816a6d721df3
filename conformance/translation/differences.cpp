#include "conformance/translation/differences.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "conformance/oracle/ruling_of.h"
#include "conformance/property/bounded_exhaustive.h"
#include "conformance/property/patterns.h"

namespace reshape::conformance {
namespace {

using Sizes = std::vector<std::int64_t>;

// Orders requests: the smallest has the fewest numbers, and among those the smallest numbers.
struct Weight {
  std::size_t numbers = 0;
  double sum = 0;
  int flag = 0;  // 0: not given
  std::size_t type = 0;

  friend auto operator<=>(const Weight&, const Weight&) = default;
};

// `second_type`: of the pattern as the second document gets it.
Weight weight_of(const Request& request, ElementType second_type, const std::optional<bool>& flag) {
  Weight weight;
  weight.numbers = request.data.rank() + request.pattern.values.size();
  for (const std::int64_t size : request.data) weight.sum += static_cast<double>(size);
  for (const PatternValue value : request.pattern.values) {
    // A negative number counts slightly more than its absolute value: it is no simpler to read.
    weight.sum += value < 0 ? 0.5 - static_cast<double>(value) : static_cast<double>(value);
  }
  weight.flag = flag ? 1 : 0;
  weight.type = static_cast<std::size_t>(request.data_type) * 100 +
                static_cast<std::size_t>(request.pattern.type) +
                static_cast<std::size_t>(second_type);
  return weight;
}

bool same_answer(const Ruling& a, const Ruling& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Ruling::Kind::produces: return a.shape == b.shape;
    case Ruling::Kind::rejects: return true;
    case Ruling::Kind::unspecified: break;
  }
  return a.may_reject == b.may_reject &&
         std::is_permutation(a.permitted.begin(), a.permitted.end(), b.permitted.begin(),
                             b.permitted.end());
}

// The first pair of clauses at which two derivations part; the last pair where they never do.
std::pair<std::string, std::string> parting(const reference::Derivation& first,
                                            const reference::Derivation& second) {
  const auto clause = [](const reference::Derivation& way, std::size_t at) {
    return way.empty() ? std::string("no clause") : way[std::min(at, way.size() - 1)].clause;
  };
  std::size_t at = 0;
  while (at + 1 < std::max(first.size(), second.size()) &&
         clause(first, at) == clause(second, at)) {
    ++at;
  }
  return {clause(first, at), clause(second, at)};
}

class Comparison {
 public:
  Comparison(const Dialect& first, const Dialect& second) : first_(first), second_(second) {
    senses_ = {std::nullopt};
    if (has_flag(first) || has_flag(second)) senses_ = {std::nullopt, true, false};
  }

  // Asks both documents with each meaning of the flag that one of them has; the second with a
  // pattern of the type `second_type`.
  void ask(const Request& request, ElementType second_type) {
    for (const std::optional<bool>& sense : senses_) ask_once(request, second_type, sense);
  }

  Differences result(std::vector<std::string> worlds) {
    Differences all{{}, asked_, std::move(worlds)};
    std::vector<const Found*> order;
    for (const auto& [key, found] : found_) order.push_back(&found);
    std::ranges::sort(order, [](const Found* a, const Found* b) {
      return std::tie(a->weight, a->one.first_clause, a->one.second_clause) <
             std::tie(b->weight, b->one.first_clause, b->one.second_clause);
    });
    for (const Found* found : order) all.found.push_back(found->one);
    return all;
  }

 private:
  struct Found {
    Weight weight;
    Difference one;
  };
  using Key = std::tuple<std::string, std::string, Ruling::Kind, Ruling::Kind>;

  // If one document refuses or leaves the answer open at the point where the derivations part, the
  // clause of the other document is no part of the key.
  static Key key_of(const std::string& first_clause, const Ruling& first_answers,
                    const std::string& second_clause, const Ruling& second_answers) {
    const bool first_ends = first_clause == first_answers.clause;
    const bool second_ends = second_clause == second_answers.clause;
    return {second_ends && !first_ends ? "" : first_clause,
            first_ends && !second_ends ? "" : second_clause, first_answers.kind,
            second_answers.kind};
  }

  static bool has_flag(const Dialect& dialect) { return dialect.zero == ZeroRule::by_flag; }

  static Request put_to(const Dialect& dialect, Request request, ElementType type,
                        std::optional<bool> sense) {
    request.dialect = dialect.name;
    request.pattern.type = type;
    request.special_zero = has_flag(dialect) ? sense : std::nullopt;
    return request;
  }

  void ask_once(const Request& request, ElementType second_type, std::optional<bool> sense) {
    ++asked_;
    const Request first = put_to(first_, request, request.pattern.type, sense);
    const Request second = put_to(second_, request, second_type, sense);
    if (same_answer(ruling_of(first_, first), ruling_of(second_, second))) return;
    reference::Derivation first_way;
    reference::Derivation second_way;
    Ruling first_answers = ruling_of(first_, first, &first_way);
    Ruling second_answers = ruling_of(second_, second, &second_way);
    const auto [first_clause, second_clause] = parting(first_way, second_way);
    const Weight weight = weight_of(request, second_type, sense);
    const auto [at, is_new] =
        found_.try_emplace(key_of(first_clause, first_answers, second_clause, second_answers));
    Found& found = at->second;
    if (is_new || weight < found.weight) {
      found.weight = weight;
      found.one = {first_clause,
                   second_clause,
                   first,
                   second,
                   std::move(first_answers),
                   std::move(second_answers),
                   found.one.requests};
    }
    ++found.one.requests;
  }

  const Dialect& first_;
  const Dialect& second_;
  std::vector<std::optional<bool>> senses_;
  std::uint64_t asked_ = 0;
  std::map<Key, Found> found_;
};

Request plain(ElementType data, ElementType pattern, Sizes sizes, const Sizes& values) {
  Request request;
  request.data_type = data;
  request.data = Shape(std::move(sizes));
  request.pattern.type = pattern;
  request.pattern.values.assign(values.begin(), values.end());
  request.shape_only = true;
  return request;
}

// All lists of at most `most` numbers from `entries`.
std::vector<Sizes> lists(std::size_t most, const Sizes& entries) {
  std::vector<Sizes> all = {{}};
  for (std::size_t begin = 0, length = 0; length < most; ++length) {
    const std::size_t end = all.size();
    for (; begin < end; ++begin) {
      for (const std::int64_t entry : entries) {
        Sizes longer = all[begin];
        longer.push_back(entry);
        all.push_back(std::move(longer));
      }
    }
  }
  return all;
}

ElementTypes common_or_first(ElementTypes first, ElementTypes second) {
  const ElementTypes both = first & second;
  return both.empty() ? first : both;
}

}  // namespace

Differences differences(const Dialect& first, const Dialect& second, bool widely) {
  Comparison comparison(first, second);
  const ExhaustiveBound bound = widely ? ExhaustiveBound::quick() : ExhaustiveBound{3, 3, 3, -2, 4};
  Capabilities both;
  both.element_types = common_or_first(first.data_types, second.data_types);
  both.pattern_types = common_or_first(first.pattern_types, second.pattern_types);
  const BoundedRequests small(bound, first, both);
  const ElementType data = small.data_type();
  const ElementType pattern = small.pattern_type();
  // Where no type is common, each document is asked in one of its own: in another it refuses all.
  const bool apart = !second.pattern_types.contains(pattern);
  both.pattern_types = second.pattern_types;
  const ElementType second_pattern =
      apart ? BoundedRequests({0, 0, 0, 0, 0}, second, both).pattern_type() : pattern;
  const auto ask = [&](const Request& request) {
    if (holds(pattern, request.pattern) && holds(second_pattern, request.pattern)) {
      comparison.ask(request, second_pattern);
    }
  };
  for (const Sizes& sizes : small.shapes()) {
    for (const Sizes& values : small.patterns()) ask(plain(data, pattern, sizes, values));
  }

  constexpr std::int64_t kMost = INT64_MAX, kBeyond32Bits = std::int64_t{1} << 32;
  const auto largest = static_cast<std::int64_t>(
      std::min<PatternValue>({kMost, highest(pattern), highest(second_pattern)}));
  const std::int64_t large = std::min(kBeyond32Bits, largest / 2 + 1);
  for (const Sizes& sizes : lists(2, {0, 1, 3, kBeyond32Bits, kMost})) {
    for (const Sizes& values : lists(3, {-1, 0, 1, 3, large, largest})) {
      ask(plain(data, pattern, sizes, values));
    }
  }

  for (const ElementType type : kAllElementTypes) {
    ask(plain(type, pattern, {1}, {1}));
    comparison.ask(plain(data, type, {1}, {1}), type);
    if (!apart) comparison.ask(plain(data, type, {1}, {}), type);
  }
  for (const Shape& shape : {Shape{}, Shape{1, 1}, Shape{2, 1}, Shape{1, 0}}) {
    Request request =
        plain(data, pattern, {1}, Sizes(static_cast<std::size_t>(*element_count(shape)), 1));
    request.pattern.tensor_shape = shape;
    ask(request);
  }
  return comparison.result(
      {text(bound), "sizes from 0 to 2^63-1, data of rank 0..2, patterns of length 0..3",
       "each element type of data and of pattern", "patterns of rank 0 and 2"});
}

}  // namespace reshape::conformance
