#include "conformance/adapter/contract/dl_request.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "conformance/abi/dlpack_types.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {
namespace {

constexpr int kMessageFilling = 0xee;       // no NUL: an implementation that writes nothing shows
constexpr std::size_t kPatternOffset = 16;  // a multiple of every integer's size
constexpr std::byte kPatternPrefix{0x5a};   // the bytes before a pattern with an offset

std::vector<std::int64_t> copied(std::span<const std::int64_t> values) {
  return {values.begin(), values.end()};
}

}  // namespace

DLTensor dl_tensor(ElementType type, std::size_t rank) {
  DLTensor made{};
  made.device = DLDevice{kDLCPU, 0};
  made.ndim = static_cast<int>(rank);
  made.dtype = dl_type_of(type);
  return made;
}

int flag_of(const Request& request) {
  if (!request.special_zero) return RESHAPE_FLAG_MISSING;
  return *request.special_zero ? RESHAPE_FLAG_TRUE : RESHAPE_FLAG_FALSE;
}

template <typename T>
T* DlRequest::Array::write(std::span<const T> values, std::int64_t alignment,
                           Probe::Placement placement) {
  const std::size_t size = values.size_bytes();
  if (!buffer.place(static_cast<std::int64_t>(size), 0, alignment, placement)) {
    return nullptr;
  }
  if (size > 0) std::memcpy(buffer.writable(), values.data(), size);
  if (buffer.mapped() == GuardedBuffer::Mapped::twofold) buffer.protect();
  return reinterpret_cast<T*>(buffer.bytes().data());
}

DlRequest::DlRequest() { arguments_.reserve(32); }

void DlRequest::take(const Request& request) {
  dialect_name_ = request.dialect;
  data_shape_ = copied(request.data.sizes());
  const ShapePattern& pattern = request.pattern;
  const auto count = static_cast<std::int64_t>(pattern.values.size());
  pattern_shape_ = pattern.tensor_shape ? copied(pattern.tensor_shape->sizes())
                                        : std::vector<std::int64_t>{count};
  pattern_bytes_.assign(static_cast<std::size_t>(bytes_for(pattern.type, count)), std::byte{0});
  for (std::int64_t i = 0; i < count; ++i) {
    store_element(pattern.type, pattern_bytes_.data(), i,
                  static_cast<std::uint64_t>(pattern.values[static_cast<std::size_t>(i)]));
  }
  data_ = dl_tensor(request.data_type, data_shape_.size());
  pattern_ = dl_tensor(pattern.type, pattern_shape_.size());
  output_ = dl_tensor(request.data_type, 0);
  output_shape_.clear();
  data_strides_null_ = output_strides_null_ = true;
  form_ = {};

  request_ = {};
  request_.now.struct_size = sizeof(reshape_request);
  request_.now.special_zero = flag_of(request);
  request_.now.data = &data_;
  request_.now.pattern = &pattern_;
  // The pattern is aligned to its own elements, whatever the data's alignment is.
  pattern_alignment_ = std::max(1, bits(pattern.type) / 8);
}

void DlRequest::data_at(void* pointer, std::uint64_t byte_offset, const Strides* strides) {
  data_.data = pointer;
  data_.byte_offset = byte_offset;
  data_strides_null_ = strides == nullptr;
  if (strides != nullptr) data_step_ = *strides;
}

void DlRequest::output_at(ElementType type, const Shape& shape, void* pointer,
                          std::uint64_t byte_offset, const Strides* strides) {
  output_ = dl_tensor(type, shape.rank());
  output_.data = pointer;
  output_.byte_offset = byte_offset;
  output_shape_ = copied(shape.sizes());
  output_strides_null_ = strides == nullptr;
  if (strides != nullptr) output_step_ = *strides;
}

bool DlRequest::arm() {
  using Sizes = std::span<const std::int64_t>;
  const auto strides = [](Array& array, bool null, const std::vector<std::int64_t>& values) {
    return null ? nullptr : array.write(Sizes(values));
  };
  // At the front of its page every name begins at the same address, whatever its length: where it
  // lies says nothing. At the back, reading beyond it faults.
  request_.now.dialect =
      dialect_.write(std::span<const char>(dialect_name_.c_str(), dialect_name_.size() + 1), 1,
                     form_.later_struct ? Probe::Placement::back : Probe::Placement::front);
  data_.shape = data_sizes_.write(Sizes(data_shape_));
  data_.strides = strides(data_strides_, data_strides_null_, data_step_);
  pattern_.shape = pattern_sizes_.write(Sizes(pattern_shape_));
  // Strides exist, except for empty patterns of huge sizes.
  const Strides dense =
      row_major_strides(Shape(pattern_shape_)).value_or(Strides(pattern_shape_.size(), 1));
  pattern_.strides = strides(pattern_strides_, pattern_strides_null(), dense);
  request_.now.struct_size = form_.later_struct ? sizeof request_ : sizeof request_.now;
  const std::size_t offset = form_.pattern_offset ? kPatternOffset : 0;
  std::vector<std::byte> values(offset, kPatternPrefix);
  values.insert(values.end(), pattern_bytes_.begin(), pattern_bytes_.end());
  pattern_.data = pattern_values_.write(std::span<const std::byte>(values), pattern_alignment_);
  pattern_.byte_offset = offset;
  output_.shape = output_sizes_.write(Sizes(output_shape_));
  output_.strides = strides(output_strides_, output_strides_null_, output_step_);
  const bool placed = request_.now.dialect != nullptr && data_.shape != nullptr &&
                      pattern_.shape != nullptr && pattern_.data != nullptr &&
                      output_.shape != nullptr &&
                      (data_strides_null_ || data_.strides != nullptr) &&
                      (output_strides_null_ || output_.strides != nullptr) &&
                      message_.buffer.place(sizeof(reshape_message), 0, 1, Probe::Placement::back);
  if (!placed) return false;
  if (form_.pattern_null && pattern_bytes_.empty()) {
    pattern_.data = nullptr;
    pattern_.byte_offset = 0;
  }
  std::memset(message_.buffer.bytes().data(), kMessageFilling, sizeof(reshape_message));
  armed_ = {request_, data_, pattern_, output_};
  return true;
}

void DlRequest::restore() {
  request_ = armed_.request;
  data_ = armed_.data;
  pattern_ = armed_.pattern;
  output_ = armed_.output;
  if (output_.strides != nullptr) std::ranges::copy(output_step_, output_.strides);
}

reshape_message* DlRequest::message() const {
  return reinterpret_cast<reshape_message*>(message_.buffer.bytes().data());
}

std::span<const Argument> DlRequest::arguments(CallKind call) {
  const auto array = [&](const Array& one, bool set_by_view = false) {
    arguments_.push_back(
        {one.buffer.name(), one.buffer.bytes().data(), one.buffer.bytes().size(), "", set_by_view});
  };
  arguments_.clear();
  arguments_.push_back({"request", &request_, sizeof request_});
  const bool view = call == CallKind::view;
  const auto tensor = [&](const DLTensor& one, const char* of) {
    Argument fields[] = {{"data pointer", &one.data, sizeof one.data, of},
                         {"device", &one.device, sizeof one.device, of},
                         {"ndim", &one.ndim, sizeof one.ndim, of},
                         {"dtype", &one.dtype, sizeof one.dtype, of},
                         {"shape pointer", &one.shape, sizeof one.shape, of},
                         {"strides pointer", &one.strides, sizeof one.strides, of},
                         {"byte_offset", &one.byte_offset, sizeof one.byte_offset, of}};
    for (Argument& field : fields) {
      const bool set = field.at == &output_.data || field.at == &output_.byte_offset;
      field.set_by_view = view && set;
      arguments_.push_back(field);
    }
  };
  tensor(data_, "tensor of the data");
  tensor(pattern_, "tensor of the pattern");
  array(dialect_);
  array(data_sizes_);
  if (!data_strides_null_) array(data_strides_);
  array(pattern_values_);
  array(pattern_sizes_);
  if (!pattern_strides_null()) array(pattern_strides_);
  if (call == CallKind::infer) return arguments_;
  array(output_sizes_);
  tensor(output_, "tensor of the output");
  if (!output_strides_null_) array(output_strides_, view);
  return arguments_;
}

void DlRequest::append_buffers(std::vector<const GuardedBuffer*>& buffers) const {
  for (const Array* array :
       {&dialect_, &data_sizes_, &pattern_values_, &pattern_sizes_, &output_sizes_, &message_}) {
    buffers.push_back(&array->buffer);
  }
  if (!pattern_strides_null()) buffers.push_back(&pattern_strides_.buffer);
  if (!data_strides_null_) buffers.push_back(&data_strides_.buffer);
  if (!output_strides_null_) buffers.push_back(&output_strides_.buffer);
}

}  // namespace reshape::conformance
