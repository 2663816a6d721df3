#pragma once

#include <span>
#include <string>
#include <string_view>

#include "conformance/model/request.h"
#include "reference/tensor/dialect.h"
#include "reference/tensor/result.h"
#include "reference/tensor/ruling.h"

namespace reshape::conformance {

// The one-line form of a Request:
//
//   openvino-reshape-1 f32[2,5,5,24] i64[0,-1,4] special_zero=true
//
// dialect, data (type and sizes), pattern (type and values), then key=value words in this order:
// the flag that says what a 0 means, pattern_shape=[..], strides=[..], offset=N, out_strides=[..],
// out_offset=N, payload=distinct|hard|zeros, elements=[..], shape_only=true, in_place=true. The
// flag is written as its dialect writes it (special_zero=true|false, allowzero=0|1), and as
// special_zero where the dialect has none or is not declared. Absent words mean the defaults of
// Request. Elements are integers for integer types and booleans (0, 1), and bit patterns in
// hexadecimal (0x3f800000) for floats; both are read for every type.
//
// print_line(parse_line(x)) is canonical, and parse_line(print_line(r)) == r for every r.
std::string print_line(const Request& request);

// The error's `where` is "column N", counted from 1. Words may come in any order, blanks may be
// many; an unknown or repeated word, a value out of range, a stride list of another length than its
// tensor, a negative size are errors. `default_dialect`, when not empty, stands in for an absent
// dialect. `dialects` are not declared yet; they are known as well, and win over declared ones of
// the same name.
Result<Request> parse_line(std::string_view line, std::string_view default_dialect = {},
                           std::span<const Dialect> dialects = {});

// "produces [2,3]", "rejects zero.past-rank", "unspecified clause.id permits rejects | produces
// [0,*]". The inverse of text(Ruling).
Result<Ruling> parse_ruling(std::string_view text);

}  // namespace reshape::conformance
