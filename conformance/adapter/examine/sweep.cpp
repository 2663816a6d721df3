#include "conformance/adapter/examine/sweep.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "conformance/adapter/contract/dl_request.h"
#include "conformance/adapter/contract/inferred.h"
#include "conformance/adapter/contract/kept_registers.h"
#include "conformance/adapter/contract/shape_receiver.h"
#include "conformance/adapter/contract/thrown.h"
#include "conformance/adapter/memory/tensor_image.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {
namespace {

constexpr std::byte kHeld{0xa5};                            // what the output held before
constexpr std::int64_t kPage = 4096;                        // a multiple of every alignment
constexpr std::int64_t kMargin = 64;                        // bytes on either side of the output
constexpr std::int64_t kMostBytes = std::int64_t{1} << 26;  // of either side

// One side of a copy in a buffer that is used again and again. Position 0 of its layout lies at a
// multiple of a page, so that an offset of the request decides how its first element is aligned.
class Side {
 public:
  // False where the elements span too much, or there is no memory.
  bool place(ElementType type, Layout layout) {
    type_ = type;
    layout_ = std::move(layout);
    const ElementRange range = touched(layout_);
    if (range.last - range.first >= kMostBytes || range.first < -kMostBytes ||
        range.last >= kMostBytes) {
      return false;
    }
    const std::int64_t lowest = std::min<std::int64_t>(bytes_down(range.first) - kMargin, 0);
    const std::int64_t base = (-lowest + kPage - 1) / kPage * kPage;
    begin_ = static_cast<std::size_t>(base + bytes_down(range.first) - kMargin);
    end_ = static_cast<std::size_t>(base + bytes_down(range.last) + bits(type) / 8 + 1 + kMargin);
    base_ = static_cast<std::size_t>(base);
    if (end_ > room_) {
      room_ = (end_ + kPage - 1) / kPage * kPage;
      bytes_.reset(static_cast<std::byte*>(std::aligned_alloc(kPage, room_)));
      if (!bytes_) room_ = 0;
    }
    return bytes_ != nullptr;
  }

  // From the first byte of the margin to the last.
  std::span<std::byte> bytes() const { return {bytes_.get() + begin_, end_ - begin_}; }
  std::byte* base() const { return bytes_.get() + base_; }
  std::size_t base_in_bytes() const { return base_ - begin_; }
  std::int64_t offset_in_bytes() const { return layout_.offset * bits(type_) / 8; }
  const Layout& layout() const { return layout_; }

 private:
  std::int64_t bytes_down(std::int64_t position) const {
    const std::int64_t all = position * bits(type_);
    return all >= 0 ? all / 8 : -((-all + 7) / 8);
  }

  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<std::byte[], Free> bytes_;
  std::size_t room_ = 0, begin_ = 0, base_ = 0, end_ = 0;
  ElementType type_ = ElementType::u8;
  Layout layout_;
};

class Sweep {
 public:
  explicit Sweep(const reshape_plugin& table) : table_(table) {}

  // What is wrong with it, in a sentence.
  std::optional<std::string> wrong(const Request& request) {
    const auto strides = [](const std::optional<Strides>& given, const Shape& shape) {
      return given ? *given : row_major_strides(shape).value_or(Strides(shape.rank(), 1));
    };
    arguments_.take(request);
    if (!data_.place(request.data_type,
                     {request.data, strides(request.strides, request.data), request.offset}) ||
        !receiver_.arm(request.pattern.values.size(), false)) {
      return std::nullopt;
    }
    place_at(data_, request.strides,
             [&](void* pointer, std::uint64_t offset, const Strides* given) {
               arguments_.data_at(pointer, offset, given);
             });
    if (!arguments_.arm()) return std::nullopt;
    const int inferred = call_and_restore(table_.infer_shape, arguments_.request(),
                                          receiver_.shape(), arguments_.message());
    const Result<Shape> shape = receiver_.read();
    if (inferred != RESHAPE_OK || !shape || element_count(*shape) != element_count(request.data) ||
        (request.out_strides && request.out_strides->size() != shape->rank())) {
      return "inference answered " +
             text(read_inference(inferred, receiver_, *arguments_.message()));
    }
    if (!output_.place(request.data_type,
                       {*shape, strides(request.out_strides, *shape), request.out_offset})) {
      return std::nullopt;
    }
    place_at(output_, request.out_strides,
             [&](void* pointer, std::uint64_t offset, const Strides* given) {
               arguments_.output_at(request.data_type, *shape, pointer, offset, given);
             });
    fill(request.data_type);
    if (!arguments_.arm()) return std::nullopt;
    const int status = call_and_restore(table_.execute, arguments_.request(), arguments_.output(),
                                        arguments_.message());
    if (status != RESHAPE_OK) {
      return std::string("execution answered ") + name(status_of(status)) + " (" +
             text_of(*arguments_.message()) + ")";
    }
    return difference(request.data_type);
  }

 private:
  // By turns the way to the first element is a part of the pointer, and a byte_offset.
  template <typename Take>
  void place_at(const Side& side, const std::optional<Strides>& strides, const Take& take) {
    const Strides* const given = strides ? &*strides : nullptr;
    const std::int64_t offset = side.offset_in_bytes();
    apart_ = !apart_;
    if (offset < 0 || !apart_) return take(side.base() + offset, 0, given);
    take(side.base(), static_cast<std::uint64_t>(offset), given);
  }

  void fill(ElementType type) {
    std::uint32_t state = 1;
    for (std::byte& byte : data_.bytes()) {
      state = state * 1664525 + 1013904223;
      byte = static_cast<std::byte>(state >> 24);
    }
    make_ordinary(type);
    std::ranges::fill(output_.bytes(), kHeld);
    elements_ = gather(type, data_.layout(), data_.base());
    right_.assign(output_.bytes().size(), kHeld);
    scatter(type, output_.layout(), elements_, right_.data() + output_.base_in_bytes());
  }

  // Positive floating-point numbers that are normal, and integers that these hold: what changes
  // other values is found where it is asked for, and is no fault of a layout.
  void make_ordinary(ElementType type) {
    const std::span<std::byte> bytes = data_.bytes();
    if (type == ElementType::boolean) {
      for (std::byte& byte : bytes) byte &= std::byte{1};
    }
    const std::size_t width = static_cast<std::size_t>(bits(type)) / 8;
    if (width == 0 || (width == 1 && !is_float(type))) return;
    const std::size_t first = data_.base_in_bytes() % width;
    for (std::size_t at = first + width; at <= bytes.size(); at += width) {
      std::byte& highest = bytes[at - 1];
      highest = is_float(type) ? (highest & std::byte{0x1f}) | std::byte{0x20} : std::byte{0};
      if (width == sizeof(std::int64_t) && !is_float(type)) bytes[at - 2] = std::byte{0};
    }
  }

  std::optional<std::string> difference(ElementType type) const {
    if (std::ranges::equal(output_.bytes(), right_)) return std::nullopt;
    const std::vector<std::byte> came = gather(type, output_.layout(), output_.base());
    const auto other = std::ranges::mismatch(came, elements_);
    if (other.in1 != came.end()) {
      const auto bit = (other.in1 - came.begin()) * 8;
      return "element " + std::to_string(bit / bits(type)) + " of " +
             std::to_string(element_count(output_.layout().shape).value_or(0)) +
             " is another one than the data's";
    }
    const auto byte = std::ranges::mismatch(output_.bytes(), right_).in1 - output_.bytes().begin();
    return "a byte between or beside the output's elements was written, " +
           std::to_string(byte - static_cast<std::ptrdiff_t>(output_.base_in_bytes()) -
                          output_.offset_in_bytes()) +
           " bytes from the first of them";
  }

  const reshape_plugin& table_;
  DlRequest arguments_;
  ShapeReceiver receiver_;
  Side data_, output_;
  std::vector<std::byte> elements_, right_;  // packed; and the right output with its margins
  bool apart_ = false;
};

}  // namespace

Outcome examine_sweep(const PluginLibrary& library, const std::vector<Request>& requests,
                      std::chrono::steady_clock::time_point end) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::produced;
  Sweep sweep(library.table());
  std::int64_t right = 0;
  for (const Request& request : requests) {
    outcome.cut_short = std::chrono::steady_clock::now() > end;
    if (outcome.cut_short) break;
    std::optional<std::string> wrong;
    if (const auto thrown = thrown_by([&] { wrong = sweep.wrong(request); }))
      wrong = "it " + *thrown;
    if (wrong) {
      outcome.kind = Outcome::Kind::malformed;
      outcome.during = "execution";
      outcome.message = *std::move(wrong);
      break;
    }
    ++right;
  }
  outcome.shape = Shape{right};
  return outcome;
}

}  // namespace reshape::conformance
