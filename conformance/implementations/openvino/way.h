#pragma once

#include <openvino/openvino.hpp>

// One of the ways in which OpenVINO executes a Reshape. Each way is a library of its own:
// plugin.cpp, which translates the C contract, and one file that defines what is declared here.
namespace openvino_way {

// A request in OpenVINO's types. The pattern's memory is the caller's, and valid during the call.
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
extern const bool kStrided;        // ov::Tensor gets the strides; false: dense tensors only
extern const bool kStartsThreads;  // threads that outlive a call
extern const int kMaxRank;         // 0: any

// The size limit of an allocated tensor: this many elements of the widest type (8 bytes).
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 25;

// All but the 4-bit types: OpenVINO reads each of their values as a byte
// (deviations/four_bit_pattern.py), so every answer would be wrong in the same way, and would
// depend on the memory behind the pattern.
inline constexpr const char* kPatternTypes = "i64 i32 i16 i8 u64 u32 u16 u8";

// The shape of the output, from the sizes and the pattern alone. Throws OpenVINO's exception where
// OpenVINO refuses the request.
ov::PartialShape infer(const Question& question);

// Writes the elements into `output`, which has the shape that the caller wants. Throws likewise.
void run(const Question& question, const ov::Tensor& data, const ov::Tensor& output);

// Whether the exception means that memory ran out, for which OpenVINO also has one of its own.
bool of_no_memory(const std::exception& thrown);

// For a way that finds a shape only by running: data of zeros, if it is not too large
// (worth_having), and an output that takes any shape. Both have spare memory behind them, so that
// accesses of a wrong shape do not harm later requests; in execute() such accesses are detected.
// zeros() throws std::bad_alloc where the data is too large.
bool worth_having(const ov::element::Type& type, const ov::Shape& shape);
ov::Tensor zeros(const ov::element::Type& type, const ov::Shape& shape);
ov::Tensor output_with_room(const ov::Tensor& data, const ov::Shape& shape);

}  // namespace openvino_way
