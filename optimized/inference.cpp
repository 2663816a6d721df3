#include "optimized/inference.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>

#include "conformance/abi/dlpack_types.h"
#include "optimized/reshape.h"
#include "optimized/setting.h"
#include "reference/tensor/declared_dialects.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::optimized {
namespace {

bool has_negative_size(const DLTensor& tensor) {
  std::int64_t signs = 0;
  for (const std::int64_t size : sizes_of(tensor)) signs |= size;
  return signs < 0;
}

// Lists of sizes are short: a call to compare or to copy memory takes longer than to do it here.
bool same_sizes(std::span<const std::int64_t> one, std::span<const std::int64_t> other) {
  if (one.size() != other.size()) return false;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i] != other[i]) return false;
  }
  return true;
}

// The element types by the code and the bits of their dtypes, as dl_type_of says them; kNone elsewhere.
constexpr std::size_t kCodes = 16, kMostBits = 64;
constexpr std::uint8_t kNone = 0xFF;
const auto kTypes = [] {
  std::array<std::array<std::uint8_t, kMostBits + 1>, kCodes> types;
  for (auto& row : types) row.fill(kNone);
  for (const ElementType type : kAllElementTypes) {
    const DLDataType known = dl_type_of(type);
    types[known.code][known.bits] = static_cast<std::uint8_t>(type);
  }
  return types;
}();

// The dialect of that name; the one asked for last is looked at first.
const Dialect* dialect_named(const char* name) {
  static std::atomic<const Dialect*> last = nullptr;
  const std::span<const Dialect> declared = declared_dialects();
  const Dialect* guess = last.load(std::memory_order_relaxed);
  const bool is_declared = !std::less<>()(guess, declared.data()) &&
                           std::less<>()(guess, declared.data() + declared.size());
  if (is_declared && std::strcmp(guess->name.c_str(), name) == 0) return guess;
  const Dialect* found = declared_dialect(name);
  if (found != nullptr) last.store(found, std::memory_order_relaxed);
  return found;
}

// The values of a dense tensor of integers, for as many as there is room.
void read_values(const DLTensor& tensor, ElementType type, std::span<PatternValue> values) {
  const std::byte* start = start_of(tensor);
  const int unused = 64 - bits(type);
  for (std::size_t at = 0; at < values.size(); ++at) {
    const std::uint64_t element = load_element(type, start, static_cast<std::int64_t>(at));
    if (is_signed_integer(type)) {
      values[at] = static_cast<std::int64_t>(element << unused) >> unused;
    } else {
      values[at] = element;
    }
  }
}

}  // namespace

std::optional<ElementType> type_of(DLDataType dtype) {
  if (dtype.code >= kCodes || dtype.bits > kMostBits || dtype.lanes != 1) return std::nullopt;
  const std::uint8_t type = kTypes[dtype.code][dtype.bits];
  if (type == kNone) return std::nullopt;
  return static_cast<ElementType>(type);
}

reshape_status Inference::read(const reshape_request& request) {
  data_ = request.data;
  pattern_ = request.pattern;
  const auto type = type_of(data_->dtype);
  if (!type) {
    return say(RESHAPE_REJECTED,
               {"data.type: no element type of the contract has the dtype of data"});
  }
  type_ = *type;
  const auto pattern_type = type_of(pattern_->dtype);
  if (!pattern_type) {
    return say(RESHAPE_REJECTED,
               {"pattern.type: no element type of the contract has the dtype of the pattern"});
  }
  pattern_type_ = *pattern_type;
  if (has_negative_size(*data_)) return say(RESHAPE_REJECTED, {"the data has a size below 0"});
  if (has_negative_size(*pattern_))
    return say(RESHAPE_REJECTED, {"the pattern has a size below 0"});
  if (!on_cpu(*pattern_)) return say(RESHAPE_UNSUPPORTED, {"the pattern is not on the CPU"});

  switch (request.special_zero) {
    case RESHAPE_FLAG_MISSING: break;
    case RESHAPE_FLAG_FALSE: special_zero_ = false; break;
    case RESHAPE_FLAG_TRUE: special_zero_ = true; break;
    default:
      why_.append("special_zero is ");
      append_number(why_, request.special_zero);
      return say(RESHAPE_REJECTED, {", which is neither true nor false nor missing"});
  }
  // No dialect reads the values of a pattern that is not of integers: its type alone is refused.
  if (is_integer(pattern_type_)) {
    std::int64_t count = 1;
    for (const std::int64_t size : sizes_of(*pattern_)) count *= size;
    pattern_count_ = static_cast<std::size_t>(count);
  }
  sizes_ = sizes_room_.of(pattern_count_);
  return RESHAPE_OK;
}

template <typename Value>
reshape_status Inference::resolve_values(const Dialect& dialect, std::span<const Value> values) {
  const Resolved answer = resolve(
      dialect,
      Asked<Value>{type_, sizes_of(*data_), pattern_type_, values, pattern_->ndim, special_zero_},
      sizes_);
  if (answer.gives_shape()) return RESHAPE_OK;
  append_refusal(why_, answer, sizes_of(*data_), pattern_type_, values);
  return RESHAPE_REJECTED;
}

reshape_status Inference::infer(const reshape_request& request) {
  if (!setting().fault.empty()) return say(RESHAPE_FAILED, {setting().fault});
  if (request.struct_size < sizeof(reshape_request)) {
    return say(RESHAPE_UNSUPPORTED, {"the request is of an older version of the contract"});
  }
  const Dialect* dialect = dialect_named(request.dialect);
  if (dialect == nullptr) {
    return say(RESHAPE_UNSUPPORTED, {"no dialect is called '", request.dialect, "'"});
  }
  if (const reshape_status status = read(request); status != RESHAPE_OK) return status;

  const std::byte* start = start_of(*pattern_);
  if (pattern_type_ == ElementType::i64 &&
      reinterpret_cast<std::uintptr_t>(start) % alignof(std::int64_t) == 0) {
    return resolve_values<std::int64_t>(
        *dialect, {reinterpret_cast<const std::int64_t*>(start), pattern_count_});
  }
  const std::span<PatternValue> values = pattern_room_.of(pattern_count_);
  read_values(*pattern_, pattern_type_, values);
  return resolve_values<PatternValue>(*dialect, values);
}

reshape_status Inference::infer_for(const reshape_request& request, const DLTensor& output) {
  if (const reshape_status status = infer(request); status != RESHAPE_OK) return status;
  // clause: output.shape
  if (!same_sizes(sizes_of(output), sizes_)) {
    why_.append("output.shape: the output is ");
    append_list(why_, sizes_of(output));
    why_.append(", but the request produces ");
    append_list(why_, sizes());
    return RESHAPE_REJECTED;
  }
  if (!on_cpu(*request.data)) return say(RESHAPE_UNSUPPORTED, {"the data is not on the CPU"});
  return RESHAPE_OK;
}

}  // namespace reshape::optimized
