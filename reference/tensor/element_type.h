#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace reshape {

// The element types that the documents can name. The names printed are the documents' own
// short forms ("f8e4m3" is OpenVINO's f8e4m3, the finite "fn" form of the OCP 8-bit float).
enum class ElementType : std::uint8_t {
  f64,
  f32,
  f16,
  bf16,
  f8e4m3,
  f8e5m2,
  i64,
  i32,
  i16,
  i8,
  i4,
  u64,
  u32,
  u16,
  u8,
  u4,
  boolean,
};

inline constexpr std::array kAllElementTypes = {
    ElementType::f64,    ElementType::f32,    ElementType::f16, ElementType::bf16,
    ElementType::f8e4m3, ElementType::f8e5m2, ElementType::i64, ElementType::i32,
    ElementType::i16,    ElementType::i8,     ElementType::i4,  ElementType::u64,
    ElementType::u32,    ElementType::u16,    ElementType::u8,  ElementType::u4,
    ElementType::boolean};

// Width of one element in bits: 64, 32, 16, 8, or 4 (i4 and u4 are packed two in a byte, the
// element with the lower index in the low half). A boolean takes a byte.
constexpr int bits(ElementType type) {
  using enum ElementType;
  switch (type) {
    case f64:
    case i64:
    case u64: return 64;
    case f32:
    case i32:
    case u32: return 32;
    case f16:
    case bf16:
    case i16:
    case u16: return 16;
    case f8e4m3:
    case f8e5m2:
    case i8:
    case u8:
    case boolean: return 8;
    case i4:
    case u4: return 4;
  }
  return 0;
}

// Bytes that `count` consecutive elements take from the start of a buffer; an odd count of 4-bit
// elements is rounded up to whole bytes. 2^63-1 where it would be more, which no buffer has.
// Precondition: count >= 0.
std::int64_t bytes_for(ElementType type, std::int64_t count);

std::string_view name(ElementType type);
std::optional<ElementType> element_type_named(std::string_view name);

bool is_float(ElementType type);
bool is_integer(ElementType type);  // i* and u*, not boolean
bool is_signed_integer(ElementType type);
inline bool is_numeric(ElementType type) { return type != ElementType::boolean; }

// Smallest and largest value of an integer type. Precondition: is_integer(type).
__int128 lowest(ElementType type);
__int128 highest(ElementType type);

// A set of element types, a value. Its types are walked in the order of the enum.
class ElementTypes {
 public:
  class Iterator {
   public:
    using value_type = ElementType;
    using difference_type = std::ptrdiff_t;

    constexpr Iterator() = default;
    constexpr explicit Iterator(std::uint32_t left) : left_(left) {}
    constexpr ElementType operator*() const {
      return static_cast<ElementType>(std::countr_zero(left_));
    }
    constexpr Iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    constexpr Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    std::uint32_t left_ = 0;  // the types from this one on
  };

  constexpr ElementTypes() = default;
  constexpr ElementTypes(std::initializer_list<ElementType> types) {
    for (ElementType type : types) insert(type);
  }
  static constexpr ElementTypes from_mask(std::uint32_t mask) {
    ElementTypes types;
    types.mask_ = mask;
    return types;
  }
  static ElementTypes all();
  static ElementTypes integers();
  static ElementTypes numeric();

  constexpr bool contains(ElementType type) const { return (mask_ & bit(type)) != 0; }
  constexpr void insert(ElementType type) { mask_ |= bit(type); }
  constexpr bool empty() const { return mask_ == 0; }
  constexpr std::uint32_t mask() const { return mask_; }
  constexpr Iterator begin() const { return Iterator(mask_); }
  constexpr Iterator end() const { return Iterator(); }
  std::string text() const;  // "f32 f16 bf16"

  friend constexpr ElementTypes operator&(ElementTypes one, ElementTypes other) {
    return from_mask(one.mask_ & other.mask_);
  }
  friend constexpr ElementTypes operator|(ElementTypes one, ElementTypes other) {
    return from_mask(one.mask_ | other.mask_);
  }
  // The types of `all` that are not among `taken`.
  friend constexpr ElementTypes operator-(ElementTypes all, ElementTypes taken) {
    return from_mask(all.mask_ & ~taken.mask_);
  }
  friend bool operator==(const ElementTypes&, const ElementTypes&) = default;

 private:
  static constexpr std::uint32_t bit(ElementType type) {
    return std::uint32_t{1} << static_cast<unsigned>(type);
  }
  std::uint32_t mask_ = 0;
};

}  // namespace reshape
