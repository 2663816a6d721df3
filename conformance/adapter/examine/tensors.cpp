#include "conformance/adapter/examine/tensors.h"

#include <algorithm>
#include <cstring>

#include "conformance/adapter/memory/view_alias.h"
#include "conformance/model/poison_bits.h"
#include "conformance/model/same_bytes.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {
namespace {

using Ask = Probe::Ask;

std::uint8_t gap_filling(const Probe& probe) { return gap_poison(probe.poison); }

void fill(const GuardedBuffer& buffer, std::uint8_t value) {
  for (const Part& part : buffer.parts()) {
    if (part.begin == part.end) continue;
    std::memset(buffer.writable() + part.begin, value, part.end - part.begin);
  }
}

// The byte, from the base, in which an element lies.
std::int64_t byte_of(ElementType type, std::int64_t position) {
  return (position * bits(type)) >> 3;
}

// Inverts these bits of the element that lies at such a part of each axis.
void invert(ElementType type, const Layout& layout, std::byte* base, std::int64_t part,
            std::uint64_t mask) {
  std::vector<std::int64_t> place;
  for (const std::int64_t size : layout.shape.sizes()) place.push_back(size / part);
  const std::int64_t position = position_of(layout, place);
  store_element(type, base, position, load_element(type, base, position) ^ mask);
}

std::int64_t remainder(std::int64_t number, std::int64_t divisor) {
  return (number % divisor + divisor) % divisor;
}

// Whether the call writes into the data's buffer.
bool writes_data(const Probe& probe) {
  return probe.ask == Ask::in_place || probe.ask == Ask::overlap || probe.one_allocation ||
         probe.over_data;
}

// Whether the data has strides: dense strides above 2^63-1 do not exist.
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

void Tensors::for_inference(bool with_data, const RequestForm& form) {
  kind_ = CallKind::infer;
  data_.unprotect();
  arguments_.in_form(form);
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
  kind_ = probe.asks_view() ? CallKind::view : CallKind::execute;
  data_given_ = true;
  const bool overlaps = probe.ask == Ask::overlap || (probe.over_data && probe.shift != 0);
  if (overlaps || probe.one_allocation) return place_in_data(probe, out);
  if (!place_data(probe)) return false;
  if (probe.over_data || probe.ask == Ask::in_place) {
    data_as_output(probe, out.shape);
  } else if (probe.asks_view()) {
    leave_output_open(out.shape);
  } else {
    return place_output(probe, out);
  }
  return true;
}

bool Tensors::arm() {
  if (!arguments_.arm()) return false;
  const bool written = kind_ == CallKind::execute && writes_data(probe_);
  if (data_given_) written ? data_.unprotect() : data_.protect();
  return true;
}

CallSite Tensors::site() {
  const bool executing = kind_ == CallKind::execute;
  const bool in_data = executing && writes_data(probe_);
  buffers_.clear();
  if (data_given_) buffers_.push_back(&data_);
  if (executing && !in_data) buffers_.push_back(&output_);
  arguments_.append_buffers(buffers_);

  CallSite site;
  site.kind = kind_;
  site.buffers = buffers_;
  site.arguments = arguments_.arguments(kind_);
  site.input = kind_ == CallKind::infer || in_data ? nullptr : &data_;
  if (site.input != nullptr && packed_fills_data()) site.input_bytes = packed_;
  site.output = executing ? &output_site_ : nullptr;
  site.message = arguments_.message();
  // Whoever leaves it set is seen by the other executions.
  constexpr std::uint8_t kFlushing = 0x5a;
  site.flushes_to_zero = kind_ != CallKind::infer && probe_.poison == kFlushing;
  site.errno_cleared = kind_ != CallKind::infer && !probe_.errno_left;
  site.must_refuse = executing && probe_.ask == Ask::execute_rejected;
  return site;
}

void Tensors::wipe_output() {
  if (output_site_.buffer == &output_) fill(output_, probe_.poison);
}

bool Tensors::is_wiped() const {
  const std::span<const std::byte> bytes = output_.bytes();
  return output_site_.buffer == &output_ &&
         std::ranges::all_of(output_.parts(), [&](const Part& part) {
           return std::all_of(
               bytes.data() + part.begin, bytes.data() + part.end,
               [&](std::byte one) { return one == static_cast<std::byte>(probe_.poison); });
         });
}

void Tensors::change_middle() {
  const Layout& layout = *output_site_.layout;
  if (output_site_.buffer != &output_ || is_empty(layout.shape)) return;
  invert(output_site_.type, layout, output_.writable() + output_site_.extent.base, 2,
         ~std::uint64_t{0});
}

std::vector<std::byte> Tensors::data_elements() const {
  if (data_.bytes().empty()) return {};
  return gather(request_->data_type, *data_layout_, data_.bytes().data() + placed_.base);
}

void Tensors::change_data() {
  if (is_empty(request_->data) || data_.bytes().empty()) return;
  const bool mapped_once = data_.writable() == data_.bytes().data();
  if (mapped_once) data_.unprotect();
  // Another one than in change_middle(), where there are several.
  invert(request_->data_type, *data_layout_, data_.writable() + placed_.base, 3, 1);
  if (mapped_once) data_.protect();
}

bool Tensors::written_as_placed() const {
  const std::byte* base = output_site_.buffer->bytes().data() + output_site_.extent.base;
  return !request_->elements && holds(request_->data_type, *output_site_.layout, base, packed_);
}

std::span<const std::byte> Tensors::end_of_output() const {
  constexpr std::size_t kEnd = 256 << 10;
  const Part last = output_site_.buffer->parts().back();
  const std::size_t size = std::min(kEnd, last.end - last.begin);
  return output_site_.buffer->bytes().subspan(last.end - size, size);
}

bool Tensors::are_as_placed(std::span<const std::byte> elements) const {
  return !request_->elements && same_bytes(elements, packed_);
}

bool Tensors::place_data(const Probe& probe) {
  const ElementType type = request_->data_type;
  const auto extent = extent_of(type, *data_layout_, prefix(probe.byte_offset));
  if (!extent || !data_.place(extent->size, extent->first, alignment_, probe.placement,
                              parts_of(type, *data_layout_, *extent))) {
    return false;
  }
  placed_ = *extent;
  fill_data(probe);
  return true;
}

// Writes the payload into the data's placed buffer, and sets it in the request.
void Tensors::fill_data(const Probe& probe) {
  if (packed_.empty() || packed_of_ != std::pair(probe.payload, probe.round)) {
    pack_payload(*request_, probe.payload, probe.round, packed_);
    packed_of_ = {probe.payload, probe.round};
  }
  if (!data_.bytes().empty()) {
    if (!packed_fills_data()) fill(data_, gap_filling(probe));
    scatter(request_->data_type, *data_layout_, packed_, data_.writable() + placed_.base);
  }
  hand_over_data(probe);
  const bool offset = probe.byte_offset;
  arguments_.in_form({probe.null_if_empty, offset, offset, offset});
}

// Whether the packed elements are exactly the data's buffer.
bool Tensors::packed_fills_data() const {
  return fills(request_->data_type, *data_layout_, data_.bytes().size());
}

void Tensors::hand_over_data(const Probe& probe) {
  const bool written_out = request_->strides.has_value() || probe.explicit_strides;
  const Strides* strides = written_out ? &data_layout_->strides : nullptr;
  if (probe.null_if_empty && is_empty(request_->data)) {
    return arguments_.data_at(nullptr, 0, strides);
  }
  const std::int64_t before = prefix(probe.byte_offset);
  arguments_.data_at(data_.bytes().data() + placed_.base - before,
                     offset_bytes(request_->offset) + static_cast<std::uint64_t>(before), strides);
}

bool Tensors::place_output(const Probe& probe, const Layout& out) {
  const ElementType type = request_->data_type;
  const std::int64_t before = prefix(probe.output_offset);
  const auto extent = extent_of(type, out, before);
  if (!extent || !output_.place(extent->size, extent->first, alignment_, probe.placement,
                                parts_of(type, out, *extent))) {
    return false;
  }
  fill(output_, probe.poison);
  output_site_ = {&output_, type, &out, *extent, probe.poison};
  if (probe.ask == Ask::execute) tell_gaps_apart();
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

// Gives every byte of the gaps another value, so that a gap that is copied to another one shows.
void Tensors::tell_gaps_apart() {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  const std::size_t size = output_.bytes().size();
  if (size > kMost || fills(output_site_.type, *output_site_.layout, size)) return;
  std::byte* bytes = output_.writable();
  for (std::size_t at = 0; at < size; ++at) {
    bytes[at] = static_cast<std::byte>(((at + 1) * 0x9e3779b97f4a7c15) >> 56);
  }
  const std::vector<std::byte> poison(static_cast<std::size_t>(packed_size()),
                                      static_cast<std::byte>(probe_.poison));
  scatter(output_site_.type, *output_site_.layout, poison, bytes + output_site_.extent.base);
  before_.assign(bytes, bytes + size);
  output_site_.before = before_;
}

// In place: the output has the data's pointer and offset.
void Tensors::data_as_output(const Probe& probe, const Shape& shape) {
  in_place_layout_ = row_major(shape);
  in_place_layout_.offset = request_->offset;
  output_site_ = {&data_, request_->data_type, &in_place_layout_, placed_, gap_filling(probe)};
  const DLTensor& data = *arguments_.request()->data;
  arguments_.output_at(request_->data_type, shape, data.data, data.byte_offset,
                       probe.explicit_strides ? &in_place_layout_.strides : nullptr);
}

// Places data and output in the data's buffer. If they overlap, the output's lowest byte is
// `probe.shift` elements and `probe.shift_bytes` behind the data's, or slightly before that, so that
// the first elements of both have the same alignment. In one allocation it is the first suitable
// byte behind the data, or the output ends before the data, as near as the alignment allows.
bool Tensors::place_in_data(const Probe& probe, const Layout& out) {
  const ElementType type = request_->data_type;
  const auto data = extent_of(type, *data_layout_);
  const auto output = extent_of(type, out);
  if (!data || !output) return false;
  const bool behind = probe.one_allocation && probe.shift == 0;
  // The output's base in bytes from the data's base.
  std::int64_t shift = byte_of(type, touched(*data_layout_).first);
  if (behind) {
    shift = data->size - data->base + output->base;
  } else if (probe.one_allocation) {
    shift += output->base - output->size;
  } else {
    shift += byte_of(type, probe.shift) + probe.shift_bytes - byte_of(type, touched(out).first);
  }
  const std::int64_t past = remainder(
      shift + byte_of(type, out.offset) - byte_of(type, data_layout_->offset), alignment_);
  shift += behind ? remainder(-past, alignment_) : -past;
  const std::int64_t begin = std::min(-data->base, shift - output->base);
  const std::int64_t end = std::max(data->size - data->base, shift + output->size - output->base);
  const std::int64_t size = end - begin;
  placed_ = {size, -begin, data->first - data->base - begin};
  if (!data_.place(size, placed_.first, alignment_, probe.placement)) return false;
  fill_data(probe);
  before_.assign(data_.bytes().begin(), data_.bytes().end());

  output_site_ = {&data_,
                  type,
                  &out,
                  {size, shift - begin, shift - begin + byte_of(type, out.offset)},
                  gap_filling(probe),
                  before_,
                  true};
  const bool written_out = request_->out_strides.has_value() || probe.explicit_strides;
  const std::int64_t from_pointer = behind ? shift : 0;
  arguments_.output_at(type, out.shape, data_.bytes().data() + shift - begin - from_pointer,
                       offset_bytes(out.offset) + static_cast<std::uint64_t>(from_pointer),
                       written_out ? &out.strides : nullptr);
  return true;
}

// A view: the implementation sets the pointer, the offset and the strides.
void Tensors::leave_output_open(const Shape& shape) {
  unset_.assign(shape.rank(), kUnsetStride);
  arguments_.output_at(request_->data_type, shape, nullptr, 0, &unset_);
}

// Bytes before the base where a probe reaches the start by a byte offset.
std::int64_t Tensors::prefix(bool by_offset) const {
  if (!by_offset) return 0;
  return alignment_ <= 64 ? 3 * alignment_ : alignment_;
}

std::uint64_t Tensors::offset_bytes(std::int64_t elements) const {
  return static_cast<std::uint64_t>(elements * bits(request_->data_type) / 8);
}

}  // namespace reshape::conformance
