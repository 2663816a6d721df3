#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "conformance/adapter/contract/dl_request.h"
#include "conformance/adapter/contract/inferred.h"
#include "conformance/adapter/contract/kept_registers.h"
#include "conformance/adapter/contract/thrown.h"
#include "conformance/adapter/examine/further.h"
#include "conformance/adapter/examine/watches/watch.h"
#include "conformance/adapter/memory/guarded_buffer.h"
#include "conformance/adapter/memory/tensor_image.h"
#include "conformance/model/same_bytes.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {
namespace {

constexpr std::byte kHeld{0xa5};                             // what the output held before
constexpr std::int64_t kMostBytes = std::int64_t{1} << 26;   // of either side
constexpr std::int64_t kMostAtEnds = std::int64_t{1} << 18;  // of what is asked again there
constexpr std::int64_t kMostShared = std::int64_t{1} << 15;  // of what is asked beside its data

using Placement = Probe::Placement;

// One side of a copy in a buffer between guard pages, which is used again and again.
class Side {
 public:
  explicit Side(const char* name) : buffer_(name) {}

  // False where the elements span too much.
  bool take(ElementType type, Layout layout) {
    type_ = type;
    layout_ = std::move(layout);
    const std::optional<Extent> extent = extent_of(type_, layout_);
    if (!extent || extent->size > kMostBytes) return false;
    extent_ = *extent;
    return true;
  }
  // front: position 0 of the layout lies at the beginning of a page, so that an offset of the
  // request decides how its first element is aligned, and what has none begins behind a guard page.
  // back: the elements end before a guard page, as near to it as `alignment` of the first one lets
  // them. False where there is no memory.
  bool place(Placement placement, std::int64_t alignment) {
    return placement == Placement::back
               ? buffer_.place(extent_.size, extent_.first, alignment, placement)
               : buffer_.place(extent_.size, extent_.base, page_size(), placement);
  }

  const GuardedBuffer& buffer() const { return buffer_; }
  std::span<std::byte> bytes() const { return buffer_.bytes(); }
  std::byte* base() const { return bytes().data() + extent_.base; }
  const Extent& extent() const { return extent_; }
  const Layout& layout() const { return layout_; }

 private:
  GuardedBuffer buffer_;
  Extent extent_;
  ElementType type_ = ElementType::u8;
  Layout layout_;
};

// A sentence, and the duty that is broken.
struct Wrong {
  std::string says;
  Duty duty = Duty::C5;
};

class Sweep {
 public:
  explicit Sweep(const PluginLibrary& library)
      : table_(library.table()),
        alignment_(library.capabilities().alignment),
        overlap_(library.capabilities().overlap) {}

  // What is wrong with it.
  std::optional<Wrong> wrong(const Request& request) {
    const auto strides = [](const std::optional<Strides>& given, const Shape& shape) {
      return given ? *given : row_major_strides(shape).value_or(Strides(shape.rank(), 1));
    };
    arguments_.take(request);
    const ElementType type = request.data_type;
    const std::int64_t alignment = alignment_ != 0 ? alignment_ : std::max(1, bits(type) / 8);
    if (!data_.take(type, {request.data, strides(request.strides, request.data), request.offset}) ||
        !data_.place(Placement::front, alignment) ||
        !receiver_.arm(request.pattern.values.size(), false)) {
      return std::nullopt;
    }
    control_->before({});
    hand_over_data(data_.base(), request.strides);
    if (!arguments_.arm()) return std::nullopt;
    const int inferred = call_and_restore(table_.infer_shape, arguments_.request(),
                                          receiver_.shape(), arguments_.message());
    const Result<Shape> shape = receiver_.read();
    if (inferred != RESHAPE_OK || !shape || element_count(*shape) != element_count(request.data) ||
        (request.out_strides && request.out_strides->size() != shape->rank())) {
      return Wrong{"inference answered " +
                   text(read_inference(inferred, receiver_, *arguments_.message()))};
    }
    if (!output_.take(type, {*shape, strides(request.out_strides, *shape), request.out_offset})) {
      return std::nullopt;
    }
    make_elements(type);
    const std::int64_t larger = std::max(data_.extent().size, output_.extent().size);
    for (const Placement placement : {Placement::front, Placement::back}) {
      if (placement == Placement::back && larger > kMostAtEnds) break;
      if (!data_.place(placement, alignment) || !output_.place(placement, alignment)) break;
      if (auto told = wrong_copy(request, *shape)) return told;
    }
    if (larger <= kMostShared) {
      if (auto told = wrong_before_data(request, *shape, alignment)) return told;
      if (overlap_) {
        if (auto told = wrong_over_data(request, *shape)) return told;
      }
    }
    std::vector<Observation> seen;
    control_->after({}, Status::ok, seen);
    if (seen.empty()) return std::nullopt;
    return Wrong{seen.front().saw, seen.front().duty};
  }

 private:
  std::optional<Wrong> wrong_copy(const Request& request, const Shape& shape) {
    std::ranges::copy(data_bytes_, data_.bytes().begin());
    std::ranges::fill(output_.bytes(), kHeld);
    hand_over_data(data_.base(), request.strides);
    hand_over_output(request.data_type, shape, output_.base(), request.out_strides);
    if (auto told = refused()) return Wrong{*std::move(told)};
    return difference(request.data_type);
  }

  // Both sides in one buffer: the output begins as far behind position 0 of the data as dense data
  // would end. Asked dense before it is asked as it is: what a library keeps of tensors by their
  // addresses and sizes may be that they do not overlap.
  std::optional<Wrong> wrong_over_data(const Request& request, const Shape& shape) {
    const Extent& data = data_.extent();
    const std::int64_t unit = std::max<std::int64_t>(alignment_, 64);
    const std::int64_t apart = (std::ssize(elements_) + unit - 1) / unit * unit;
    const std::string where = ", where the output begins " + std::to_string(apart) +
                              " bytes behind the data in one buffer";
    if (!shared_.place(8 * kMostShared, 2 * kMostShared, page_size(), Placement::front)) {
      return std::nullopt;
    }
    std::byte* const data_base = shared_.bytes().data() + 2 * kMostShared;
    std::byte* const output_base = data_base + apart;
    if (request.strides || request.out_strides) {
      std::fill_n(data_base - data.base + data.first, elements_.size(), std::byte{0});
      hand_over_data(data_base, std::nullopt);
      hand_over_output(request.data_type, shape, output_base, std::nullopt);
      if (auto told = refused()) return Wrong{*told + where + ", both dense", Duty::C21};
    }
    std::optional<Wrong> told = wrong_in_one(request, shape, data_base, output_base, where);
    if (told) told->duty = Duty::C21;
    return told;
  }

  // Both sides in one buffer: the output ends where the data begins, or a few bytes before that.
  std::optional<Wrong> wrong_before_data(const Request& request, const Shape& shape,
                                         std::int64_t alignment) {
    constexpr std::int64_t kFew = 4;
    const Extent &data = data_.extent(), &output = output_.extent();
    std::int64_t begin = output.size + turn_++ % kFew * alignment;  // of the data
    begin += (alignment - (begin + data.first - output.first) % alignment) % alignment;
    if (!shared_.place(begin + data.size, begin + data.first, alignment, Placement::front)) {
      return std::nullopt;
    }
    std::byte* const all = shared_.bytes().data();
    return wrong_in_one(request, shape, all + begin + data.base, all + output.base,
                        ", where the output ends " + std::to_string(begin - output.size) +
                            " bytes before the data in one buffer");
  }

  // Both sides in one buffer, each from where its position 0 lies; `where` ends the sentence.
  std::optional<Wrong> wrong_in_one(const Request& request, const Shape& shape,
                                    std::byte* data_base, std::byte* output_base,
                                    const std::string& where) {
    const Extent &data = data_.extent(), &output = output_.extent();
    std::byte* const begin = std::min(data_base - data.base, output_base - output.base);
    std::byte* const end =
        std::max(data_base - data.base + data.size, output_base - output.base + output.size);
    std::fill(begin, end, kHeld);
    std::ranges::copy(data_bytes_, data_base - data.base);
    right_of_both_.assign(begin, end);
    scatter(request.data_type, output_.layout(), elements_,
            right_of_both_.data() + (output_base - begin));
    hand_over_data(data_base, request.strides);
    hand_over_output(request.data_type, shape, output_base, request.out_strides);
    if (auto told = refused()) return Wrong{*told + where};
    if (same_bytes({begin, end}, right_of_both_)) return std::nullopt;
    const auto other = std::mismatch(begin, end, right_of_both_.begin()).first;
    return Wrong{"byte " + std::to_string(other - (output_base - output.base + output.first)) +
                 " behind the output's first element is another one" + where};
  }

  // Executes, and says how it failed.
  std::optional<std::string> refused() {
    if (!arguments_.arm()) return std::nullopt;
    const int status = call_and_restore(table_.execute, arguments_.request(), arguments_.output(),
                                        arguments_.message());
    if (status == RESHAPE_OK) return std::nullopt;
    return std::string("execution answered ") + name(status_of(status)) + " (" +
           text_of(*arguments_.message()) + ")";
  }

  void hand_over_data(std::byte* base, const std::optional<Strides>& strides) {
    const auto [pointer, offset] = way_to_first(base, data_);
    arguments_.data_at(pointer, offset, strides ? &*strides : nullptr);
  }
  void hand_over_output(ElementType type, const Shape& shape, std::byte* base,
                        const std::optional<Strides>& strides) {
    const auto [pointer, offset] = way_to_first(base, output_);
    arguments_.output_at(type, shape, pointer, offset, strides ? &*strides : nullptr);
  }
  // By turns the way to the first element is a part of the pointer, and a byte_offset.
  std::pair<std::byte*, std::uint64_t> way_to_first(std::byte* base, const Side& side) {
    const std::int64_t offset = side.extent().first - side.extent().base;
    apart_ = !apart_;
    if (!apart_) return {base + offset, 0};
    return {base, static_cast<std::uint64_t>(offset)};
  }

  void make_elements(ElementType type) {
    const auto size = static_cast<std::size_t>(data_.extent().size);
    while (noise_.size() < size) {
      noise_state_ = noise_state_ * 1664525 + 1013904223;
      noise_.push_back(static_cast<std::byte>(noise_state_ >> 24));
    }
    data_bytes_.assign(noise_.begin(), noise_.begin() + static_cast<std::ptrdiff_t>(size));
    make_ordinary(type);
    elements_ = gather(type, data_.layout(), data_bytes_.data() + data_.extent().base);
    right_.assign(static_cast<std::size_t>(output_.extent().size), kHeld);
    scatter(type, output_.layout(), elements_, right_.data() + output_.extent().base);
  }

  // Positive floating-point numbers that are normal, and integers that these hold: what changes
  // other values is found where it is asked for, and is no fault of a layout.
  void make_ordinary(ElementType type) {
    if (type == ElementType::boolean) {
      for (std::byte& byte : data_bytes_) byte &= std::byte{1};
    }
    const std::size_t width = static_cast<std::size_t>(bits(type)) / 8;
    const bool floating = is_float(type);
    if (width == 0 || (width == 1 && !floating)) return;
    const std::size_t first = static_cast<std::size_t>(data_.extent().first) % width;
    for (std::size_t at = first + width; at <= data_bytes_.size(); at += width) {
      std::byte& highest = data_bytes_[at - 1];
      highest = floating ? (highest & std::byte{0x1f}) | std::byte{0x20} : std::byte{0};
      if (width == sizeof(std::int64_t) && !floating) data_bytes_[at - 2] = std::byte{0};
    }
  }

  std::optional<Wrong> difference(ElementType type) const {
    const bool right = same_bytes(output_.bytes(), right_);
    if (right && same_bytes(data_.bytes(), data_bytes_)) {
      for (const Side* const side : {&output_, &data_}) {
        const auto spill = side->buffer().spill();
        if (spill) return Wrong{"it " + text(*spill, side->buffer().name()), Duty::C7};
      }
      return std::nullopt;
    }
    if (right) return Wrong{"a byte of the data was changed", Duty::C6};
    const std::vector<std::byte> came = gather(type, output_.layout(), output_.base());
    const auto other = std::ranges::mismatch(came, elements_);
    if (other.in1 != came.end()) {
      const auto bit = (other.in1 - came.begin()) * 8;
      return Wrong{"element " + std::to_string(bit / bits(type)) + " of " +
                   std::to_string(element_count(output_.layout().shape).value_or(0)) +
                   " is another one than the data's"};
    }
    const auto byte = std::ranges::mismatch(output_.bytes(), right_).in1 - output_.bytes().begin();
    return Wrong{"a byte between the output's elements was written, " +
                     std::to_string(byte - output_.extent().first) +
                     " bytes from the first of them",
                 Duty::C8};
  }

  const reshape_plugin& table_;
  const std::int64_t alignment_;  // declared
  const bool overlap_;
  DlRequest arguments_;
  ShapeReceiver receiver_;
  Side data_{kNameOfData}, output_{"output"};
  GuardedBuffer shared_{"data and output"};
  const WatchPtr control_ = watch_floating_point_control();
  std::uint32_t noise_state_ = 1;
  std::vector<std::byte> noise_;
  std::vector<std::byte> data_bytes_, right_;  // all of either side
  std::vector<std::byte> right_of_both_;       // in one buffer
  std::vector<std::byte> elements_;            // packed
  bool apart_ = false;
  std::int64_t turn_ = 0;
};

}  // namespace

Outcome examine_sweep(const PluginLibrary& library, const std::vector<Request>& requests,
                      std::chrono::steady_clock::time_point end) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::produced;
  Sweep sweep(library);
  std::int64_t right = 0;
  for (const Request& request : requests) {
    outcome.cut_short = std::chrono::steady_clock::now() > end;
    if (outcome.cut_short) break;
    std::optional<Wrong> wrong;
    if (const auto thrown = thrown_by([&] { wrong = sweep.wrong(request); }))
      wrong = Wrong{"it " + *thrown, Duty::C16};
    if (wrong) {
      outcome = malformed("execution", wrong->says);
      outcome.observations = {{CaughtBy::bytes, Plane::bytes, wrong->duty, std::move(wrong->says)}};
      break;
    }
    ++right;
  }
  outcome.shape = Shape{right};
  return outcome;
}

}  // namespace reshape::conformance
