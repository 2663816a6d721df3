#include "conformance/model/wrong_shape.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <ranges>
#include <span>
#include <system_error>
#include <utility>

#include "reference/tensor/zero_copies.h"

namespace reshape::conformance {
namespace {

using Wide = PatternValue;
using Size = std::optional<Wide>;

constexpr Wide kMostSize = std::numeric_limits<std::int64_t>::max();
constexpr double kDoubtful = 0.03;    // added where sizes of 0 or 1 fit by coincidence
constexpr double kEither = 0.01;      // added where another mistake leaves the same size
constexpr double kWeaker = 0.0002;    // added where less is said of a shape than is true of it
constexpr double kNarrower = 0.0001;  // added for each width that is wider

Wide modulo(Wide value, int width) {
  const Wide end = Wide{1} << width;
  return (value % end + end) % end;
}

// Whether it is 2^7-1, 2^15-1, ..., of which any type of fewer bits holds ones alone. It is also what
// programs mean a special value by.
bool is_largest(Wide value) {
  return std::ranges::any_of(std::array{7, 8, 15, 16, 31, 32, 63, 64},
                             [&](int width) { return value == (Wide{1} << width) - 1; });
}

// What is left of a size in so many bits, of which the highest may be a sign; nothing where that is
// all of it.
Size cut(const Size& size, int width, bool with_sign = false) {
  if (!size) return std::nullopt;
  const Wide rest = modulo(*size, width);
  const Wide left = with_sign && rest >= Wide{1} << (width - 1) ? rest - (Wide{1} << width) : rest;
  return left == *size ? Size() : Size(left);
}

Size rounded_down(const Size& dividend, const Size& divisor) {
  if (!dividend || (divisor && *divisor <= 0)) return std::nullopt;
  return divisor ? *dividend / *divisor : 0;  // a product too large to be held
}

Size rounded_up(const Size& dividend, const Size& divisor) {
  if (!dividend || !divisor || *divisor <= 0) return std::nullopt;
  return (*dividend + *divisor - 1) / *divisor;
}

// The product of sizes; nothing above 2^126. A 0 anywhere gives 0; else a size below 0 gives -1, by
// which nothing is divided.
class Product {
 public:
  void times(Wide size) {
    zero_ |= size == 0;
    negative_ |= size < 0;
    if (negative_) return;
    // Not the whole range, so that it can be rounded up.
    const bool fits = !zero_ && product_ && size <= (Wide{1} << 126) / *product_;
    product_ = fits ? Size(*product_ * size) : std::nullopt;
  }
  Size value() const { return zero_ ? Size(0) : negative_ ? Size(-1) : product_; }

 private:
  Size product_ = 1;
  bool zero_ = false, negative_ = false;
};

Size product_of(std::span<const std::int64_t> sizes) {
  Product product;
  for (const std::int64_t size : sizes) product.times(size);
  return product.value();
}

class Answered {
 public:
  Answered(const Request& request, const Dialect* dialect, const Ruling& right,
           std::span<const std::int64_t> came)
      : values_(request.pattern.values),
        is_list_(request.pattern.one_dimensional()),
        data_(request.data.sizes()),
        came_(came),
        sign_bit_(is_integer(request.pattern.type) && !is_signed_integer(request.pattern.type)
                      ? bits(request.pattern.type) - 1
                      : 0),
        total_(product_of(request.data.sizes())) {
    for (const auto& size : right_sizes(right)) right_.push_back(size ? Size(*size) : Size());
    is_of_pattern_ = right.kind != Ruling::Kind::produces && right_.empty();
    read_pattern(dialect, request.special_zero);
  }

  WrongShape all() && {
    if (is_of_pattern_ && right_.size() != values_.size()) return {};  // no document is known
    if (right_.size() == came_.size()) {
      look_at_sizes();
    } else {
      look_at_rank();
    }
    look_at_whole();
    return std::move(wrong_);
  }

 private:
  // Where the document gives no shape: the sizes that the pattern says. What it does not say either
  // stays empty.
  void read_pattern(const Dialect* dialect, std::optional<bool> flag) {
    if (dialect == nullptr) return;
    copies_ = zero_copies(*dialect, flag);
    if (!is_of_pattern_) return;
    right_.resize(values_.size());
    Product known;
    bool all_known = true;
    std::size_t inferred = right_.size();
    for (std::size_t at = 0; at < right_.size(); ++at) {
      right_[at] = value_as_size(at, *dialect, flag);
      if (right_[at]) {
        known.times(*right_[at]);
      } else if (values_[at] == -1 && inferred == right_.size()) {
        inferred = at;
      } else {
        all_known = false;
      }
    }
    const bool one = all_known && inferred < right_.size();
    if (!one || dialect->minus_one == MinusOne::rejects) return;
    const Size quotient = rounded_down(total_, known.value());
    if (quotient == rounded_up(total_, known.value())) right_[inferred] = quotient;
  }

  Size value_as_size(std::size_t at, const Dialect& dialect, std::optional<bool> flag) const {
    const Wide value = values_[at];
    if (value < 0 || value > kMostSize) return std::nullopt;
    if (value > 0) return value;
    const bool open =
        dialect.zero == ZeroRule::by_flag && !flag && dialect.flag_missing == MissingFlag::rejects;
    if (open) return std::nullopt;
    if (!copies_) return 0;
    if (at < data_.size()) return data_[at];
    if (dialect.zero_past_rank == ZeroPastRank::rejects) return std::nullopt;
    return dialect.zero_past_rank == ZeroPastRank::one ? 1 : 0;
  }

  void add(std::string here, std::string says, double share) {
    if (share < least_) {
      least_ = share;
      wrong_.says = std::move(here);
    }
    wrong_.facts.push_back({std::move(says), share});
  }
  void add(const std::string& says, double share) { add(says, says, share); }

  // Which sizes are wrong. A -1 that follows from other wrong sizes needs no explanation.
  void look_at_sizes() {
    Product known;
    std::vector<std::size_t> minus;
    for (std::size_t at = 0; at < came_.size(); ++at) {
      if (right_[at] == Size(came_[at]) || (!right_[at] && !is_of_pattern_)) {
        known.times(came_[at]);
      } else {
        at_fault_.push_back(at);
        if (value(at) == -1) minus.push_back(at);
      }
    }
    known_ = known.value();
    if (at_fault_.empty()) return add_volume();
    if (minus.size() == 1 && at_fault_.size() > 1) {
      Product others;
      for (std::size_t at = 0; at < came_.size(); ++at) {
        if (at != minus.front()) others.times(came_[at]);
      }
      if (rounded_down(total_, others.value()) == Size(came_[minus.front()])) {
        std::erase(at_fault_, minus.front());
        and_inferred_ = "; the -1 is inferred from that";
      }
    }
    look_at_values();
    look_at_data();
    if (all_are(-1)) look_at_quotient();
    look_at_several();
  }

  Size value(std::size_t at) const {
    return at < values_.size() && values_.size() == came_.size() ? Size(values_[at]) : Size();
  }
  bool all_are(Wide one) const {
    return std::ranges::all_of(at_fault_, [&](std::size_t at) { return value(at) == one; });
  }
  std::vector<std::size_t> axes_of(Wide one) const {
    std::vector<std::size_t> axes;
    for (std::size_t at = 0; at < came_.size(); ++at) {
      if (value(at) == one) axes.push_back(at);
    }
    return axes;
  }
  bool some_above_one() const {
    return std::ranges::any_of(at_fault_, [&](std::size_t at) { return came_[at] > 1; });
  }

  // Adds the fact if size_of(axis) is what came on each wrong axis.
  template <typename SizeOf>
  void add_where(const std::string& is, double share, SizeOf size_of) {
    const auto so = [&](std::size_t at) { return size_of(at) == Size(came_[at]); };
    if (!std::ranges::all_of(at_fault_, so)) return;
    std::string here =
        at_fault_.size() > 1 ? "each wrong size" : "size " + std::to_string(at_fault_.front());
    std::string says = "each wrong size";
    if (all_are(-1)) {
      const std::vector<std::size_t> minus = axes_of(-1);
      if (minus == at_fault_) here = says = minus.size() > 1 ? "each -1" : "the -1";
    } else if (all_are(0)) {
      const std::vector<std::size_t> zeros = axes_of(0);
      const bool each = std::ranges::all_of(zeros, so);
      says = each ? "each 0" : "each wrong 0";
      here = at_fault_.size() > 1 ? says
             : zeros.size() > 1   ? "the 0 at index " + std::to_string(at_fault_.front())
                                  : "the 0";
      if (each) here = zeros.size() > 1 ? says : "the 0";
    }
    const bool of_sizes = says == "each wrong size";
    add(here + " " + is + and_inferred_, says + " " + is + (of_sizes ? and_inferred_ : ""), share);
    // What is true of this shape, and more easily of other shapes, too.
    const char* weaker = of_sizes           ? "each wrong size but an inferred one "
                         : says == "each 0" ? "each wrong 0 "
                                            : nullptr;
    if (weaker != nullptr) wrong_.facts.push_back({weaker + is, share + kWeaker});
  }
  template <typename SizeOf>
  void add_unless_doubtful(const std::string& is, double share, SizeOf size_of) {
    add_where(is, some_above_one() ? share : share + kDoubtful, size_of);
  }

  // What belongs there, before it was converted: where the pattern's value is no size, that value.
  Size source(std::size_t at) const {
    if (right_[at]) return right_[at];
    if (value(at) == -1) return rounded_down(total_, known_);
    if (value(at) == 0) return at < data_.size() ? Size(data_[at]) : Size();
    return value(at);
  }
  // What a value of so many bits stands for at this index: a size, a copy, or the inferred one.
  Size asked_by(const Size& read, int width, std::size_t at) const {
    if (read == Size(0) && copies_) return at < data_.size() ? Size(data_[at]) : Size();
    return read == Size((Wide{1} << width) - 1) ? rounded_down(total_, known_) : read;
  }
  std::string source_in_words() const {
    if (all_are(-1)) return "the quotient";
    if (all_are(0)) return "the data's size";
    const bool plain = std::ranges::all_of(
        at_fault_, [&](std::size_t at) { return value(at) && value(at) != -1 && value(at) != 0; });
    return plain ? "the pattern's value" : "the right size";
  }

  // The value of an unsigned type, if it is another one read as signed.
  Size read_as_signed(std::size_t at) const {
    const Size from = value(at);
    const bool differs = from && sign_bit_ > 0 && *from >> sign_bit_ == 1;
    return differs ? Size(*from - (Wide{2} << sign_bit_)) : Size();
  }

  void look_at_values() {
    const std::string source_is = "is " + source_in_words();
    add_where("is the pattern's value read as signed", 0.0085,
              [&](std::size_t at) { return read_as_signed(at); });
    add_where("is what the pattern's value read as signed asks for", 0.0122, [&](std::size_t at) {
      const Size read = read_as_signed(at);
      return read == Size(-1) ? rounded_down(total_, known_) : read;
    });
    // Of the numbers of bits that fit the most are told. Without a sign bit they are rare.
    for (const auto& [width, share] :
         {std::pair(64, 0.009), {32, 0.01}, {16, 0.011}, {8, 0.012}, {63, 0.028}, {31, 0.029}}) {
      add_where(source_is + " modulo 2^" + std::to_string(width), share,
                [&](std::size_t at) { return cut(source(at), width, came_[at] < 0); });
    }
    if (source_in_words() == "the pattern's value") {
      for (const auto& [width, share] :
           {std::pair(64, 0.013), {32, 0.014}, {16, 0.015}, {8, 0.016}}) {
        const std::string is =
            "is what the pattern's value modulo 2^" + std::to_string(width) + " asks for";
        const auto asked = [&](std::size_t at) {
          return asked_by(modulo(*value(at), width), width, at);
        };
        // A largest value is a -1 in every narrower type: the width is told by other values, or not.
        const bool told = std::ranges::any_of(at_fault_, [&](std::size_t at) {
          return !is_largest(*value(at)) || *value(at) < Wide{1} << width;
        });
        if (told) {
          add_where(is, share, asked);
        } else if (std::ranges::all_of(
                       at_fault_, [&](std::size_t at) { return asked(at) == Size(came_[at]); })) {
          wrong_.facts.push_back({"each wrong size " + is + and_inferred_, share, false});
        }
      }
    }
    const auto by_way_of = [&](auto converted) {
      return [this, converted](std::size_t at) {
        const Size from = source(at);
        const Size left = from ? Size(converted(*from)) : Size();
        // What is above the most is converted to the least.
        if (left && *left > kMostSize && came_[at] < 0) return Size(-kMostSize - 1);
        return left == from ? Size() : left;
      };
    };
    add_where(source_is + " by way of f64", 0.02,
              by_way_of([](Wide from) { return static_cast<Wide>(static_cast<double>(from)); }));
    add_where(source_is + " by way of f32", 0.021,
              by_way_of([](Wide from) { return static_cast<Wide>(static_cast<float>(from)); }));
    for (const auto& [size, words] : {std::pair(kMostSize, "is 2^63-1"),
                                      {(Wide{1} << 32) - 1, "is 2^32-1"},
                                      {(Wide{1} << 31) - 1, "is 2^31-1"}}) {
      add_where(words, 0.022, [&](std::size_t) { return Size(size); });
    }
    add_where("is the pattern's value", 0.023,
              [&](std::size_t at) { return came_[at] < 0 ? value(at) : Size(); });
    add_where("is the pattern's value without its sign", 0.023, [&](std::size_t at) {
      const Size from = value(at);
      return from && *from < -1 ? Size(-*from) : Size();
    });
    add_where("is the pattern's value modulo 2^4", 0.024, [&](std::size_t at) {
      const Size from = value(at);
      return from && *from < -1 ? Size(modulo(*from, 4)) : Size();
    });
    if (!all_are(-1)) {
      add_unless_doubtful("is inferred as a -1 would be", 0.0125, [&](std::size_t at) {
        const Size from = value(at);
        const bool special = from && (*from < -1 || *from > kMostSize || is_largest(*from));
        return special ? rounded_down(total_, known_) : Size();
      });
    }
    if (all_are(0)) add_where("is a plain 0", 0.005, [](std::size_t) { return Size(0); });
    add_where("is 0", 0.05, [](std::size_t) { return Size(0); });
    add_where("is 1", 0.05, [](std::size_t) { return Size(1); });
  }

  Size data_at(std::ptrdiff_t axis) const {
    const bool there = axis >= 0 && axis < std::ssize(data_);
    return there ? Size(data_[static_cast<std::size_t>(axis)]) : Size();
  }

  void look_at_data() {
    const auto place = [](std::size_t at) { return static_cast<std::ptrdiff_t>(at); };
    const auto at_place = [&](std::size_t at) { return data_at(place(at)); };
    if (all_are(0)) {
      add_where("copied the data's size", 0.02, at_place);
    } else {
      add_unless_doubtful("is the data's size at that axis", 0.044, at_place);
    }
    const std::ptrdiff_t longer = std::ssize(data_) - std::ssize(came_);
    if (longer != 0) {
      add_unless_doubtful("is the data's size at that axis counted from the end",
                          all_are(0) ? 0.036 : 0.045,
                          [&](std::size_t at) { return data_at(place(at) + longer); });
    }
    if (!all_are(0)) return;
    add_unless_doubtful("is the data's size at the axis before", 0.0355,
                        [&](std::size_t at) { return data_at(place(at) - 1); });
    add_unless_doubtful("is the data's size at the axis behind", 0.038,
                        [&](std::size_t at) { return data_at(place(at) + 1); });
    add_unless_doubtful("is the data's last size", 0.039,
                        [&](std::size_t) { return data_at(std::ssize(data_) - 1); });
    add_unless_doubtful("is the data's first size", 0.04, [&](std::size_t) { return data_at(0); });
  }

  void look_at_quotient() {
    const auto down = rounded_down(total_, known_), up = rounded_up(total_, known_);
    if (down == up) {
      add_unless_doubtful("is inferred", 0.03, [&](std::size_t) { return down; });
    } else {
      add_unless_doubtful("is the quotient rounded down", 0.03, [&](std::size_t) { return down; });
      add_unless_doubtful("is the quotient rounded up", 0.031, [&](std::size_t) { return up; });
    }
    add_unless_doubtful("is the number of all elements", 0.04, [&](std::size_t) { return total_; });
    // Of the widths that fit the widest is told, of one shape and of many.
    double narrower = 0;
    for (const int width : {64, 32, 16, 8}) {
      const std::string power = " modulo 2^" + std::to_string(width);
      const Size known = cut(known_, width);
      // Where nothing is left of the product of the other sizes, nothing is of the elements either:
      // a 0 may come of the one or of the other.
      const bool either = known == Size(0);
      add_unless_doubtful("is inferred from the number of elements" + power,
                          (width >= 32 ? 0.0105 : 0.026) + narrower + (either ? kEither : 0),
                          [&](std::size_t) { return rounded_down(cut(total_, width), known_); });
      add_unless_doubtful(
          "is inferred from the product of the other sizes" + power, 0.027 + narrower,
          [&](std::size_t) { return either ? known : rounded_down(total_, known); });
      narrower += kNarrower;
    }
    Product nonzero;
    bool zero = false;
    for (std::size_t at = 0; at < came_.size(); ++at) {
      if (value(at) == -1) continue;
      zero |= came_[at] == 0;
      if (came_[at] != 0) nonzero.times(came_[at]);
    }
    if (zero) {
      add_unless_doubtful("is inferred from the other sizes without the 0s", 0.032,
                          [&](std::size_t) { return rounded_down(total_, nonzero.value()); });
    }
  }

  // Of more than one -1 one may be inferred and the others be 1.
  void look_at_several() {
    const std::vector<std::size_t> minus = axes_of(-1);
    if (minus.size() < 2 || minus != at_fault_) return;
    const Size quotient = rounded_down(total_, known_);
    const auto one_is_inferred = [&](std::size_t inferred) {
      return std::ranges::all_of(minus, [&](std::size_t at) {
        return (at == inferred ? quotient : Size(1)) == Size(came_[at]);
      });
    };
    if (one_is_inferred(minus.front())) add("the first -1 is inferred, each other is 1", 0.03);
    if (one_is_inferred(minus.back())) add("the last -1 is inferred, each other is 1", 0.031);
  }

  // Of sizes that are those of the pattern: why they cannot be the answer.
  void add_volume() {
    if (!is_list_) add("the pattern read as a list", 0.01);
    const Size volume = product_of(came_);
    if (volume == total_ || !volume || !total_) return;
    for (const int width : {64, 32}) {
      // Of data without elements another volume may not have been compared at all.
      if (*total_ == 0 || modulo(*volume, width) != modulo(*total_, width)) continue;
      return add(
          "the pattern's sizes, whose volume is the data's modulo 2^" + std::to_string(width),
          0.02);
    }
    add("the pattern's sizes, whose volume is not the data's", 0.05);
  }

  // The right sizes, where all of them are known.
  std::optional<std::vector<std::int64_t>> right() const {
    std::vector<std::int64_t> sizes;
    for (const Size& size : right_) {
      if (!size) return std::nullopt;
      sizes.push_back(static_cast<std::int64_t>(*size));
    }
    return sizes;
  }
  std::string sizes_in_words() const {
    return is_of_pattern_ ? "the pattern's sizes" : "the right sizes";
  }

  void look_at_rank() {
    for (const int width : {16, 8}) {
      const std::size_t end = std::size_t{1} << width;
      if (right_.size() >= end && right_.size() % end == came_.size()) {
        add("as many sizes as the pattern has, modulo 2^" + std::to_string(width), 0.005);
      }
    }
    if (came_.empty()) add("a scalar", 0.06);
    if (came_.size() == 1 && total_ == Size(came_.front())) add("all elements in one axis", 0.05);
    const auto without = [](std::span<const std::int64_t> sizes, std::int64_t one) {
      std::vector<std::int64_t> left(sizes.begin(), sizes.end());
      std::erase(left, one);
      return left;
    };
    for (const Wide special : {-1, 0}) {
      std::vector<std::int64_t> left;
      bool known = values_.size() == right_.size();
      for (std::size_t at = 0; known && at < right_.size(); ++at) {
        if (values_[at] == special) continue;
        known = right_[at].has_value();
        if (known) left.push_back(static_cast<std::int64_t>(*right_[at]));
      }
      if (known && left.size() < right_.size() && std::ranges::equal(left, came_)) {
        add(sizes_in_words() + " without " + (special == 0 ? "those of a 0" : "that of the -1"),
            0.035);
      }
    }
    const auto sizes = right();
    if (!sizes) return;
    if (std::ranges::equal(without(*sizes, 1), came_)) {
      add(sizes_in_words() + " without those of 1", 0.03);
    } else if (std::ranges::equal(without(*sizes, 1), without(came_, 1))) {
      add(sizes_in_words() +
              (came_.size() > sizes->size() ? " and more of 1" : " without some of 1"),
          0.031);
    }
    const std::span<const std::int64_t> whole(*sizes);
    const std::size_t both = std::min(whole.size(), came_.size());
    if (both == 0) return;
    const bool fewer = came_.size() < whole.size();
    if (std::ranges::equal(whole.first(both), came_.first(both))) {
      add(fewer ? "only the first of " + sizes_in_words()
                : sizes_in_words() + " and more behind them",
          0.04);
    } else if (std::ranges::equal(whole.last(both), came_.last(both))) {
      add(fewer ? "only the last of " + sizes_in_words()
                : sizes_in_words() + " and more before them",
          0.041);
    }
  }

  void look_at_whole() {
    const auto sizes = right();
    if (sizes && std::ranges::equal(*sizes, came_)) return;
    if (std::ranges::equal(data_, came_)) add("the data's own shape", 0.022);
    if (!sizes || sizes->size() != came_.size()) return;
    const auto same = [&](const auto& other) { return std::ranges::equal(other, came_); };
    std::vector<std::int64_t> ordered = *sizes;
    if (std::ranges::reverse(ordered); same(ordered)) {
      add(sizes_in_words() + " in reverse order", 0.02);
    }
    if (std::ranges::sort(ordered); same(ordered)) {
      add(sizes_in_words() + " in ascending order", 0.021);
    }
    if (std::ranges::reverse(ordered); same(ordered)) {
      add(sizes_in_words() + " in descending order", 0.021);
    }
    if (std::ranges::is_permutation(*sizes, came_)) {
      add(sizes_in_words() + " in another order", 0.1);
    }
  }

  std::span<const Wide> values_;
  bool is_list_;
  std::span<const std::int64_t> data_, came_;
  int sign_bit_;  // of the pattern's values where their type is unsigned, else 0
  Size total_;
  std::vector<Size> right_;
  bool is_of_pattern_ = false;  // the document gives no size of the answer
  bool copies_ = false;
  std::vector<std::size_t> at_fault_;  // axes
  Size known_;                         // the product of the sizes that are right
  std::string and_inferred_;
  double least_ = std::numeric_limits<double>::infinity();
  WrongShape wrong_;
};

}  // namespace

std::optional<WrongShape> wrong_shape(const Request& request, const Dialect* dialect,
                                      const Ruling& right, const Outcome& outcome) {
  if (outcome.kind == Outcome::Kind::produced && !right.permits(outcome.shape)) {
    return Answered(request, dialect, right, outcome.shape.sizes()).all();
  }
  if (outcome.kind != Outcome::Kind::malformed) return std::nullopt;
  const std::vector<std::int64_t> none = negative_sizes(outcome.message);
  if (none.empty()) return std::nullopt;
  return Answered(request, dialect, right, none).all();
}

std::vector<std::int64_t> negative_sizes(std::string_view words) {
  // Elsewhere they may be the implementation's own words.
  constexpr std::string_view kDuring = "malformed during inference: ",
                             kSizes = "answered the sizes [";
  if (words.starts_with(kDuring)) words.remove_prefix(kDuring.size());
  if (!words.starts_with(kSizes)) return {};
  std::vector<std::int64_t> sizes;
  const char* const end = words.data() + words.size();
  for (const char* from = words.data() + kSizes.size(); from < end;) {
    std::int64_t size = 0;
    const auto [behind, error] = std::from_chars(from, end, size);
    if (error != std::errc() || behind == end) return {};
    sizes.push_back(size);
    if (*behind == ']') return sizes;
    if (*behind != ',') return {};
    from = behind + 1;
  }
  return {};
}

std::vector<std::optional<std::int64_t>> right_sizes(const Ruling& right) {
  if (right.kind == Ruling::Kind::produces) return PermittedShape::exactly(right.shape).sizes;
  return right.permitted.size() == 1 ? right.permitted.front().sizes
                                     : std::vector<std::optional<std::int64_t>>{};
}

}  // namespace reshape::conformance
