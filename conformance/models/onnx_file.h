#pragma once

#include <google/protobuf/arena.h>
#include <onnx_schema/onnx.pb.h>

#include <cstdint>
#include <memory>
#include <string>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// Protobuf cannot read more than this, so no ONNX file is larger.
inline constexpr std::int64_t kMostOnnxBytes = (std::int64_t{1} << 31) - 1;

// A parsed ONNX file. A message of 2 bytes takes a hundred in memory, so that a small file could
// use up all memory: messages are limited to 1 GiB plus four times the size of the file.
class OnnxFile {
 public:
  // The error's place is the path.
  static Result<OnnxFile> read(const std::string& path);

  const ::onnx::ModelProto& model() const { return *model_; }
  const std::string& path() const { return path_; }

 private:
  OnnxFile(std::string path, std::unique_ptr<google::protobuf::Arena> arena,
           const ::onnx::ModelProto* model)
      : path_(std::move(path)), arena_(std::move(arena)), model_(model) {}

  std::string path_;
  std::unique_ptr<google::protobuf::Arena> arena_;  // of the model
  const ::onnx::ModelProto* model_;
};

}  // namespace reshape::conformance
