#include "reference/resolve.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "reference/reading.h"
#include "reference/volume.h"

namespace reshape::reference {
namespace {

constexpr PatternValue kLargestSize = std::numeric_limits<std::int64_t>::max();

}  // namespace

// The order in which a request is read, and so which of several broken clauses is named.
const std::array<Reading::Rule, 16> Reading::kRules = {
    &Reading::data_type,
    &Reading::special_zero,
    &Reading::pattern_type,
    &Reading::pattern_rank,
    &Reading::pattern_values,
    &Reading::minus_one_is_a_value,
    &Reading::minus_one_once,
    &Reading::zero_past_rank,
    &Reading::representable_sizes,
    &Reading::read_sizes,
    &Reading::literal_zero_with_minus_one,
    &Reading::minus_one_beside_copied_zero,
    &Reading::minus_one,
    &Reading::volume,
    &Reading::empty_pattern,
    &Reading::scalar_data,
};

Ruling Reading::ruling() {
  for (const Rule rule : kRules) {
    if (const Broken clause = (this->*rule)()) return Ruling::rejects(clause);
  }
  return conclusion();
}

Broken Reading::data_type() {
  const ElementType type = asked_.data_type;
  if (dialect_.data_types.contains(type)) return kHolds;
  // clause: data.type-open
  if (dialect_.data_types_unspecified.contains(type)) {
    return leaves_open("data.type-open", [&] {
      return fmt::format("the document leaves open whether data may be {}", name(type));
    });
  }
  // clause: data.type
  return rejects("data.type", [&] {
    return fmt::format("data is {}, which is none of: {}", name(type), dialect_.data_types.text());
  });
}

Broken Reading::special_zero() {
  // Records whether a 0 copies; the reason is put into words only for a derivation.
  const auto means = [this](bool copies, const std::string& of, const char* because,
                            const std::string& word) {
    zero_copies_ = copies;
    if (derivation_ != nullptr) zero_because_ = of + because + word;
    return kHolds;
  };
  if (dialect_.zero == ZeroRule::copies)
    return means(true, {}, "every 0 copies in this dialect", {});
  if (dialect_.zero == ZeroRule::literal)
    return means(false, {}, "no 0 copies in this dialect", {});
  const ZeroFlag& flag = dialect_.flag;
  if (asked_.special_zero == true) return means(true, flag.name, " is ", flag.copies);
  if (asked_.special_zero == false) return means(false, flag.name, " is ", flag.literal);
  // clause: special-zero.default
  if (dialect_.flag_missing == MissingFlag::copies) {
    return means(true, flag.name, " is not given, which means ", flag.copies);
  }
  if (dialect_.flag_missing == MissingFlag::literal) {
    return means(false, flag.name, " is not given, which means ", flag.literal);
  }
  // clause: special-zero.required
  return rejects("special-zero.required", [&] { return flag.name + " is not given"; });
}

Broken Reading::pattern_type() {
  // clause: pattern.type
  if (!dialect_.pattern_types.contains(asked_.pattern.type)) {
    return rejects("pattern.type", [&] {
      return fmt::format("the pattern is {}, which is none of: {}", name(asked_.pattern.type),
                         dialect_.pattern_types.text());
    });
  }
  return kHolds;
}

Broken Reading::pattern_rank() {
  // An attribute is a list; only a tensor can have another rank.
  if (dialect_.pattern_given_as == PatternSource::attribute) return kHolds;
  if (asked_.pattern.one_dimensional()) return kHolds;
  // clause: pattern.one-dimensional
  return answers(dialect_.pattern_not_one_dimensional, "pattern.one-dimensional", [&] {
    return fmt::format("the pattern tensor has {} dimensions instead of 1",
                       asked_.pattern.tensor_shape->rank());
  });
}

Broken Reading::pattern_values() {
  for (std::size_t at = 0; at < pattern().size(); ++at) {
    if (pattern()[at] >= -1) continue;
    // clause: pattern.values
    const bool open = dialect_.values_below_minus_one == Answer::unspecified &&
                      dialect_.minus_one == MinusOne::inferred;
    return answers(open ? Answer::unspecified : Answer::rejects, "pattern.values", [&] {
      return fmt::format("pattern[{}] is {}, below -1", at, text(pattern()[at]));
    });
  }
  return kHolds;
}

Broken Reading::minus_one_is_a_value() {
  if (dialect_.minus_one == MinusOne::inferred) return kHolds;
  for (std::size_t at = 0; at < pattern().size(); ++at) {
    // clause: minus-one.not-a-value
    if (pattern()[at] == -1) {
      return rejects("minus-one.not-a-value", [&] {
        return fmt::format("pattern[{}] is -1, and every size has to be given", at);
      });
    }
  }
  return kHolds;
}

Broken Reading::minus_one_once() {
  for (std::size_t at = 0; at < pattern().size(); ++at) {
    // A value below -1 that was not refused is read as -1.
    if (pattern()[at] > -1) continue;
    // clause: minus-one.once
    if (has_minus_one()) {
      return rejects("minus-one.once", [&] {
        return fmt::format("pattern[{}] and pattern[{}] both ask for an inferred size",
                           *minus_one_at_, at);
      });
    }
    minus_one_at_ = at;
  }
  return kHolds;
}

Broken Reading::zero_past_rank() {
  if (!zero_copies_ || dialect_.zero_past_rank != ZeroPastRank::rejects) return kHolds;
  for (std::size_t at = data_.rank(); at < pattern().size(); ++at) {
    // clause: zero.past-rank
    if (pattern()[at] == 0) {
      return rejects("zero.past-rank", [&] {
        return fmt::format("pattern[{}] is 0 and {}, but data has only {} dimensions", at,
                           zero_because_, data_.rank());
      });
    }
  }
  return kHolds;
}

Broken Reading::representable_sizes() {
  for (std::size_t at = 0; at < pattern().size(); ++at) {
    // clause: size.representable
    if (pattern()[at] > kLargestSize) {
      return rejects("size.representable", [&] {
        return fmt::format("pattern[{}] is {}, above 2^63-1", at, text(pattern()[at]));
      });
    }
  }
  return kHolds;
}

// Reads the sizes from left to right. Refuses nothing: the rules before it checked every value.
Broken Reading::read_sizes() {
  sizes_.reserve(pattern().size());
  for (std::size_t at = 0; at < pattern().size(); ++at) {
    const PatternValue value = pattern()[at];
    if (value < 0) {
      sizes_.push_back(1);
    } else if (value == 0) {
      sizes_.push_back(size_of_zero(at));
    } else {
      sizes_.push_back(static_cast<std::int64_t>(value));
      note("output.shape",
           [&] { return fmt::format("pattern[{0}] asks for {1}", at, sizes_[at]); });
    }
  }
  return kHolds;
}

std::int64_t Reading::size_of_zero(std::size_t at) {
  // clause: zero.copies
  if (zero_copies_ && at < data_.rank()) {
    note("zero.copies", [&] {
      return fmt::format("pattern[{0}] is 0 and {1}: copies {2} from data[{0}]", at, zero_because_,
                         data_[at]);
    });
    copied_zero_ = copied_zero_ || data_[at] == 0;
    return data_[at];
  }
  // clause: zero.past-rank-one
  if (zero_copies_ && dialect_.zero_past_rank == ZeroPastRank::one) {
    note("zero.past-rank-one", [&] {
      return fmt::format("pattern[{0}] is 0, but data has no dimension {0}: a size of 1", at);
    });
    return 1;
  }
  // clause: zero.literal
  // clause: zero.past-rank-literal
  note(zero_copies_ ? "zero.past-rank-literal" : "zero.literal", [&] {
    return zero_copies_
               ? fmt::format("pattern[{0}] is 0, but data has no dimension {0}: a size of 0", at)
               : fmt::format("pattern[{}] is 0 and {}: a size of 0", at, zero_because_);
  });
  literal_zero_ = true;
  return 0;
}

Broken Reading::literal_zero_with_minus_one() {
  if (!has_minus_one() || !literal_zero_) return kHolds;
  // clause: zero.with-minus-one
  if (dialect_.literal_zero_with_minus_one == LiteralZeroWithMinusOne::rejects) {
    return rejects("zero.with-minus-one",
                   [] { return "a plain 0 and a -1 must not stand together"; });
  }
  // clause: volume.kept
  if (!is_empty(data_)) {
    return rejects("volume.kept", [&] {
      return fmt::format("a size of 0 leaves no elements, whatever the -1 is; data has {}",
                         product_text(data_.sizes()));
    });
  }
  // clause: zero.with-minus-one
  minus_one_is_open_ = true;
  return leaves_open("zero.with-minus-one", [] {
    return "data is empty and so is the output, whatever the -1 is: nothing determines it";
  });
}

Broken Reading::minus_one_beside_copied_zero() {
  if (!has_minus_one() || !copied_zero_) return kHolds;
  // clause: minus-one.beside-copied-zero
  minus_one_is_open_ = true;
  const bool rejecting = dialect_.minus_one_beside_copied_zero == Answer::rejects;
  // No document can say "produces" here, since there is no one shape to produce.
  return answers(rejecting ? Answer::rejects : Answer::unspecified, "minus-one.beside-copied-zero",
                 [] { return "a copied size is 0: nothing determines the -1"; });
}

Broken Reading::minus_one() {
  if (!has_minus_one() || minus_one_is_open_) return kHolds;
  const Quotient quotient = divide(data_.sizes(), sizes_);
  const auto division = [&] {
    return fmt::format("known sizes multiply to {}; {} elements / {}", product_text(sizes_),
                       product_text(data_.sizes()), product_text(sizes_));
  };
  // clause: minus-one.divides
  if (!quotient.exact) {
    return rejects("minus-one.divides", [&] { return division() + " leaves a remainder"; });
  }
  // clause: size.representable
  if (!quotient.value) {
    return rejects("size.representable", [&] { return division() + " is above 2^63-1"; });
  }
  // clause: minus-one.inferred
  note("minus-one.inferred", [&] { return division() + fmt::format(" = {}", *quotient.value); });
  sizes_[*minus_one_at_] = *quotient.value;
  return kHolds;
}

Broken Reading::volume() {
  // clause: volume.kept
  // An inferred -1 keeps the count; beside an open one there are no elements on either side.
  if (!has_minus_one() && !same_product(data_.sizes(), sizes_)) {
    return rejects("volume.kept", [&] {
      return fmt::format("{} elements asked, {} given", product_text(sizes_),
                         product_text(data_.sizes()));
    });
  }
  // clause: volume.beyond-int64
  if (!product(data_.sizes())) {
    return answers(dialect_.volume_beyond_int64, "volume.beyond-int64",
                   [] { return "the number of elements is kept, but it is above 2^63-1"; });
  }
  return kHolds;
}

Broken Reading::empty_pattern() {
  if (!pattern().empty()) return kHolds;
  // clause: pattern.empty
  return answers(dialect_.empty_pattern, "pattern.empty",
                 [] { return "the pattern is empty: it asks for a scalar"; });
}

Broken Reading::scalar_data() {
  if (data_.rank() != 0) return kHolds;
  // clause: data.scalar
  return answers(dialect_.scalar_data, "data.scalar", [] { return "data is a scalar"; });
}

Ruling Reading::conclusion() {
  if (open_ == nullptr) {
    note("output.shape", [&] { return "produces " + text_of_sizes(sizes_); });
    return Ruling::produces(Shape(std::move(sizes_)));
  }
  PermittedShape shape{{sizes_.begin(), sizes_.end()}};
  if (minus_one_is_open_) shape.sizes[*minus_one_at_].reset();
  note(open_, [&] { return "the document leaves it open: rejects | produces " + text(shape); });
  return Ruling::unspecified(open_, true, {std::move(shape)});
}

Ruling resolve(const Dialect& dialect, const Question& question, Derivation* derivation) {
  return Reading(dialect, question, derivation).ruling();
}

}  // namespace reshape::reference
