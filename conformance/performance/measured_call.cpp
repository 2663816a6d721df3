#include "conformance/performance/measured_call.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "conformance/adapter/contract/dl_request.h"
#include "conformance/adapter/memory/tensor_image.h"
#include "conformance/model/payload.h"
#include "conformance/oracle/ruling_of.h"
#include "reference/tensor/declared_dialects.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance::performance {
namespace {

constexpr std::size_t kSmallPage = 4096, kHugePage = 2 << 20;
// Bytes; from this size on, the random physical placement of small pages would affect caching,
// differently in each process.
constexpr std::size_t kWorthHugePage = 16 << 10;
constexpr std::size_t kPlaces = 48;
constexpr std::int64_t kUnset = -77;  // no size or stride is this

std::vector<std::int64_t> copied(std::span<const std::int64_t> values) {
  return {values.begin(), values.end()};
}

DLTensor tensor_of(ElementType type, std::vector<std::int64_t>& shape) {
  DLTensor made = dl_tensor(type, shape.size());
  made.shape = shape.data();
  return made;
}

// Steps of an index through a shape give the position of its row-major number.
std::int64_t position_of_number(const Layout& layout, std::int64_t number) {
  std::int64_t position = layout.offset;
  for (std::size_t axis = layout.shape.rank(); axis-- > 0;) {
    position += number % layout.shape[axis] * layout.strides[axis];
    number /= layout.shape[axis];
  }
  return position;
}

}  // namespace

PlacedMemory::PlacedMemory(std::size_t bytes, std::size_t shift) : bytes_(bytes) {
  const std::size_t page = bytes >= kWorthHugePage ? kHugePage : kSmallPage;
  mapped_ = (bytes + shift) / page * page + 2 * page;
  all_ = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all_ == MAP_FAILED) {
    all_ = nullptr;
    return;
  }
  if (page == kHugePage) madvise(all_, mapped_, MADV_HUGEPAGE);
  const std::size_t over = reinterpret_cast<std::uintptr_t>(all_) % page;
  data_ = static_cast<std::byte*>(all_) + (over == 0 ? 0 : page - over) + shift;
}

PlacedMemory::~PlacedMemory() {
  if (all_ != nullptr) munmap(all_, mapped_);
}

MeasuredCall::MeasuredCall(const reshape_plugin& table, const Workload& workload,
                           std::size_t data_bytes, std::size_t output_bytes, std::size_t data_shift,
                           std::size_t output_shift)
    : table_(table),
      workload_(workload),
      data_(data_bytes, data_shift),
      output_(output_bytes, output_shift) {}

std::optional<std::string> why_not_placed(const Workload& workload) {
  const Request& request = workload.request;
  const Dialect* dialect = declared_dialect(request.dialect);
  if (dialect == nullptr) return std::nullopt;
  const Ruling ruling = ruling_of(*dialect, request);
  if (ruling.kind != Ruling::Kind::produces) return std::nullopt;
  Layout out = row_major(ruling.shape);
  if (request.out_strides) out = {ruling.shape, *request.out_strides, request.out_offset};
  if (!extent_of(request.data_type, data_layout(request)) || !extent_of(request.data_type, out)) {
    return "its tensors are too large to be placed";
  }
  if (workload.call == Call::execute && element_count(ruling.shape).value_or(0) == 0) {
    return "it has no elements";
  }
  return std::nullopt;
}

Result<std::unique_ptr<MeasuredCall>> MeasuredCall::prepare(const reshape_plugin& table,
                                                            std::int64_t alignment,
                                                            const Workload& workload,
                                                            std::uint64_t placement) {
  const Request& request = workload.request;
  // Not of the suite: a worker starts hundreds of times and needs none of the cases.
  const Dialect* dialect = declared_dialect(request.dialect);
  if (dialect == nullptr) return Error{"there is no dialect '" + request.dialect + "'"};
  const Ruling ruling = ruling_of(*dialect, request);
  if (ruling.kind != Ruling::Kind::produces) return Error{"the document answers " + text(ruling)};
  if (auto why = why_not_placed(workload)) return Error{*why};
  if (workload.call == Call::view && table.view == nullptr) return Error{"there is no view"};
  if (workload.call == Call::execute && table.execute == nullptr) {
    return Error{"there is no execute"};
  }

  Layout out = row_major(ruling.shape);
  if (request.out_strides) out = {ruling.shape, *request.out_strides, request.out_offset};
  const Layout in = data_layout(request);
  const auto data_extent = extent_of(request.data_type, in);
  const auto output_extent = extent_of(request.data_type, out);
  // Buffers begin at a random multiple of the alignment within a page, so that lucky placements
  // average out over rounds.
  std::mt19937_64 random(placement);
  const auto step = static_cast<std::size_t>(
      std::max<std::int64_t>(alignment, std::max(1, bits(request.data_type) / 8)));
  const std::size_t line = std::max<std::size_t>(step, 64);
  const auto shift = [&] { return line * (random() % (kSmallPage / line)); };
  const std::size_t data_shift = shift(), output_shift = shift();
  const bool writes = workload.call == Call::execute;
  std::unique_ptr<MeasuredCall> made(new MeasuredCall(
      table, workload, static_cast<std::size_t>(std::max<std::int64_t>(data_extent->size, 1)),
      writes ? static_cast<std::size_t>(std::max<std::int64_t>(output_extent->size, 1)) : 1,
      data_shift, output_shift));
  MeasuredCall& call = *made;
  if (call.data_.data() == nullptr || call.output_.data() == nullptr) {
    return Error{"there is no memory for it"};
  }
  call.data_layout_ = in;
  call.output_layout_ = out;
  call.data_base_ = data_extent->base;
  call.output_base_ = output_extent->base;
  const std::span<std::byte> bytes(call.data_.data(), call.data_.bytes());
  const auto elements =
      static_cast<std::int64_t>(bytes.size()) * 8 / std::max(1, bits(request.data_type));
  fill_payload(Payload::distinct, request.data_type, 0, elements, bytes);
  if (writes) std::memset(call.output_.data(), 0xa5, call.output_.bytes());

  call.data_shape_ = copied(request.data.sizes());
  call.output_shape_ = copied(ruling.shape.sizes());
  const auto count = static_cast<std::int64_t>(request.pattern.values.size());
  call.pattern_shape_ = request.pattern.tensor_shape ? copied(request.pattern.tensor_shape->sizes())
                                                     : std::vector<std::int64_t>{count};
  call.pattern_.assign(static_cast<std::size_t>(bytes_for(request.pattern.type, count)) + 8,
                       std::byte{0});
  for (std::int64_t i = 0; i < count; ++i) {
    store_element(request.pattern.type, call.pattern_.data(), i,
                  static_cast<std::uint64_t>(request.pattern.values[static_cast<std::size_t>(i)]));
  }
  call.data_tensor_ = tensor_of(request.data_type, call.data_shape_);
  const auto offset_bytes = [&](std::int64_t base, std::int64_t offset) {
    return base + offset * bits(request.data_type) / 8;
  };
  call.data_tensor_.data = call.data_.data() + offset_bytes(call.data_base_, in.offset);
  if (request.strides) {
    call.data_strides_ = *request.strides;
    call.data_tensor_.strides = call.data_strides_.data();
  }
  call.pattern_tensor_ = tensor_of(request.pattern.type, call.pattern_shape_);
  call.pattern_tensor_.data = call.pattern_.data();
  call.output_tensor_ = tensor_of(request.data_type, call.output_shape_);
  call.output_strides_.assign(call.output_shape_.size(), kUnset);
  if (writes) {
    call.output_tensor_.data = call.output_.data() + offset_bytes(call.output_base_, out.offset);
    if (request.out_strides) call.output_strides_ = *request.out_strides;
  }
  if (request.out_strides || !writes) call.output_tensor_.strides = call.output_strides_.data();

  call.request_.struct_size = sizeof(reshape_request);
  call.request_.special_zero = flag_of(request);
  call.request_.dialect = call.workload_.request.dialect.c_str();
  call.request_.data = &call.data_tensor_;
  call.request_.pattern = &call.pattern_tensor_;
  call.received_.assign(call.output_shape_.size() + 1, kUnset);
  call.shape_ = {static_cast<std::int32_t>(call.received_.size()), 0, call.received_.data()};

  const std::int64_t total = element_count(ruling.shape).value_or(0);
  if (writes && touched(out).count() > 0) {
    for (std::size_t i = 0; i < kPlaces; ++i) {
      const auto number = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(total));
      call.places_.push_back({position_of_number(in, number), position_of_number(out, number)});
    }
    // The same element is not looked at twice.
    std::ranges::sort(call.places_, {}, &Place::to);
    const auto same = std::ranges::unique(call.places_, {}, &Place::to);
    call.places_.erase(same.begin(), same.end());
  }

  call.spoil();
  const reshape_status status = call.run();
  if (status != RESHAPE_OK) {
    if (workload.call == Call::view && status == RESHAPE_UNSUPPORTED) {
      return Error{"the promised view became a copy: view answers RESHAPE_UNSUPPORTED"};
    }
    return Error{"the call is answered with status " + std::to_string(status)};
  }
  if (!call.still_right()) return Error{"the answer is wrong"};
  return made;
}

reshape_status MeasuredCall::run() {
  switch (workload_.call) {
    case Call::execute: return table_.execute(&request_, &output_tensor_, &message_);
    case Call::infer: return table_.infer_shape(&request_, &shape_, &message_);
    case Call::view: break;
  }
  return table_.view(&request_, &output_tensor_, &message_);
}

std::uint64_t MeasuredCall::expected_at(std::size_t place) const {
  return load_element(workload_.request.data_type, data_.data() + data_base_, places_[place].from);
}

void MeasuredCall::spoil() {
  switch (workload_.call) {
    case Call::execute:
      for (std::size_t i = 0; i < places_.size(); ++i) {
        store_element(workload_.request.data_type, output_.data() + output_base_, places_[i].to,
                      ~expected_at(i));
      }
      break;
    case Call::infer:
      shape_.rank = 0;
      std::ranges::fill(received_, kUnset);
      break;
    case Call::view:
      output_tensor_.data = nullptr;
      output_tensor_.byte_offset = 0;
      std::ranges::fill(output_strides_, kUnset);
      break;
  }
}

bool MeasuredCall::still_right() const {
  switch (workload_.call) {
    case Call::execute:
      for (std::size_t i = 0; i < places_.size(); ++i) {
        const ElementType type = workload_.request.data_type;
        if (load_element(type, output_.data() + output_base_, places_[i].to) != expected_at(i)) {
          return false;
        }
      }
      return true;
    case Call::infer:
      return shape_.rank == static_cast<std::int32_t>(output_shape_.size()) &&
             std::equal(output_shape_.begin(), output_shape_.end(), received_.begin());
    case Call::view: break;
  }
  return view_right();
}

bool MeasuredCall::view_right() const {
  if (output_tensor_.data == nullptr) return false;
  const std::byte* start =
      static_cast<const std::byte*>(output_tensor_.data) + output_tensor_.byte_offset;
  const std::byte* expected =
      static_cast<const std::byte*>(data_tensor_.data) + data_tensor_.byte_offset;
  for (std::size_t axis = 0; axis < output_shape_.size(); ++axis) {
    // The stride of an axis of one element means nothing.
    if (output_shape_[axis] > 1 && output_strides_[axis] != output_layout_.strides[axis]) {
      return false;
    }
  }
  return start == expected;
}

bool MeasuredCall::right_everywhere() const {
  if (workload_.call != Call::execute) return still_right();
  const ElementType type = workload_.request.data_type;
  const std::vector<std::byte> elements = gather(type, data_layout_, data_.data() + data_base_);
  return holds(type, output_layout_, output_.data() + output_base_, elements);
}

}  // namespace reshape::conformance::performance
