#pragma once

#include <reshape_plugin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

// Helpers for the contract's structures, shared by the adapters in C++.
namespace contract {

// Fills in the message, cut to its room, and returns the status.
inline reshape_status answer(reshape_status status, std::string_view sentence,
                             reshape_message* why) {
  const std::size_t length = std::min(sentence.size(), sizeof why->text - 1);
  std::memcpy(why->text, sentence.data(), length);
  why->text[length] = '\0';
  return status;
}

// The address of the first element; null where the tensor has no memory.
inline void* start_of(const DLTensor& tensor) {
  return tensor.data == nullptr ? nullptr : static_cast<char*>(tensor.data) + tensor.byte_offset;
}

// Copies those bytes to `to` in which `now` differs from `before`: what a call has written to memory
// that stands for `to`. The others may be written by somebody else meanwhile.
inline void copy_changes(const char* before, const char* now, std::size_t bytes, void* to) {
  for (std::size_t at = 0; at < bytes; ++at) {
    if (now[at] != before[at]) static_cast<char*>(to)[at] = now[at];
  }
}

// Whether the tensor is contiguous in row-major order. The stride of an axis of size 1 is ignored.
inline bool dense(const DLTensor& tensor) {
  if (tensor.strides == nullptr) return true;
  if (std::count(tensor.shape, tensor.shape + tensor.ndim, 0) > 0) return true;
  std::int64_t step = 1;
  for (int axis = tensor.ndim - 1; axis >= 0; step *= tensor.shape[axis--]) {
    if (tensor.shape[axis] != 1 && tensor.strides[axis] != step) return false;
  }
  return true;
}

}  // namespace contract
