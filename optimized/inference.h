#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/abi/reshape_plugin.h"
#include "optimized/resolve.h"
#include "optimized/sentence.h"
#include "reference/tensor/dialect.h"
#include "reference/tensor/element_type.h"

namespace reshape::optimized {

// Uninitialized values for the sizes of one tensor: up to 12 in place, more on the heap. of() may
// be called again, which invalidates earlier spans.
template <typename Value>
class Room {
 public:
  std::span<Value> of(std::size_t count) {
    if (count <= few_.size()) [[likely]]
      return std::span<Value>(few_).first(count);
    return more(count);
  }

 private:
  [[gnu::noinline]] std::span<Value> more(std::size_t count) {
    many_.resize(count);
    return many_;
  }

  std::array<Value, 12> few_;
  std::vector<Value> many_;
};

inline std::span<const std::int64_t> sizes_of(const DLTensor& tensor) {
  return {tensor.shape, static_cast<std::size_t>(tensor.ndim)};
}

inline bool on_cpu(const DLTensor& tensor) { return tensor.device.device_type == kDLCPU; }

inline std::byte* start_of(const DLTensor& tensor) {
  // A null pointer (empty tensors) stays null: nothing is added to it.
  return tensor.data == nullptr ? nullptr
                                : static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
}

// Like element_type_of(), by a table lookup; false where there is no such type.
bool read_type(DLDataType dtype, ElementType& type);

// Reads one request from the contract's structs and resolves it. Owns only the output sizes; the
// request must outlive it. Every status but RESHAPE_OK leaves a sentence in `why`.
class Inference {
 public:
  explicit Inference(Sentence& why) : why_(why) {}
  Inference(const Inference&) = delete;

  // Resolves the request: afterwards `sizes` are those of the output, if the status is RESHAPE_OK.
  reshape_status infer(const reshape_request& request);
  // The same, and refuses an `output` of another type or shape than the request produces.
  reshape_status infer_for(const reshape_request& request, const DLTensor& output);

  std::span<const std::int64_t> sizes() const { return sizes_; }
  ElementType type() const { return type_; }

  // Appends the words to the sentence and returns the status. Kept out of the way of calls that
  // succeed.
  [[gnu::noinline, gnu::cold]]
  reshape_status say(reshape_status status, std::initializer_list<std::string_view> words) {
    for (const std::string_view some : words) why_.append(some);
    return status;
  }

 private:
  reshape_status answer(const reshape_request& request);
  reshape_status find_dialect(const char* asked, const Dialect*& dialect);
  // For requests that produces_plainly() does not answer: unusual ones, and those that are refused.
  reshape_status answer_slowly(const reshape_request& request, const Dialect& dialect,
                               ElementType pattern_type);
  template <typename Value>
  reshape_status ask(const Dialect& dialect, const Asked<Value>& asked);
  reshape_status refuse_flag(int special_zero);
  reshape_status refuse_output(std::span<const std::int64_t> sizes);

  Sentence& why_;
  ElementType type_ = ElementType::f32;
  Room<std::int64_t> sizes_room_;
  std::span<std::int64_t> sizes_;
};

}  // namespace reshape::optimized
