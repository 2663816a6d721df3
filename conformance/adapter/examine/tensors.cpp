#include "conformance/adapter/examine/tensors.h"

#include <algorithm>
#include <cstring>

#include "conformance/adapter/memory/view_alias.h"

namespace reshape::conformance {
namespace {

using Ask = Probe::Ask;

// Gaps of the data hold something else than the output, so that copied gaps show.
std::uint8_t gap_filling(const Probe& probe) {
  return static_cast<std::uint8_t>(~probe.poison ^ 0x11);
}

void fill(const GuardedBuffer& buffer, std::uint8_t value) {
  for (const Part& part : buffer.parts()) {
    if (part.begin == part.end) continue;
    std::memset(buffer.bytes().data() + part.begin, value, part.end - part.begin);
  }
}

// Sizes beyond 63 bits have no strides to be given.
bool has_strides(const Request& request) {
  return request.strides ? request.strides->size() == request.data.rank()
                         : row_major_strides(request.data).has_value();
}

}  // namespace

void Tensors::take(const Request& request) {
  request_ = &request;
  arguments_.take(request);
  alignment_ = capabilities_.alignment != 0 ? capabilities_.alignment
                                            : std::max(1, bits(request.data_type) / 8);
  data_layout_.reset();
  data_extent_.reset();
  packed_.clear();
  if (!has_strides(request)) return;
  data_layout_ = data_layout(request);
  data_extent_ = extent_of(request.data_type, *data_layout_);
}

std::int64_t Tensors::packed_size() const {
  return bytes_for(request_->data_type, element_count(request_->data).value_or(0));
}

void Tensors::for_inference(bool with_data) {
  kind_ = CallKind::infer;
  data_.unprotect();
  arguments_.pattern_null(with_data);
  arguments_.pattern_dressed(with_data);
  arguments_.data_at(nullptr, 0, nullptr);
  arguments_.output_at(request_->data_type, Shape(), nullptr, 0, nullptr);
  data_given_ =
      with_data && data_extent_ && !request_->shape_only &&
      data_.place(data_extent_->size, data_extent_->first, alignment_, Probe::Placement::front,
                  parts_of(request_->data_type, *data_layout_, *data_extent_));
  if (!data_given_) return;
  arguments_.data_at(data_.bytes().data() + data_extent_->base, offset_bytes(request_->offset),
                     request_->strides ? &*request_->strides : nullptr);
}

bool Tensors::for_execution(const Probe& probe, const Layout& out) {
  probe_ = probe;
  kind_ = probe.ask == Ask::view ? CallKind::view : CallKind::execute;
  data_given_ = true;
  if (!place_data(probe)) return false;
  switch (probe.ask) {
    case Ask::in_place: data_as_output(probe, out.shape); return true;
    case Ask::view: leave_output_open(out.shape); return true;
    case Ask::execute:
    case Ask::sent:
    case Ask::execute_rejected:
    case Ask::wrong_volume:
    case Ask::other_output: break;
  }
  return place_output(probe, out);
}

bool Tensors::arm() {
  if (!arguments_.arm()) return false;
  const bool written = kind_ == CallKind::execute && probe_.ask == Ask::in_place;
  if (data_given_ && !written) data_.protect();
  return true;
}

CallSite Tensors::site() {
  const bool executing = kind_ == CallKind::execute;
  const bool in_place = executing && probe_.ask == Ask::in_place;
  buffers_.clear();
  if (data_given_) buffers_.push_back(&data_);
  if (executing && !in_place) buffers_.push_back(&output_);
  arguments_.append_buffers(buffers_);

  CallSite site;
  site.kind = kind_;
  site.buffers = buffers_;
  site.arguments = arguments_.arguments(kind_);
  site.input = kind_ == CallKind::infer || in_place ? nullptr : &data_;
  site.output = executing ? &output_site_ : nullptr;
  site.message = arguments_.message();
  site.must_refuse = executing && probe_.ask == Ask::execute_rejected;
  return site;
}

bool Tensors::written_as_placed() const {
  const std::byte* base = output_site_.buffer->bytes().data() + output_site_.extent.base;
  return !request_->elements && holds(request_->data_type, *output_site_.layout, base, packed_);
}

bool Tensors::place_data(const Probe& probe) {
  const ElementType type = request_->data_type;
  const auto extent = extent_of(type, *data_layout_, prefix(probe));
  if (!extent || !data_.place(extent->size, extent->first, alignment_, probe.placement,
                              parts_of(type, *data_layout_, *extent))) {
    return false;
  }
  if (packed_.empty() || packed_of_ != std::pair(probe.payload, probe.round)) {
    packed_ = packed_payload(*request_, probe.payload, probe.round);
    packed_of_ = {probe.payload, probe.round};
  }
  placed_ = *extent;
  if (!data_.bytes().empty()) {
    fill(data_, gap_filling(probe));
    scatter(type, *data_layout_, packed_, data_.bytes().data() + extent->base);
  }
  hand_over_data(probe);
  arguments_.pattern_null(probe.null_if_empty);
  arguments_.pattern_dressed(probe.byte_offset);
  return true;
}

void Tensors::hand_over_data(const Probe& probe) {
  const bool written_out = request_->strides.has_value() || probe.explicit_strides;
  const Strides* strides = written_out ? &data_layout_->strides : nullptr;
  if (probe.null_if_empty && is_empty(request_->data)) {
    return arguments_.data_at(nullptr, 0, strides);
  }
  const std::int64_t before = prefix(probe);
  arguments_.data_at(data_.bytes().data() + placed_.base - before,
                     offset_bytes(request_->offset) + static_cast<std::uint64_t>(before), strides);
}

bool Tensors::place_output(const Probe& probe, const Layout& out) {
  const ElementType type = request_->data_type;
  const std::int64_t before = prefix(probe);
  const auto extent = extent_of(type, out, before);
  if (!extent || !output_.place(extent->size, extent->first, alignment_, probe.placement,
                                parts_of(type, out, *extent))) {
    return false;
  }
  fill(output_, probe.poison);
  output_site_ = {&output_, type, &out, *extent, probe.poison};
  const bool written_out = request_->out_strides.has_value() || probe.explicit_strides;
  const Strides* strides = written_out ? &out.strides : nullptr;
  if (probe.null_if_empty && is_empty(out.shape)) {
    arguments_.output_at(type, out.shape, nullptr, 0, strides);
  } else {
    arguments_.output_at(type, out.shape, output_.bytes().data() + extent->base - before,
                         offset_bytes(out.offset) + static_cast<std::uint64_t>(before), strides);
  }
  return true;
}

// The data's own pointer and offset.
void Tensors::data_as_output(const Probe& probe, const Shape& shape) {
  in_place_layout_ = row_major(shape);
  in_place_layout_.offset = request_->offset;
  output_site_ = {&data_, request_->data_type, &in_place_layout_, placed_, gap_filling(probe)};
  const DLTensor& data = *arguments_.request()->data;
  arguments_.output_at(request_->data_type, shape, data.data, data.byte_offset,
                       probe.explicit_strides ? &in_place_layout_.strides : nullptr);
}

// A view: the implementation sets the pointer, the offset and the strides.
void Tensors::leave_output_open(const Shape& shape) {
  unset_.assign(shape.rank(), kUnsetStride);
  arguments_.output_at(request_->data_type, shape, nullptr, 0, &unset_);
}

// Bytes before the base where a probe reaches the start by a byte offset.
std::int64_t Tensors::prefix(const Probe& probe) const {
  if (!probe.byte_offset) return 0;
  return alignment_ <= 64 ? 3 * alignment_ : alignment_;
}

std::uint64_t Tensors::offset_bytes(std::int64_t elements) const {
  return static_cast<std::uint64_t>(elements * bits(request_->data_type) / 8);
}

}  // namespace reshape::conformance
