#include "conformance/self/misread.h"

#include <algorithm>
#include <limits>

namespace reshape::conformance::self {
namespace {

bool among(ElementType type, const Types& types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

std::string listed(const Types& types) {  // "u8, u16 and u32"
  std::string all;
  for (std::size_t at = 0; at < types.size(); ++at) {
    all += at == 0 ? "" : at + 1 < types.size() ? ", " : " and ";
    all += name(types[at]);
  }
  return all;
}

// The right answer to a changed request.
Misreading asked_again(Asked& changed) {
  reshape_message unread;
  const RightAnswer now = right_answer({*changed.request(), unread});
  return now.produces() ? answers(now.sizes) : refusal();
}

// Sets the pattern's values to 1 for which which(asked, place) is true.
template <typename Which>
void read_as_one(Asked& asked, Which which) {
  const Asked before = asked;
  for (std::size_t at = 0; at < asked.pattern.size(); ++at) {
    if (which(before, at)) asked.pattern[at] = 1;
  }
}

}  // namespace

RightAnswer right_answer(const Call& call) {
  // An output has at most as many sizes as the pattern; 1 more avoids an empty array.
  Sizes sizes(
      static_cast<std::size_t>(element_count(shape_of(*call.request.pattern)).value_or(0) + 1));
  reshape_shape shape{static_cast<std::int32_t>(sizes.size()), 0, sizes.data()};
  RightAnswer answered;
  answered.status = Inference{call, shape}.right();
  if (answered.produces()) {
    sizes.resize(static_cast<std::size_t>(shape.rank));
    answered.sizes = std::move(sizes);
  } else if (answered.status == RESHAPE_REJECTED) {
    const std::string_view message = call.why.text;
    answered.clause = message.substr(0, message.find(':'));
  }
  return answered;
}

reshape_status answer_inference(const Inference& call, const RightAnswer& right,
                                const Misreading& instead) {
  switch (instead.kind) {
    case Misreading::Kind::refusal: return call.answer(RESHAPE_REJECTED, "refused by a mistake");
    case Misreading::Kind::shape: return write_shape(instead.sizes, call);
    case Misreading::Kind::none: break;
  }
  return right.produces() ? write_shape(right.sizes, call) : right.status;
}

reshape_status answer_execution(const Execution& call, const Misreading& instead) {
  if (instead.kind == Misreading::Kind::none) return call.right();
  if (instead.kind == Misreading::Kind::refusal) {
    return call.answer(RESHAPE_REJECTED, "refused by a mistake");
  }
  const bool fits = std::ranges::equal(instead.sizes, shape_of(call.output).sizes()) &&
                    call.data().dtype.code == call.output.dtype.code &&
                    call.data().dtype.bits == call.output.dtype.bits;
  return fits ? copy_what_fits(call.data(), call.output)
              : call.answer(RESHAPE_REJECTED, "output.shape: another one");
}

Steps infers_by(Reading read) {
  return inferring([=](const Inference& call) {
    const RightAnswer right = right_answer(call);
    return answer_inference(call, right, read(Asked(call.request), right));
  });
}

Steps misreads(Reading read) {
  Steps steps = infers_by(read);
  steps.execute = [=](const Execution& call) {
    const RightAnswer right = right_answer(call);
    return answer_execution(call, read(Asked(call.request), right));
  };
  return steps;
}

WhereAsked data_is(const Types& types) {
  return {listed(types) + " data",
          [=](const Asked& asked) { return among(asked.data_type, types); }};
}
WhereAsked pattern_is(const Types& types) {
  return {"a pattern of " + listed(types),
          [=](const Asked& asked) { return among(asked.pattern_type, types); }};
}
WhereAsked pattern_has(std::int64_t value) {
  return {"a pattern with a " + std::to_string(value),
          [=](const Asked& asked) { return !places_of(asked, value).empty(); }};
}
WhereAsked flag_is(std::int32_t flag) {
  return {flag == RESHAPE_FLAG_MISSING ? "no special_zero"
          : flag == RESHAPE_FLAG_TRUE  ? "special_zero true"
                                       : "special_zero false",
          [=](const Asked& asked) { return asked.special_zero == flag; }};
}
WhereAsked dialect_is(const std::string& dialect) {
  return {dialect, [=](const Asked& asked) { return asked.dialect == dialect; }};
}

Steps takes_for_one(std::function<bool(const Asked&, std::size_t)> which) {
  return misunderstand([=](Asked& asked) { read_as_one(asked, which); });
}

bool behind_a_minus_one(const Asked& asked, std::size_t place) {
  const std::vector<std::size_t> minus_ones = places_of(asked, -1);
  return !minus_ones.empty() && minus_ones.front() < place;
}

bool is_second_minus_one(const Asked& asked, std::size_t place) {
  return asked.pattern[place] == -1 && behind_a_minus_one(asked, place);
}

bool is_negative(const Asked& asked, std::size_t place) { return asked.pattern[place] < -1; }

bool copies_past_rank(const Asked& asked, std::size_t place) {
  return asked.zero_copies() && asked.pattern[place] == 0 && place >= asked.data.rank();
}

const EffectOn<Reshaping> kRefused{
    " is refused", [](Condition<Reshaping> which) {
      return misreads([=](const Asked& asked, const RightAnswer& right) {
        return right.produces() && which({asked, right.sizes}) ? refusal() : none();
      });
    }};

EffectOn<Reshaping> reshapes(std::function<void(const Asked&, Sizes&)> change) {
  return {"", [=](Condition<Reshaping> which) {
            return misreads([=](const Asked& asked, const RightAnswer& right) {
              if (!right.produces() || !which({asked, right.sizes})) return none();
              Sizes sizes = right.sizes;
              change(asked, sizes);
              return answers(std::move(sizes));
            });
          }};
}

Sizes PlainPattern::with(std::int64_t inferred) const {
  Sizes all = sizes;
  if (minus_one) all[*minus_one] = inferred;
  return all;
}

std::optional<PlainPattern> plain_pattern(const Asked& asked) {
  PlainPattern plain;
  for (const PatternValue value : asked.with_zeros_copied()) {
    if (value < -1 || value > INT64_MAX) return std::nullopt;
    if (value == -1) {
      if (plain.minus_one) return std::nullopt;
      plain.minus_one = plain.sizes.size();
    }
    plain.sizes.push_back(value == -1 ? 1 : static_cast<std::int64_t>(value));
  }
  return plain;
}

std::optional<Sizes> plain_sizes(const Asked& asked) {
  auto plain = plain_pattern(asked);
  if (!plain || plain->minus_one) return std::nullopt;
  return std::move(plain->sizes);
}

std::optional<PlainPattern> plain_with_minus_one(const Asked& asked) {
  auto plain = plain_pattern(asked);
  return plain && plain->minus_one ? plain : std::nullopt;
}

std::vector<std::size_t> places_of(const Asked& asked, PatternValue value) {
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < asked.pattern.size(); ++at) {
    if (asked.pattern[at] == value) places.push_back(at);
  }
  return places;
}

std::vector<std::size_t> copying_places(const Asked& asked) {
  return asked.zero_copies() ? places_of(asked, 0) : std::vector<std::size_t>();
}

Sizes sizes_of(const Shape& shape) { return Sizes(shape.begin(), shape.end()); }

std::optional<PlainPattern> division(const Asked& asked, const RightAnswer& right) {
  if (!right.produces() && !right.refused_for("minus-one.divides")) return std::nullopt;
  if (is_empty(asked.data)) return std::nullopt;
  auto plain = plain_with_minus_one(asked);
  return plain && !is_empty(Shape(plain->sizes)) ? plain : std::nullopt;
}

Steps infers(std::function<std::int64_t(const Sizes&, const Sizes&)> divide) {
  return misreads([=](const Asked& asked, const RightAnswer& right) {
    const auto plain = division(asked, right);
    if (!plain) return none();
    const std::int64_t size = divide(sizes_of(asked.data), plain->sizes);
    return size < 0 ? refusal() : answers(plain->with(size));
  });
}

std::optional<Sizes> sizes_asked_for(const Asked& asked, const RightAnswer& right) {
  const bool concerned = right.produces() || right.refused_for("volume.kept");
  return concerned ? plain_sizes(asked) : std::nullopt;
}

Steps compares_by(std::function<bool(const Sizes&, const Sizes&)> same, Of which) {
  return misreads([=](const Asked& asked, const RightAnswer& right) {
    const auto sizes = sizes_asked_for(asked, right);
    if (!sizes) return none();
    if (which == Of::full && (is_empty(asked.data) || is_empty(Shape(*sizes)))) return none();
    return same(sizes_of(asked.data), *sizes) ? answers(*sizes) : refusal();
  });
}

Oversight::Oversight(std::string what, Reading reading)
    : EffectOn{std::move(what),
               [=](Condition<Asked> where) {
                 return misreads([=](const Asked& asked, const RightAnswer& right) {
                   return where(asked) ? reading(asked, right) : none();
                 });
               }},
      reads(reading) {}

Oversight::Oversight(std::string what, std::string clause, std::function<void(Asked&)> mend)
    : Oversight(std::move(what), [=](const Asked& asked, const RightAnswer& right) {
        if (!right.refused_for(clause)) return none();
        Asked mended = asked;
        mend(mended);
        return asked_again(mended);
      }) {}

const Oversight kRemainderForgotten{
    "the -1 is the quotient, whatever remains", [](const Asked& asked, const RightAnswer& right) {
      if (!right.refused_for("minus-one.divides")) return none();
      const auto plain = division(asked, right);
      if (!plain) return none();
      const auto count = product_in<std::int64_t>(sizes_of(asked.data));
      const auto known = product_in<std::int64_t>(plain->sizes);
      return known > 0 ? answers(plain->with(count / known)) : none();
    }};

const Oversight kSecondMinusOneUnseen{
    "a second -1 is taken as 1", "minus-one.once",
    [](Asked& asked) { read_as_one(asked, is_second_minus_one); }};
const Oversight kNegativeUnseen{"a value below -1 counts as 1", "pattern.values",
                                [](Asked& asked) { read_as_one(asked, is_negative); }};
const Oversight kPastRankUnseen{"a copying 0 past the rank is let through as a 1", "zero.past-rank",
                                [](Asked& asked) { read_as_one(asked, copies_past_rank); }};
const Oversight kMissingFlagUnseen{"a missing special_zero is taken as false",
                                   "special-zero.required",
                                   [](Asked& asked) { asked.special_zero = RESHAPE_FLAG_FALSE; }};

const Oversight kVolumeUnseen{
    "the numbers of elements are not compared", [](const Asked& asked, const RightAnswer& right) {
      const auto sizes = plain_sizes(asked);
      return right.refused_for("volume.kept") && sizes ? answers(*sizes) : none();
    }};

const EffectOn<Reshaping> kVolumeUnchecked{
    kVolumeUnseen.words, [](Condition<Reshaping> where) {
      return misreads([=](const Asked& asked, const RightAnswer& right) {
        const Misreading unseen = kVolumeUnseen.reads(asked, right);
        const bool answered = unseen.kind == Misreading::Kind::shape;
        return answered && where({asked, unseen.sizes}) ? unseen : none();
      });
    }};

const Oversight kLargeSizeUnseen{
    "a u64 size above 2^63-1 is taken as 2^63-1", [](const Asked& asked, const RightAnswer& right) {
      if (!right.refused_for("size.representable") || asked.minus_ones() > 0) return none();
      Sizes sizes;
      for (const PatternValue value : asked.with_zeros_copied()) {
        sizes.push_back(static_cast<std::int64_t>(std::min(value, PatternValue{INT64_MAX})));
      }
      return is_empty(Shape(sizes)) == is_empty(asked.data) ? answers(std::move(sizes)) : none();
    }};

const Oversight kFormUnseen{
    "a pattern of two dimensions is read row by row", "pattern.one-dimensional",
    [](Asked& asked) { asked.pattern_shape = Shape{std::ssize(asked.pattern)}; }};

const Oversight kFlagInverted{
    "special_zero is taken for its opposite", [](const Asked& asked, const RightAnswer&) {
      if (asked.special_zero == RESHAPE_FLAG_MISSING) return none();
      Asked changed(asked.original());
      changed.special_zero = asked.zero_copies() ? RESHAPE_FLAG_FALSE : RESHAPE_FLAG_TRUE;
      return asked_again(changed);
    }};

const Oversight kEmptinessUnseen{
    "an output without elements is refused", [](const Asked& asked, const RightAnswer& right) {
      return right.produces() && is_empty(asked.data) ? refusal() : none();
    }};

const Oversight kRuleRefused{"the request is refused", [](const Asked&, const RightAnswer& right) {
                               return right.produces() ? refusal() : none();
                             }};

}  // namespace reshape::conformance::self
