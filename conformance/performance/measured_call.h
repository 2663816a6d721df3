#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/abi/reshape_plugin.h"
#include "conformance/performance/workload.h"

namespace reshape::conformance::performance {

// Memory that begins `shift` bytes behind the start of a page (of a huge page where it does not fit
// into few small ones and the system gives it).
class PlacedMemory {
 public:
  PlacedMemory(std::size_t bytes, std::size_t shift);
  ~PlacedMemory();
  PlacedMemory(const PlacedMemory&) = delete;
  PlacedMemory& operator=(const PlacedMemory&) = delete;
  std::byte* data() const { return data_; }  // null: there is no memory
  std::size_t bytes() const { return bytes_; }

 private:
  void* all_ = nullptr;
  std::size_t mapped_ = 0;
  std::size_t bytes_ = 0;
  std::byte* data_ = nullptr;
};

// Why a workload can be timed on no library: its tensors are too large to be placed, or it executes
// and has no elements. Nothing where it can.
std::optional<std::string> why_not_placed(const Workload& workload);

// One workload with its buffers, ready to be called many times. Between calls its result is undone
// in some places, so that still_right() detects a call that does nothing or reuses an old result.
class MeasuredCall {
 public:
  // `placement` decides where the buffers begin and which places are checked; compared arms get the
  // same. The error says what was wrong with the call, or which resource was missing.
  static Result<std::unique_ptr<MeasuredCall>> prepare(const reshape_plugin& table,
                                                       std::int64_t alignment,
                                                       const Workload& workload,
                                                       std::uint64_t placement);

  // The call and nothing else.
  reshape_status run();

  // Undoes the result in some places, the same each time (all of it where the result is no copy).
  void spoil();
  // Whether what spoil() undid is right again.
  bool still_right() const;
  // Whether every element of the output, the shape, or the view is right. Reads everything.
  bool right_everywhere() const;

  const PlacedMemory& data() const { return data_; }
  const PlacedMemory& output() const { return output_; }

 private:
  MeasuredCall(const reshape_plugin& table, const Workload& workload, std::size_t data_bytes,
               std::size_t output_bytes, std::size_t data_shift, std::size_t output_shift);
  bool view_right() const;
  std::uint64_t expected_at(std::size_t place) const;

  struct Place {
    std::int64_t from = 0;  // positions of the same element in the data and in the output
    std::int64_t to = 0;
  };

  const reshape_plugin& table_;
  Workload workload_;
  PlacedMemory data_;
  PlacedMemory output_;
  Layout data_layout_;
  Layout output_layout_;
  std::int64_t data_base_ = 0;  // bytes from the buffer's start that positions count from
  std::int64_t output_base_ = 0;
  std::vector<std::int64_t> data_shape_, data_strides_, pattern_shape_, output_shape_,
      output_strides_, received_;
  std::vector<std::byte> pattern_;
  DLTensor data_tensor_{}, pattern_tensor_{}, output_tensor_{};
  reshape_request request_{};
  reshape_shape shape_{};
  reshape_message message_{};
  std::vector<Place> places_;
};

}  // namespace reshape::conformance::performance
