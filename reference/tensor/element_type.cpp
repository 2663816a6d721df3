#include "reference/tensor/element_type.h"

#include <algorithm>
#include <limits>

namespace reshape {
namespace {

struct Row {
  ElementType type;
  std::string_view name;
  enum Kind { kFloat, kSigned, kUnsigned, kBoolean } kind;
};

// In the order of the enum, so that a type is the index of its row.
constexpr std::array<Row, kAllElementTypes.size()> kRows = {{
    {ElementType::f64, "f64", Row::kFloat},
    {ElementType::f32, "f32", Row::kFloat},
    {ElementType::f16, "f16", Row::kFloat},
    {ElementType::bf16, "bf16", Row::kFloat},
    {ElementType::f8e4m3, "f8e4m3", Row::kFloat},
    {ElementType::f8e5m2, "f8e5m2", Row::kFloat},
    {ElementType::i64, "i64", Row::kSigned},
    {ElementType::i32, "i32", Row::kSigned},
    {ElementType::i16, "i16", Row::kSigned},
    {ElementType::i8, "i8", Row::kSigned},
    {ElementType::i4, "i4", Row::kSigned},
    {ElementType::u64, "u64", Row::kUnsigned},
    {ElementType::u32, "u32", Row::kUnsigned},
    {ElementType::u16, "u16", Row::kUnsigned},
    {ElementType::u8, "u8", Row::kUnsigned},
    {ElementType::u4, "u4", Row::kUnsigned},
    {ElementType::boolean, "boolean", Row::kBoolean},
}};

constexpr bool rows_follow_the_enum() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<std::size_t>(kRows[i].type) != i || kAllElementTypes[i] != kRows[i].type) {
      return false;
    }
  }
  return true;
}
static_assert(rows_follow_the_enum());

const Row& row(ElementType type) { return kRows[static_cast<std::size_t>(type)]; }

template <typename Predicate>
ElementTypes those(Predicate predicate) {
  ElementTypes types;
  for (ElementType type : kAllElementTypes) {
    if (predicate(type)) types.insert(type);
  }
  return types;
}

}  // namespace

std::int64_t bytes_for(ElementType type, std::int64_t count) {
  const int width = bits(type);
  if (width < 8) return count / 2 + count % 2;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return count > kMost / (width / 8) ? kMost : count * (width / 8);
}

std::string_view name(ElementType type) { return row(type).name; }

std::optional<ElementType> element_type_named(std::string_view name) {
  const auto found = std::ranges::find(kRows, name, &Row::name);
  return found == kRows.end() ? std::nullopt : std::optional(found->type);
}

bool is_float(ElementType type) { return row(type).kind == Row::kFloat; }
bool is_signed_integer(ElementType type) { return row(type).kind == Row::kSigned; }
bool is_integer(ElementType type) {
  return row(type).kind == Row::kSigned || row(type).kind == Row::kUnsigned;
}

__int128 lowest(ElementType type) {
  return is_signed_integer(type) ? -(__int128{1} << (bits(type) - 1)) : 0;
}

__int128 highest(ElementType type) {
  return (__int128{1} << (bits(type) - (is_signed_integer(type) ? 1 : 0))) - 1;
}

ElementTypes ElementTypes::all() {
  return those([](ElementType) { return true; });
}
ElementTypes ElementTypes::integers() { return those(is_integer); }
ElementTypes ElementTypes::numeric() { return those(is_numeric); }

std::string ElementTypes::text() const {
  std::string words;
  for (const ElementType type : *this) {
    if (!words.empty()) words += ' ';
    words += name(type);
  }
  return words;
}

}  // namespace reshape
