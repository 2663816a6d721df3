#include "optimized/inference.h"

#include <atomic>
#include <cstring>
#include <type_traits>

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

bool is_i64(DLDataType dtype) {
  return dtype.code == kDLInt && dtype.bits == 64 && dtype.lanes == 1;
}

// Lists of sizes are short: a call of memcmp or memcpy takes longer than this loop.
bool same_sizes(std::span<const std::int64_t> one, std::span<const std::int64_t> other) {
  if (one.size() != other.size()) return false;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i] != other[i]) return false;
  }
  return true;
}

// The element types by the code and the bits of their dtypes, as dl_type_of says them; kNone
// elsewhere.
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

// The dialect of the last request; null until the process's setting is known to be without fault.
constinit std::atomic<const Dialect*> last_dialect = nullptr;

// The dialect of the last request if it has this name; else null.
const Dialect* dialect_asked_again(const char* name) {
  const Dialect* guess = last_dialect.load(std::memory_order_relaxed);
  return is_declared(guess) && std::strcmp(guess->name.c_str(), name) == 0 ? guess : nullptr;
}

// Whether the values of a pattern can be read where they lie.
bool in_place(const DLTensor& pattern, ElementType type) {
  return type == ElementType::i64 &&
         reinterpret_cast<std::uintptr_t>(start_of(pattern)) % alignof(std::int64_t) == 0;
}

const std::int64_t* values_of(const DLTensor& pattern) {
  return reinterpret_cast<const std::int64_t*>(start_of(pattern));
}

// Precondition: it is one of RESHAPE_FLAG_*.
std::optional<bool> flag_of(const reshape_request& request) {
  if (request.special_zero == RESHAPE_FLAG_MISSING) return std::nullopt;
  return request.special_zero == RESHAPE_FLAG_TRUE;
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

bool read_type(DLDataType dtype, ElementType& type) {
  if (dtype.code >= kCodes || dtype.bits > kMostBits || dtype.lanes != 1) return false;
  const std::uint8_t known = kTypes[dtype.code][dtype.bits];
  type = static_cast<ElementType>(known);
  return known != kNone;
}

[[gnu::noinline]] reshape_status Inference::refuse_flag(int special_zero) {
  why_.append("special_zero is ");
  append_number(why_, special_zero);
  return say(RESHAPE_REJECTED, {", which is neither true nor false nor missing"});
}

template <typename Value>
reshape_status Inference::ask(const Dialect& dialect, const Asked<Value>& asked) {
  // For int64_t values (read in place) the caller has already tried produces_plainly().
  constexpr bool kPlainlyAsked = std::is_same_v<Value, std::int64_t>;
  const Resolved answer = kPlainlyAsked ? resolve_by_every_rule(dialect, asked, sizes_)
                                        : resolve(dialect, asked, sizes_);
  if (answer.gives_shape()) return RESHAPE_OK;
  append_refusal(why_, answer, asked.data, asked.pattern_type, asked.pattern);
  return RESHAPE_REJECTED;
}

[[gnu::noinline]] reshape_status Inference::answer_slowly(const reshape_request& request,
                                                          const Dialect& dialect,
                                                          ElementType pattern_type) {
  const DLTensor& pattern = *request.pattern;
  const auto asked_with = [&]<typename Value>(std::span<const Value> values) {
    return Asked<Value>{type_,        sizes_of(*request.data), pattern_type, values,
                        pattern.ndim, flag_of(request)};
  };
  if (in_place(pattern, pattern_type)) {
    return ask(dialect,
               asked_with(std::span<const std::int64_t>(values_of(pattern), sizes_.size())));
  }
  Room<PatternValue> room;
  const std::span<PatternValue> values = room.of(sizes_.size());
  read_values(pattern, pattern_type, values);
  return ask(dialect, asked_with(std::span<const PatternValue>(values)));
}

[[gnu::noinline]] reshape_status Inference::find_dialect(const char* asked,
                                                         const Dialect*& dialect) {
  if (!setting().fault.empty()) return say(RESHAPE_FAILED, {setting().fault});
  dialect = declared_dialect(asked);
  if (dialect == nullptr) {
    return say(RESHAPE_UNSUPPORTED, {"no dialect is called '", asked, "'"});
  }
  last_dialect.store(dialect, std::memory_order_relaxed);
  return RESHAPE_OK;
}

[[gnu::always_inline]] inline reshape_status Inference::answer(const reshape_request& request) {
  if (request.struct_size < sizeof(reshape_request)) [[unlikely]] {
    return say(RESHAPE_UNSUPPORTED, {"the request is of an older version of the contract"});
  }
  const Dialect* dialect = dialect_asked_again(request.dialect);
  if (dialect == nullptr) [[unlikely]] {
    if (const auto status = find_dialect(request.dialect, dialect); status != RESHAPE_OK) {
      return status;
    }
  }
  const DLTensor& data = *request.data;
  const DLTensor& pattern = *request.pattern;
  if (!read_type(data.dtype, type_)) [[unlikely]] {
    return say(RESHAPE_REJECTED,
               {"data.type: no element type of the contract has the dtype of data"});
  }
  ElementType pattern_type = ElementType::i64;
  if (!is_i64(pattern.dtype) && !read_type(pattern.dtype, pattern_type)) [[unlikely]] {
    return say(RESHAPE_REJECTED,
               {"pattern.type: no element type of the contract has the dtype of the pattern"});
  }
  if (has_negative_size(data)) [[unlikely]]
    return say(RESHAPE_REJECTED, {"the data has a size below 0"});
  std::size_t count = 1;
  std::int64_t signs = 0;
  for (const std::int64_t size : sizes_of(pattern)) {
    count *= static_cast<std::size_t>(size);
    signs |= size;
  }
  if (signs < 0) [[unlikely]]
    return say(RESHAPE_REJECTED, {"the pattern has a size below 0"});
  if (!on_cpu(pattern)) [[unlikely]]
    return say(RESHAPE_UNSUPPORTED, {"the pattern is not on the CPU"});
  if (request.special_zero < RESHAPE_FLAG_MISSING || request.special_zero > RESHAPE_FLAG_TRUE)
      [[unlikely]] {
    return refuse_flag(request.special_zero);
  }

  // No dialect reads the values of a pattern that is not of integers: its type alone is refused.
  if (pattern_type != ElementType::i64 && !is_integer(pattern_type)) count = 0;
  const std::span<std::int64_t> sizes = sizes_room_.of(count);
  sizes_ = sizes;
  if (in_place(pattern, pattern_type)) [[likely]] {
    const Asked<std::int64_t> asked{type_,        sizes_of(data),
                                    pattern_type, {values_of(pattern), sizes.size()},
                                    pattern.ndim, flag_of(request)};
    if (produces_plainly(*dialect, asked, sizes)) [[likely]]
      return RESHAPE_OK;
  }
  return answer_slowly(request, *dialect, pattern_type);
}

reshape_status Inference::infer(const reshape_request& request) { return answer(request); }

[[gnu::noinline]] reshape_status Inference::refuse_output(std::span<const std::int64_t> sizes) {
  why_.append("output.shape: the output is ");
  append_list(why_, sizes);
  why_.append(", but the request produces ");
  append_list(why_, std::span<const std::int64_t>(sizes_));
  return RESHAPE_REJECTED;
}

reshape_status Inference::infer_for(const reshape_request& request, const DLTensor& output) {
  if (const reshape_status status = answer(request); status != RESHAPE_OK) return status;
  // clause: output.shape
  if (!same_sizes(sizes_of(output), sizes_)) return refuse_output(sizes_of(output));
  if (!on_cpu(*request.data)) [[unlikely]] {
    return say(RESHAPE_UNSUPPORTED, {"the data is not on the CPU"});
  }
  return RESHAPE_OK;
}

}  // namespace reshape::optimized
