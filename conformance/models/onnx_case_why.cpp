#include "conformance/models/onnx_case.h"

namespace reshape::conformance {

std::optional<std::string_view> no_onnx_test(const Case& one) {
  const Request& request = one.request;
  if (!request.dialect.starts_with("onnx-reshape-")) return "of a document that is not ONNX's";
  if (one.expect.kind == Ruling::Kind::rejects) return "that the document refuses";
  if (one.expect.kind == Ruling::Kind::unspecified) return "that the document leaves open";
  if (request.shape_only) return "that ask for the shape alone";
  if (request.strides || request.out_strides || request.offset != 0 || request.out_offset != 0 ||
      request.in_place) {
    return "of a layout in memory";
  }
  const std::optional<std::int64_t> bytes = data_bytes(request);
  if (!bytes || *bytes > kMostOnnxTestBytes) return "of more than 1 MiB";
  return std::nullopt;
}

}  // namespace reshape::conformance
