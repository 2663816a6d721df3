#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/self/condition.h"
#include "conformance/self/spoil.h"

// The vocabulary of mutants that get the shape wrong: the right answer, and how a misreading
// changes it.
namespace reshape::conformance::self {

// The reference's answer: a shape, or a refusal with its clause.
struct RightAnswer {
  reshape_status status = RESHAPE_OK;
  Sizes sizes;
  std::string clause;  // "volume.kept"; empty unless it is refused

  bool produces() const { return status == RESHAPE_OK; }
  bool is_of(const DLTensor& output) const {
    return produces() && std::ranges::equal(sizes, shape_of(output).sizes());
  }
  // Whether it is a refusal for one of these clauses.
  bool refused_for(auto... clauses) const { return (... || (clause == clauses)); }
};
RightAnswer right_answer(const Call& call);

// The answer by a mistaken reading: none (the right one), a refusal, or a shape.
struct Misreading {
  enum class Kind : std::uint8_t { none, refusal, shape } kind;
  Sizes sizes = {};
};
inline Misreading none() { return {Misreading::Kind::none}; }
inline Misreading refusal() { return {Misreading::Kind::refusal}; }
inline Misreading answers(Sizes sizes) { return {Misreading::Kind::shape, std::move(sizes)}; }

reshape_status answer_inference(const Inference& call, const RightAnswer& right,
                                const Misreading& instead);
reshape_status answer_execution(const Execution& call, const Misreading& instead);

using Reading = std::function<Misreading(const Asked&, const RightAnswer&)>;

// The indices of a value in the pattern, and those of the zeros that copy.
std::vector<std::size_t> places_of(const Asked& asked, PatternValue value);
std::vector<std::size_t> copying_places(const Asked& asked);

// A request with output sizes: the right ones, or those that were asked for.
struct Reshaping {
  const Asked& asked;
  const Sizes& sizes;

  operator const Asked&() const { return asked; }  // NOLINT: what is asked of Asked is asked of it
};

// Conditions on the request, which also apply to a Reshaping.
using WhereAsked = Said<Asked>;
inline WhereAsked operator&&(const WhereAsked& one, const WhereAsked& other) {
  return both(one, other, " and ");
}
using Types = std::vector<ElementType>;
inline constexpr Quantity<Asked> kDataRank("data of ", " sizes", [](const Asked& a) {
  return std::ssize(a.data.sizes());
});
inline constexpr Quantity<Asked> kLength("a pattern of ", " values",
                                         [](const Asked& a) { return std::ssize(a.pattern); });
inline constexpr Quantity<Asked> kPatternRank("a pattern of rank ", "", [](const Asked& a) {
  return std::ssize(a.pattern_shape.sizes());
});
inline constexpr Quantity<Asked> kDataWidth(  // of an element
    "data of ", " bits", [](const Asked& a) { return std::int64_t{bits(a.data_type)}; });
inline constexpr Quantity<Asked> kPatternWidth("a pattern of ", " bits", [](const Asked& a) {
  return std::int64_t{bits(a.pattern_type)};
});
inline constexpr Quantity<Asked> kGrowth(  // by how much the pattern is longer than the data's rank
    "a pattern longer than the data's rank by ", "",
    [](const Asked& a) { return std::ssize(a.pattern) - std::ssize(a.data.sizes()); });
inline constexpr Quantity<Asked> kMinusOnes("a number of -1 of ", "", [](const Asked& a) {
  return std::ssize(places_of(a, -1));
});
WhereAsked data_is(const Types& types);
WhereAsked pattern_is(const Types& types);
WhereAsked pattern_has(std::int64_t value);
WhereAsked flag_is(std::int32_t flag);  // RESHAPE_FLAG_...
WhereAsked dialect_is(const std::string& dialect);
inline const WhereAsked kEmptyData{"data without elements",
                                   [](const Asked& a) { return is_empty(a.data); }};
inline const WhereAsked kAnyRequest{"", [](const Asked&) { return true; }};

// Conditions on the output's sizes too.
using WhereReshaped = Said<Reshaping>;
inline constexpr Quantity<Reshaping> kOutputRank("an output of ", " sizes", [](const Reshaping& r) {
  return std::ssize(r.sizes);
});
inline const WhereReshaped kEmptyOutput{
    "an output without elements", [](const Reshaping& r) { return is_empty(Shape(r.sizes)); }};

// Reads the pattern's values as 1 for which which(asked, place) is true.
Steps takes_for_one(std::function<bool(const Asked&, std::size_t)> which);
// Whether there is a -1 before this index.
bool behind_a_minus_one(const Asked& asked, std::size_t place);
bool is_second_minus_one(const Asked& asked, std::size_t place);
bool is_negative(const Asked& asked, std::size_t place);  // below -1
bool copies_past_rank(const Asked& asked, std::size_t place);

// Answers as read(asked, right) says. Executes a shape by copying what fits.
Steps misreads(Reading read);
// The same for inference alone, for readings that depend on earlier requests.
Steps infers_by(Reading read);

// What should not be refused.
extern const EffectOn<Reshaping> kRefused;

// Produces a wrong shape: change(asked, sizes) changes the right sizes.
EffectOn<Reshaping> reshapes(std::function<void(const Asked&, Sizes&)> change);

// A pattern as sizes, with its zeros copied and 1 in place of the -1.
struct PlainPattern {
  Sizes sizes;
  std::optional<std::size_t> minus_one;
  Sizes with(std::int64_t inferred) const;
};
// Nothing where a value cannot be a size, or where there are several -1.
std::optional<PlainPattern> plain_pattern(const Asked& asked);

// The same where there is no -1, as sizes, or where there is one.
std::optional<Sizes> plain_sizes(const Asked& asked);
std::optional<PlainPattern> plain_with_minus_one(const Asked& asked);

Sizes sizes_of(const Shape& shape);

// The product in the arithmetic of Number, which wraps around or rounds.
template <typename Number>
Number product_in(const Sizes& sizes) {
  if constexpr (std::is_floating_point_v<Number>) {
    Number product = 1;
    for (const std::int64_t size : sizes) product *= static_cast<Number>(size);
    return product;
  } else {
    std::uint64_t product = 1;
    for (const std::int64_t size : sizes) product *= static_cast<std::uint64_t>(size);
    return static_cast<Number>(product);
  }
}

// The pattern, if the right answer depends on the division alone: the request has one -1, data with
// elements, and no known size of 0.
std::optional<PlainPattern> division(const Asked& asked, const RightAnswer& right);

// Infers the -1 as divide(sizes of the data, known sizes); a negative result is a refusal.
Steps infers(std::function<std::int64_t(const Sizes&, const Sizes&)> divide);

// The pattern's sizes, if there is no -1 and only the volume decides: the right answer is these
// sizes, or a refusal because of the volume.
std::optional<Sizes> sizes_asked_for(const Asked& asked, const RightAnswer& right);
// Accepts the sizes if same(data's sizes, asked sizes), instead of comparing volumes; or where
// measure(sizes) is the same of both.
enum class Of : std::uint8_t { all, full };
inline constexpr Of kFull = Of::full;  // not where a side has no elements
Steps compares_by(std::function<bool(const Sizes&, const Sizes&)> same, Of which = Of::all);
template <typename Measure>
Steps compares_as(Measure measure, Of which = Of::all) {
  return compares_by(
      [=](const Sizes& data, const Sizes& output) { return measure(data) == measure(output); },
      which);
}

// Produces the sizes as asked although the volumes differ.
extern const EffectOn<Reshaping> kVolumeUnchecked;

// A rule that is missing on some path through the code, and the misreading there of requests that
// should be refused, or answered.
struct Oversight : EffectOn<Asked> {
  Oversight(std::string what, Reading reading);
  // Requests that should be refused for this clause are answered after mend(asked) has changed
  // them.
  Oversight(std::string what, std::string clause, std::function<void(Asked&)> mend);
  Reading reads;
};
extern const Oversight kRemainderForgotten, kSecondMinusOneUnseen, kNegativeUnseen, kPastRankUnseen,
    kVolumeUnseen, kLargeSizeUnseen, kFormUnseen, kMissingFlagUnseen;
// Of requests that should be answered; kEmptinessUnseen is about data and outputs without elements.
extern const Oversight kFlagInverted, kEmptinessUnseen, kRuleRefused;

}  // namespace reshape::conformance::self
