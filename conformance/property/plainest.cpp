#include <array>
#include <cstdint>
#include <string_view>

#include "conformance/property/patterns.h"

namespace reshape::conformance {
namespace {

// One small request for each class, for a dialect whose flag decides about zeros.
struct Plain {
  std::string_view clause;
  Shape data;
  std::vector<PatternValue> values;
  std::optional<bool> special_zero;
  bool shape_only = false;
};

const std::vector<Plain>& plain_requests() {
  constexpr std::int64_t kLarge = std::int64_t{1} << 50;
  static const std::vector<Plain> kPlain = {
      {"", {2, 3}, {3, 2}, false},
      {"data.type", {2, 3}, {3, 2}, false},
      {"data.type-open", {2, 3}, {3, 2}, false},
      {"special-zero.required", {2, 3}, {3, 2}, std::nullopt},
      {"pattern.type", {2, 3}, {3, 2}, false},
      {"pattern.one-dimensional", {2, 3}, {3, 2}, false},
      {"pattern.values", {6}, {-2, 3}, false},
      {"minus-one.not-a-value", {6}, {-1, 3}, false},
      {"minus-one.once", {6}, {-1, -1}, false},
      {"zero.past-rank", {6}, {6, 0}, true},
      {"size.representable", {kLarge, kLarge}, {-1}, false, true},
      {"zero.with-minus-one", {0, 3}, {0, -1}, false},
      {"minus-one.beside-copied-zero", {0, 3}, {0, -1}, true},
      {"minus-one.divides", {2, 3}, {4, -1}, false},
      {"volume.kept", {2, 3}, {4, 2}, false},
      {"volume.beyond-int64", {kLarge, kLarge}, {kLarge / 2, 2, kLarge}, false, true},
      {"pattern.empty", {1}, {}, false},
      {"data.scalar", {}, {1}, false},
  };
  return kPlain;
}

}  // namespace

Request plainest(const Dialect& dialect, const Aim& aim) {
  Request request;
  request.dialect = dialect.name;
  request.data_type = preferred_type(dialect.data_types, {ElementType::f32}, ElementType::f32);
  request.pattern.type =
      preferred_type(dialect.pattern_types, {ElementType::i64}, ElementType::i64);
  for (const Plain& plain : plain_requests()) {
    if (plain.clause != aim.clause) continue;
    request.data = plain.data;
    request.pattern.values = plain.values;
    request.shape_only = plain.shape_only;
    if (dialect.zero == ZeroRule::by_flag) request.special_zero = plain.special_zero;
  }
  if (aim.clause == "data.type") {
    request.data_type =
        preferred_type(ElementTypes::all() - dialect.known_data_types(), {}, request.data_type);
  } else if (aim.clause == "data.type-open") {
    request.data_type = preferred_type(dialect.data_types_unspecified, {}, request.data_type);
  } else if (aim.clause == "pattern.type") {
    request.pattern.type =
        preferred_type(ElementTypes::all() - dialect.pattern_types, {}, request.pattern.type);
  } else if (aim.clause == "pattern.one-dimensional") {
    request.pattern.tensor_shape = Shape{1, 2};
  } else if (aim.clause == "size.representable" && dialect.minus_one == MinusOne::rejects) {
    request.pattern.type = ElementType::u64;
    request.pattern.values = {PatternValue{1} << 63};
  } else if (aim.clause == "size.representable" &&
             !dialect.pattern_types.contains(ElementType::i64)) {
    // The -1 alone asks for 2^100, which needs no wide pattern type.
    request.pattern.values = {-1};
  } else if (aim.clause == "volume.beyond-int64" &&
             !dialect.pattern_types.contains(ElementType::i64)) {
    constexpr std::int64_t kEnd = std::int64_t{1} << 30;
    request.data = Shape{kEnd, kEnd, kEnd};
    request.pattern.values = {kEnd, kEnd, kEnd / 2, 2};
  }
  return request;
}

}  // namespace reshape::conformance
