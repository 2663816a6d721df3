#include "conformance/models/onnx_tensor.h"

#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "conformance/models/byte_file.h"
#include "conformance/models/onnx_scope.h"

namespace reshape::conformance {
namespace {

namespace fs = std::filesystem;
using Tensor = ::onnx::TensorProto;

// By number, because the ONNX schema in Debian has no names for those after 16.
constexpr std::pair<std::int32_t, ElementType> kTypes[] = {
    {1, ElementType::f32},   {2, ElementType::u8},      {3, ElementType::i8},
    {4, ElementType::u16},   {5, ElementType::i16},     {6, ElementType::i32},
    {7, ElementType::i64},   {9, ElementType::boolean}, {10, ElementType::f16},
    {11, ElementType::f64},  {12, ElementType::u32},    {13, ElementType::u64},
    {16, ElementType::bf16}, {17, ElementType::f8e4m3}, {19, ElementType::f8e5m2},
    {21, ElementType::u4},   {22, ElementType::i4}};

// The content of a tensor's external_data.
struct External {
  std::string location;
  std::int64_t offset = 0;
  std::optional<std::int64_t> length;
};

std::int64_t number(const ::onnx::StringStringEntryProto& entry, const std::string& where) {
  const std::string& digits = entry.value();
  const char* end = digits.data() + digits.size();
  std::int64_t value = -1;
  const auto [stopped, code] = std::from_chars(digits.data(), end, value);
  if (code != std::errc() || stopped != end || value < 0) {
    refuse_at(where, "the " + entry.key() + " of external data is " + in_quotes(digits) +
                         ", and not a number from 0 to 2^63-1");
  }
  return value;
}

External external_of(const Tensor& tensor, const std::string& where) {
  External external;
  for (const ::onnx::StringStringEntryProto& entry : tensor.external_data()) {
    if (entry.key() == "location") external.location = entry.value();
    if (entry.key() == "offset") external.offset = number(entry, where);
    if (entry.key() == "length") external.length = number(entry, where);
  }
  return external;
}

// The path of an external file. Refuses files outside of the model's folder, with links resolved:
// the model is not trusted.
std::optional<std::string> file_of(const External& external, const std::string& folder,
                                   const std::string& where) {
  const auto outside = [&] {
    refuse_at(where, "the external data " + in_quotes(external.location) +
                         " do not lie in the folder of the model");
  };
  const fs::path named(external.location);
  if (named.empty() || named.is_absolute() || external.location.find('\0') != std::string::npos) {
    outside();
  }
  for (const fs::path& part : named) {
    if (part == "..") outside();
  }
  const fs::path own = folder.empty() ? fs::path(".") : fs::path(folder);
  std::error_code none;
  if (!fs::exists(fs::symlink_status(own / named, none))) return std::nullopt;
  const fs::path home = fs::canonical(own, none);
  if (none) outside();
  const fs::path file = fs::canonical(own / named, none);
  if (none) outside();
  const fs::path within = file.lexically_relative(home);
  if (within.empty() || *within.begin() == ".." || within == ".") outside();
  return file.string();
}

std::optional<std::string> external_bytes(const Tensor& tensor, std::int64_t needed,
                                          const std::string& folder, const std::string& where,
                                          std::vector<std::string>& files) {
  const External external = external_of(tensor, where);
  const std::optional<std::string> path = file_of(external, folder, where);
  if (!path) return std::nullopt;
  if (external.length && *external.length != needed) {
    refuse_at(where, "the pattern takes " + std::to_string(needed) +
                         " bytes, and its external data has " + std::to_string(*external.length));
  }
  const Result<ByteFile> file = ByteFile::open(*path);
  if (!file) refuse_at(where, file.error().text());
  files.push_back(*path);
  const Result<std::string> bytes = file->bytes(external.offset, needed);
  if (!bytes) refuse_at(where, bytes.error().message);
  return *bytes;
}

// Checks the size before anything is copied: a field may be as long as the whole file.
void check_size(const Tensor& tensor, ElementType type, std::int64_t needed, std::int64_t held,
                const std::string& what, const std::string& where) {
  if (needed == held) return;
  refuse_at(where, "the pattern " + std::string(name(type)) + text(Shape(sizes_of(tensor, where))) +
                       " takes " + std::to_string(needed) + what + ", and has " +
                       std::to_string(held));
}

// Converts values of a typed field to the bytes that raw_data would hold. Each value of a 4-bit
// type holds two elements.
template <typename Values>
std::string bytes_of(const Values& values, ElementType type) {
  const int width = bits(type) < 8 ? 1 : bits(type) / 8;
  std::string bytes;
  for (const auto value : values) {
    for (int byte = 0; byte < width; ++byte) {
      bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> 8 * byte & 255);
    }
  }
  return bytes;
}

std::string own_bytes(const Tensor& tensor, ElementType type, std::int64_t needed,
                      const std::string& where) {
  const int forms = (tensor.has_raw_data() ? 1 : 0) + (tensor.int64_data_size() > 0 ? 1 : 0) +
                    (tensor.uint64_data_size() > 0 ? 1 : 0) +
                    (tensor.int32_data_size() > 0 ? 1 : 0);
  if (forms > 1) refuse_at(where, "the values of the pattern are given twice, in two fields");
  if (tensor.has_raw_data()) {
    check_size(tensor, type, needed, static_cast<std::int64_t>(tensor.raw_data().size()), " bytes",
               where);
    return tensor.raw_data();
  }
  const std::int64_t width = bits(type) < 8 ? 1 : bits(type) / 8;
  const auto listed = [&](const auto& values) {
    check_size(tensor, type, needed / width, values.size(), " values", where);
    return bytes_of(values, type);
  };
  if (type == ElementType::i64) return listed(tensor.int64_data());
  if (type == ElementType::u64 || type == ElementType::u32) return listed(tensor.uint64_data());
  return listed(tensor.int32_data());
}

}  // namespace

std::optional<ElementType> type_of_onnx(std::int32_t data_type) {
  for (const auto& [number, type] : kTypes) {
    if (number == data_type) return type;
  }
  return std::nullopt;
}

std::optional<std::int32_t> onnx_type(ElementType type) {
  for (const auto& [number, one] : kTypes) {
    if (one == type) return number;
  }
  return std::nullopt;
}

std::vector<std::int64_t> sizes_of(const Tensor& tensor, const std::string& where) {
  if (tensor.dims_size() > kMostDimensions) {
    refuse_at(where, "a tensor has more than " + std::to_string(kMostDimensions) + " dimensions");
  }
  std::vector<std::int64_t> sizes(tensor.dims().begin(), tensor.dims().end());
  for (const std::int64_t size : sizes) {
    if (size < 0) refuse_at(where, "a tensor has the size " + std::to_string(size));
  }
  return sizes;
}

std::variant<ShapePattern, Unstated> pattern_of_tensor(const Tensor& tensor,
                                                       const std::string& folder,
                                                       const std::string& where,
                                                       std::vector<std::string>& files) {
  const std::optional<ElementType> type = type_of_onnx(tensor.data_type());
  if (!type || !is_integer(*type)) return Unstated::pattern_type;
  if (tensor.has_segment())
    refuse_at(where, "the pattern is a segment of a tensor, which is not read");
  const Shape shape(sizes_of(tensor, where));
  const std::optional<std::int64_t> count = element_count(shape);
  if (!count || *count > kMostPatternValues) return Unstated::long_pattern;
  const std::int64_t needed = bytes_for(*type, *count);
  std::optional<std::string> bytes;
  if (tensor.data_location() == ::onnx::TensorProto_DataLocation_EXTERNAL) {
    bytes = external_bytes(tensor, needed, folder, where, files);
    if (!bytes) return Unstated::no_constants;
  } else {
    bytes = own_bytes(tensor, *type, needed, where);
  }
  return pattern_of(*type, shape, *bytes);
}

}  // namespace reshape::conformance
