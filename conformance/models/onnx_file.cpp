#include "conformance/models/onnx_file.h"

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "conformance/models/byte_file.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

constexpr std::int64_t kMostUnfolded = std::int64_t{1} << 30;

// Feeds protobuf from a file, and pretends its end where the parsed messages take too much memory
// or the file cannot be read; `stopped` then says why.
class BoundedSource : public google::protobuf::io::CopyingInputStream {
 public:
  BoundedSource(const ByteFile& file, const google::protobuf::Arena& arena)
      : file_(file), arena_(arena) {}

  int Read(void* buffer, int size) override {
    if (stopped_) return 0;
    if (static_cast<std::int64_t>(arena_.SpaceAllocated()) > kMostUnfolded + 4 * at_) {
      stopped_ = "not read: its messages take more than 1 GiB and four times the file in memory";
      return 0;
    }
    const std::int64_t step = std::min<std::int64_t>(size, file_.size() - at_);
    const Result<std::string> bytes = file_.bytes(at_, step);
    if (!bytes) {
      stopped_ = "cannot be read";
      return 0;
    }
    std::memcpy(buffer, bytes->data(), bytes->size());
    at_ += step;
    return static_cast<int>(step);
  }

  const std::optional<std::string>& stopped() const { return stopped_; }

 private:
  const ByteFile& file_;
  const google::protobuf::Arena& arena_;
  std::int64_t at_ = 0;
  std::optional<std::string> stopped_;
};

std::unique_ptr<google::protobuf::Arena> arena_for_models() {
  google::protobuf::ArenaOptions options;
  options.max_block_size = std::size_t{1} << 20;
  return std::make_unique<google::protobuf::Arena>(options);
}

}  // namespace

Result<OnnxFile> OnnxFile::read(const std::string& path) {
  const Result<ByteFile> file = ByteFile::open(path);
  if (!file) return file.error();
  const std::string where = printable(path);
  if (file->size() > kMostOnnxBytes) return Error{"larger than 2 GiB, as no ONNX file is", where};
  std::unique_ptr<google::protobuf::Arena> arena = arena_for_models();
  auto* model = google::protobuf::Arena::CreateMessage<::onnx::ModelProto>(arena.get());
  BoundedSource source(*file, *arena);
  google::protobuf::io::CopyingInputStreamAdaptor stream(&source, 1 << 16);
  const bool parsed = model->ParseFromZeroCopyStream(&stream);
  if (source.stopped()) return Error{*source.stopped(), where};
  if (!parsed) {
    return Error{
        "no ONNX model: its protobuf ends too early, is malformed, or is nested too deeply", where};
  }
  if (!model->has_graph()) return Error{"no ONNX model: it has no graph", where};
  return OnnxFile(path, std::move(arena), model);
}

}  // namespace reshape::conformance
