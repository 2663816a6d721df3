#pragma once

#include <openvino/openvino.hpp>

// One of the ways in which OpenVINO answers a Reshape. Each is code of its own and gets a library of its
// own: plugin.cpp translates the C contract, and one file beside it defines what stands here.
namespace openvino_way {

// A request in OpenVINO's words. The pattern's memory is the caller's and lives as long as the call.
struct Question {
  ov::element::Type data_type;
  ov::Shape data;
  ov::element::Type pattern_type;
  ov::Shape pattern_shape;
  const void* pattern = nullptr;
  bool special_zero = false;
};

extern const char* const kName;
extern const bool kHasRun;         // false: only shapes are inferred
extern const bool kStartsThreads;  // that outlive a call
extern const int kMaxRank;         // 0: any

// What a way that runs has memory for, of the widest type.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 25;

// All but those of 4 bits: OpenVINO reads each of their values as a byte (deviations/four_bit_pattern.py), so
// that every answer is wrong in the same way, and depends on what lies behind the pattern.
inline constexpr const char* kPatternTypes = "i64 i32 i16 i8 u64 u32 u16 u8";

// The shape of the output, from the sizes and the pattern alone. What OpenVINO refuses it throws.
ov::PartialShape infer(const Question& question);

// Writes the elements into `output`, which has the shape that the caller wants. Throws likewise.
void run(const Question& question, const ov::Tensor& data, const ov::Tensor& output);

// Whether this says that memory could not be had; OpenVINO throws an exception of its own for it.
bool of_no_memory(const std::exception& thrown);

// For a way that finds a shape only by running: data of zeros, as far as that is worth having, and an
// output that takes any shape. Both have room behind them. A wrong shape is then read and written with no
// harm to the requests after it; what OpenVINO does beyond its tensors shows in execute. zeros throws
// std::bad_alloc where it is not worth having.
bool worth_having(const ov::element::Type& type, const ov::Shape& shape);
ov::Tensor zeros(const ov::element::Type& type, const ov::Shape& shape);
ov::Tensor output_with_room(const ov::Tensor& data, const ov::Shape& shape);

}  // namespace openvino_way
