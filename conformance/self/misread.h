#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/self/condition.h"
#include "conformance/self/spoil.h"

// The words of mutants that get the shape wrong: what is right, and what a mistaken reading makes of it.
namespace reshape::conformance::self {

// What the reference answers: a shape, or a refusal with the clause that it names.
struct RightAnswer {
  reshape_status status = RESHAPE_OK;
  Sizes sizes;
  std::string clause;  // "volume.kept"; empty unless it is refused

  bool produces() const { return status == RESHAPE_OK; }
  // For this clause, or for one of these.
  bool refused_for(auto... clauses) const { return (... || (clause == clauses)); }
};
RightAnswer right_answer(const reshape_request& request, reshape_message* why);

// What a mistaken reading makes of a request: the right answer stands, a refusal, or a shape.
struct Misreading {
  enum class Kind : std::uint8_t { none, refusal, shape } kind;
  Sizes sizes = {};
};
inline Misreading none() { return {Misreading::Kind::none}; }
inline Misreading refusal() { return {Misreading::Kind::refusal}; }
inline Misreading answers(Sizes sizes) { return {Misreading::Kind::shape, std::move(sizes)}; }

reshape_status answer_inference(const RightAnswer& right, const Misreading& instead,
                                reshape_shape* shape, reshape_message* why);
reshape_status answer_execution(const reshape_request& request, const Misreading& instead,
                                DLTensor* output, reshape_message* why);

using Reading = std::function<Misreading(const Asked&, const RightAnswer&)>;

// The places of a value in the pattern, and those of the zeros that copy.
std::vector<std::size_t> places_of(const Asked& asked, PatternValue value);
std::vector<std::size_t> copying_places(const Asked& asked);

// A reshape of the data into these sizes: the right ones, or those that were asked for.
struct Reshaping {
  const Asked& asked;
  const Sizes& sizes;

  operator const Asked&() const { return asked; }  // NOLINT: what is asked of Asked is asked of it
};

// Conditions on what was asked, which are such on a Reshaping too.
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

// And on the sizes of the output.
using WhereReshaped = Said<Reshaping>;
inline constexpr Quantity<Reshaping> kOutputRank("an output of ", " sizes", [](const Reshaping& r) {
  return std::ssize(r.sizes);
});
inline const WhereReshaped kEmptyOutput{
    "an output without elements", [](const Reshaping& r) { return is_empty(Shape(r.sizes)); }};

// The values of the pattern for which which(asked, place) is true are read as 1.
Steps takes_for_one(std::function<bool(const Asked&, std::size_t)> which);
// Some -1 stands before this place.
bool behind_a_minus_one(const Asked& asked, std::size_t place);
bool is_second_minus_one(const Asked& asked, std::size_t place);
bool is_negative(const Asked& asked, std::size_t place);  // below -1
bool copies_past_rank(const Asked& asked, std::size_t place);

// Answers what read(asked, right) makes of a request. A shape is executed by copying what fits.
Steps misreads(Reading read);
// The same of inference alone, for a reading that depends on what was asked before.
Steps infers_by(Reading read);

// Refuses what it should not.
Steps refuses_where(Condition<Reshaping> which);
inline const EffectOn<Reshaping> kRefused{" is refused", refuses_where};

// Produces another shape than the right one: change(asked, sizes) changes the right sizes.
Steps reshapes_where(Condition<Reshaping> which, std::function<void(const Asked&, Sizes&)> change);
Steps reshapes_otherwise(std::function<void(const Asked&, Sizes&)> change);

// A pattern with its zeros copied, as sizes, with 1 where the -1 stands.
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

// The request has one -1, data with elements, and known sizes that are not 0; its right answer rests
// on the division alone.
std::optional<PlainPattern> division(const Asked& asked, const RightAnswer& right);

// The -1 as divide(sizes of the data, known sizes) gives it, negative for a refusal.
Steps infers(std::function<std::int64_t(const Sizes&, const Sizes&)> divide);

// The pattern's sizes, where there is no -1 and nothing but the volume decides: what was asked and the
// right answer is one of those, or a refusal for another volume.
std::optional<Sizes> sizes_asked_for(const Asked& asked, const RightAnswer& right);
// same(data's sizes, asked sizes) decides whether the volume is kept.
Steps compares_by(std::function<bool(const Sizes&, const Sizes&)> same);
// Produces the sizes as asked although the volumes differ.
Steps accepts_where(Condition<Reshaping> accepts);
inline const EffectOn<Reshaping> kVolumeUnchecked{"the numbers of elements are not compared",
                                                  accepts_where};

// A rule that is right everywhere but on some way through the code, and what a request becomes there: a
// mistaken reading of what is rightly refused, or answered, or none.
struct Oversight : EffectOn<Asked> {
  Oversight(std::string what, Reading reading);
  // What is rightly refused for this clause is answered as the request that mend(asked) makes of it.
  Oversight(std::string what, std::string clause, std::function<void(Asked&)> mend);
  Reading reads;
};
extern const Oversight kRemainderForgotten, kSecondMinusOneUnseen, kNegativeUnseen, kPastRankUnseen,
    kVolumeUnseen, kLargeSizeUnseen, kFormUnseen, kMissingFlagUnseen;
// And of what is rightly answered; the second is of data and an output without elements.
extern const Oversight kFlagInverted, kEmptinessUnseen, kRuleRefused;

// By what kept answers are found again.
std::string key_of(const Shape& shape);
std::string key_of_pattern(const Asked& asked);
std::string key_of_types(const Asked& asked);
std::string key_of_rest(const Asked& asked);  // the dialect and the flag
// All but the sizes of the data and the values of the pattern.
std::string key_of_all_but_sizes(const Asked& asked);

// Answers of inference are kept by key(asked), and given again whatever else was asked.
Steps keeps_answers(std::function<std::string(const Asked&)> key);

}  // namespace reshape::conformance::self
