#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/tensor/element_type.h"
#include "reference/tensor/layout.h"
#include "reference/tensor/shape.h"
#include "reference/tensor/shape_pattern.h"

namespace reshape::conformance {

// The most axes of a tensor, and the most values of a pattern, that can be asked.
inline constexpr std::size_t kMostSizes = 65536;

// The words of a request's one-line form, each of them key=value, beside the flag of its dialect.
inline constexpr std::array<std::string_view, 9> kRequestWords = {
    "pattern_shape", "strides",  "offset",     "out_strides", "out_offset",
    "payload",       "elements", "shape_only", "in_place"};

// What the elements of the data hold; see payload.h.
enum class Payload : std::uint8_t { distinct, hard, zeros };

// One request to an implementation. YAML cases, generated requests, fuzz inputs, the host process
// and reproducers all use this struct; text/line.h has its one-line form.
struct Request {
  std::string dialect;  // "openvino-reshape-1"
  ElementType data_type = ElementType::f32;
  Shape data;
  ShapePattern pattern;
  std::optional<bool> special_zero;  // absent: not given

  // Layout of the data, in elements. Absent strides: dense row-major, passed as null strides.
  std::optional<Strides> strides;
  std::int64_t offset = 0;  // passed as byte_offset; even for 4-bit types

  // Layout of the output, in elements; as many strides as the output has axes.
  std::optional<Strides> out_strides;
  std::int64_t out_offset = 0;

  // Absent: every payload is tried in turn.
  std::optional<Payload> payload;

  // Bits of the elements in row-major order, where a case writes them out; then `payload` is
  // absent.
  std::optional<std::vector<std::uint64_t>> elements;

  // Only the shape is asked: nothing is allocated or executed, so sizes may be as large as 2^63-1.
  bool shape_only = false;

  // Execute with the output on top of the data (both dense). Needs the in-place capability.
  bool in_place = false;

  void make_data_dense() {
    strides.reset();
    offset = 0;
  }
  void make_output_dense() {
    out_strides.reset();
    out_offset = 0;
  }
  void make_dense() {
    make_data_dense();
    make_output_dense();
  }

  friend bool operator==(const Request&, const Request&) = default;
};

// The layout of the data; row-major where no strides are given. Precondition: the strides exist
// (see row_major_strides) and have the rank of the data.
Layout data_layout(const Request& request);

// Whether elements of an output of this shape share positions where the request lays it out: no answer
// is right then.
bool output_overlaps(const Request& request, const Shape& shape);

// Whether an output of this shape can be laid out as the request says: strides, if there are any,
// are as many as its axes, and no elements share positions.
bool output_fits(const Request& request, const Shape& shape);

// Bytes that the data's touched range takes; nothing when it cannot be expressed in 63 bits.
std::optional<std::int64_t> data_bytes(const Request& request);

}  // namespace reshape::conformance
