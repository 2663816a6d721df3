// Describes what wrong elements hold by the bits that belong there.
#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "conformance/model/compared_elements.h"
#include "conformance/model/float_form.h"
#include "conformance/model/poison_bits.h"

namespace reshape::conformance {
namespace {

using Bits = std::uint64_t;

constexpr Bits low_bits(int width) { return width >= 64 ? ~Bits{0} : (Bits{1} << width) - 1; }

Bits bytes_reversed(Bits value, int width) {
  Bits reversed = 0;
  for (int shift = 0; shift < width; shift += 8) reversed = reversed << 8 | (value >> shift & 0xff);
  return reversed;
}

Bits sign_extended(Bits value, int from, int to) {
  const bool negative = (value >> (from - 1) & 1) != 0;
  return ((value & low_bits(from)) | (negative ? ~low_bits(from) : 0)) & low_bits(to);
}

// A value after a conversion to f32 and back; nothing for a NaN, an overflow, and types that f32
// keeps.
std::optional<Bits> by_way_of_f32(Bits value, ElementType type) {
  if (type == ElementType::f64) {
    const auto number = std::bit_cast<double>(value);
    const double most = std::numeric_limits<float>::max();
    if (!(number >= -most && number <= most)) return std::nullopt;
    return std::bit_cast<Bits>(static_cast<double>(static_cast<float>(number)));
  }
  if (type == ElementType::i32) {
    const auto rounded = static_cast<double>(static_cast<float>(static_cast<std::int32_t>(value)));
    if (rounded > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(rounded));
  }
  return std::nullopt;
}

// The same for i64 by way of f64. Nothing for results beyond i64, where processors differ.
std::optional<Bits> by_way_of_f64(Bits value, ElementType type) {
  constexpr double kEnd = 9223372036854775808.0;
  if (type != ElementType::i64) return std::nullopt;
  const auto rounded = static_cast<double>(static_cast<std::int64_t>(value));
  if (rounded >= kEnd) return std::nullopt;
  return static_cast<Bits>(static_cast<std::int64_t>(rounded));
}

class Values {
 public:
  explicit Values(const ComparedElements& elements)
      : elements_(elements), type_(elements.request.data_type), width_(bits(type_)) {}

  std::vector<ElementFact> all() && {
    look_at_what_is_there();
    if (type_ != ElementType::boolean) look_at_bits();
    look_at_ways();
    return std::move(facts_);
  }

 private:
  // Adds the fact if is(right, came) is true of all wrong elements. The smaller the share, the more
  // it says.
  template <typename Condition>
  void add_where(std::string says, double share, Condition is) {
    const bool all = std::ranges::all_of(elements_.wrong, [&](std::int64_t at) {
      return is(elements_.right_at(at), elements_.came_at(at));
    });
    if (all) facts_.push_back({std::move(says), share});
  }

  void look_at_what_is_there() {
    const Bits poison = poison_bits(elements_.probe.poison, type_);
    // A child's output never lay in poisoned memory.
    if (elements_.probe.ask != Probe::Ask::sent) {
      add_where("holds what was there before", 0.01,
                [=](Bits, Bits came) { return came == poison; });
      add_where("is or-ed to what was there before", 0.05,
                [=](Bits right, Bits came) { return came == (right | poison); });
    }
    const Bits gap = poison_bits(gap_poison(elements_.probe.poison), type_);
    if (elements_.request.strides && elements_.probe.ask != Probe::Ask::sent) {
      add_where("holds what lies between the elements of the data", 0.012,
                [=](Bits, Bits came) { return came == gap; });
    }
    const bool in_one =
        elements_.probe.one_allocation || elements_.probe.ask == Probe::Ask::overlap;
    if (in_one) {
      add_where("holds what was there before", 0.01, [=](Bits, Bits came) { return came == gap; });
    }
    add_where("is 0", 0.02, [](Bits, Bits came) { return came == 0; });
    const Bits one = elements_.came_at(elements_.wrong.front());
    if (elements_.wrong.size() > 2) {
      add_where("holds the same value", 0.3, [=](Bits, Bits came) { return came == one; });
    }
  }

  void look_at_bits() {
    const int width = width_;
    if (width >= 16) {
      add_where("has its bytes in reverse order", 0.03,
                [=](Bits right, Bits came) { return came == bytes_reversed(right, width); });
    }
    // Of few bits it is chance.
    constexpr std::size_t kLeastBits = 16;
    if (elements_.wrong.size() * static_cast<std::size_t>(width) >= kLeastBits) {
      add_where("has all its bits inverted", 0.03,
                [=](Bits right, Bits came) { return came == (~right & low_bits(width)); });
    }
    Bits mask = 0;
    for (const std::int64_t at : elements_.wrong) {
      mask |= elements_.right_at(at) ^ elements_.came_at(at);
    }
    const Bits low = low_bits(width / 2);
    // Of one short element a half is right by chance.
    constexpr std::size_t kTelling = 16;  // bits
    const std::size_t bits_there = elements_.wrong.size() * static_cast<std::size_t>(width);
    if (bits_there < kTelling) {
      // Nothing is told of its bits.
    } else if (mask == Bits{1} << (width - 1)) {
      facts_.push_back({"is wrong in its highest bit only", 0.04});
    } else if (mask == 1) {
      facts_.push_back({"is wrong in its lowest bit only", 0.04});
    } else if (bits_there < 2 * kTelling) {
      // Nor of its halves.
    } else if ((mask & ~low) == 0) {
      facts_.push_back({"is wrong in its lower half only", 0.2});
    } else if ((mask & low) == 0) {
      facts_.push_back({"is wrong in its upper half only", 0.2});
    }
    if (is_float(type_)) look_at_floats();
  }

  void look_at_floats() {
    const Bits sign = Bits{1} << (width_ - 1);
    add_where("is a 0 of the right sign", 0.03,
              [=](Bits right, Bits came) { return came == (right & sign) && came != right; });
    const std::optional<FloatForm> form = float_form(type_);
    if (!form) return;
    add_where("is the quiet NaN of the right one", 0.03, [&](Bits right, Bits came) {
      return form->is_nan(right) && came == (right | form->quiet_bit());
    });
    look_at_classes(*form);
  }

  // What the values became that arithmetic does not preserve, by class of value.
  void look_at_classes(const FloatForm& form) {
    const Bits sign = form.sign();
    const Bits default_nan = form.exponents() << form.fraction | form.quiet_bit();
    bool flushed = false, without_sign = false, quieted = false, without_payload = false;
    for (const std::int64_t at : elements_.wrong) {
      const Bits right = elements_.right_at(at), came = elements_.came_at(at);
      if (form.is_denormal(right) && came == (right & sign)) {
        flushed = true;
      } else if (right == sign && came == 0) {
        without_sign = true;
      } else if (form.is_nan(right) && came == (right | form.quiet_bit())) {
        quieted = true;
      } else if (form.is_nan(right) && (came & ~sign) == default_nan) {
        without_payload = true;
      } else {
        return;
      }
    }
    std::string says;
    const auto add = [&](bool seen, const char* words) {
      if (seen) says += (says.empty() ? "is " : ", ") + std::string(words);
    };
    add(flushed, "0 where a denormal belongs");
    add(without_sign, "0 where -0 belongs");
    add(quieted, "a NaN made quiet where a signalling one belongs");
    add(without_payload, "the NaN without a payload where one with a payload belongs");
    if (flushed || without_sign || without_payload) facts_.push_back({says, 0.015});
    // Also added, since among several failures some may hold values of one class only.
    if (!without_sign && !without_payload) {
      facts_.push_back({"is what arithmetic that flushes denormals and quiets NaNs leaves",
                        flushed ? 0.018 : 0.031});
    } else if (!flushed && !without_sign) {
      facts_.push_back({"is a quiet NaN where another NaN belongs", 0.018});
    }
  }

  void look_at_ways() {
    const ElementType type = type_;
    add_where("is what is left of it by way of f32", 0.05,
              [=](Bits right, Bits came) { return by_way_of_f32(right, type) == came; });
    add_where("is what is left of it by way of f64", 0.05,
              [=](Bits right, Bits came) { return by_way_of_f64(right, type) == came; });
    const int width = width_;
    if (!is_integer(type) || width < 16) return;
    for (const int half : {width / 2, width / 4}) {
      if (half < 8) continue;
      const std::string says = "is what its lowest " + std::to_string(half) + " bits are";
      add_where(says + ", with a sign", 0.05,
                [=](Bits right, Bits came) { return came == sign_extended(right, half, width); });
      add_where(says + ", without a sign", 0.05,
                [=](Bits right, Bits came) { return came == (right & low_bits(half)); });
    }
  }

  const ComparedElements& elements_;
  const ElementType type_;
  const int width_;
  std::vector<ElementFact> facts_;
};

}  // namespace

std::vector<ElementFact> facts_about_values(const ComparedElements& elements) {
  return Values(elements).all();
}

}  // namespace reshape::conformance
