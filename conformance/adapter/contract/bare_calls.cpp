#include "conformance/adapter/contract/bare_calls.h"

#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <utility>

#include "conformance/adapter/contract/inferred.h"
#include "conformance/adapter/contract/kept_registers.h"
#include "conformance/adapter/contract/thrown.h"
#include "conformance/adapter/memory/tensor_image.h"
#include "conformance/adapter/memory/view_alias.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kPage = 4096;                         // a multiple of every alignment
constexpr std::size_t kRoom = 1100;                         // sizes, at least
constexpr std::byte kHeld{0xa5};                            // what the output held before
constexpr int kOtherElements = -1;                          // as a status
constexpr std::int64_t kMostBytes = std::int64_t{1} << 26;  // of either side

std::size_t whole_pages(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

// Touches the stack up to its limit, or up to what a library may be expected to use: a stack that
// cannot grow would end the process, however well the library handles failed allocations.
[[gnu::noinline]] void grow_stack() {
  constexpr std::size_t kMost = std::size_t{8} << 20, kLeft = std::size_t{256} << 10;
  pthread_attr_t attributes;
  void* lowest = nullptr;
  std::size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  const bool known = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  pthread_attr_destroy(&attributes);
  const auto* here = static_cast<std::byte*>(__builtin_frame_address(0));
  const auto left = static_cast<std::size_t>(here - static_cast<std::byte*>(lowest));
  if (!known || left <= kLeft) return;
  const std::size_t bytes = std::min(left - kLeft, kMost);
  auto* room = static_cast<volatile std::byte*>(__builtin_alloca(bytes));
  for (std::size_t at = bytes; at > kPage; at -= kPage) room[at - kPage] = std::byte{0};
}

// While this lives, the process gets no more memory.
class NoMoreMemory {
 public:
  NoMoreMemory() {
    grow_stack();
    malloc_trim(0);
    std::ifstream pages("/proc/self/statm");
    rlim_t size = 0;
    if (!(pages >> size) || getrlimit(RLIMIT_AS, &before_) != 0) return;
    rlimit now = before_;
    now.rlim_cur = size * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
    limited_ = setrlimit(RLIMIT_AS, &now) == 0;
    if (limited_) fill_holes();
  }
  ~NoMoreMemory() {
    while (filled_ != nullptr) std::free(std::exchange(filled_, *static_cast<void**>(filled_)));
    if (limited_) setrlimit(RLIMIT_AS, &before_);
  }
  NoMoreMemory(const NoMoreMemory&) = delete;
  NoMoreMemory& operator=(const NoMoreMemory&) = delete;

 private:
  // Takes what large buffers that were freed have left in the heap.
  void fill_holes() {
    constexpr std::size_t kLargest = std::size_t{1} << 26, kSmallest = std::size_t{1} << 16;
    for (std::size_t size = kLargest; size >= kSmallest; size /= 2) {
      while (void* const hole = std::malloc(size)) {
        *static_cast<void**>(hole) = filled_;
        filled_ = hole;
      }
    }
  }

  void* filled_ = nullptr;  // each begins with the address of the one before
  rlimit before_ = {};
  bool limited_ = false;
};

std::string executed_words(int status) {
  return status == kOtherElements ? "wrote other elements" : name(status_of(status));
}

}  // namespace

BareCalls::BareCalls(const PluginLibrary& library, const Request& request, unsigned salt,
                     std::int64_t most_elements, Alone alone)
    : library_(library),
      table_(library.table()),
      type_(request.data_type),
      strides_(request.strides),
      out_strides_(request.out_strides),
      sizes_(std::max(kRoom, request.pattern.values.size())) {
  arguments_.take(request);
  over_data_.take(request);
  viewing_.take(request);
  const std::optional<std::int64_t> count = element_count(request.data);
  const bool small = request.out_offset == 0 && count && *count > 0 && *count <= most_elements &&
                     !request.shape_only && table_.execute != nullptr;
  if (small) lay_out(request, *count, salt);
  ready_ = arguments_.arm();
  if (alone == Alone::now) ask_first([] {});
}

BareCalls::Bytes BareCalls::pages_for(std::size_t bytes) {
  return Bytes(static_cast<std::byte*>(std::aligned_alloc(kPage, whole_pages(bytes))));
}

// Leaves count_ empty where the elements span too many bytes.
void BareCalls::lay_out(const Request& request, std::int64_t count, unsigned salt) {
  const Layout layout = data_layout(request);
  const std::optional<Extent> extent = extent_of(type_, layout);
  if (!extent || extent->size > kMostBytes) return;
  const auto bytes = static_cast<std::size_t>(extent->size);
  data_ = pages_for(bytes);
  if (!data_) return;
  count_ = count;
  // Bytes of 0 and 1 are valid in every type, booleans included. Integers have more, though none
  // is kHeld: what looks them up in a table that another thread still fills needs its last
  // entries, too.
  const bool any = is_integer(type_) && bits(type_) >= 8;
  for (std::size_t at = 0; at < bytes; ++at) {
    const std::size_t value = at * 7 + salt * 5 + at / 3;
    data_[at] = static_cast<std::byte>(any ? value * 29 + 91 : value >> 1 & 1);
    if (data_[at] == kHeld) data_[at] = ~kHeld;
  }
  elements_ = gather(type_, layout, data_.get() + extent->base);
  data_extent_ = *extent;
  arguments_.data_at(data_.get() + extent->first, 0, strides_ ? &*strides_ : nullptr);
}

void BareCalls::ask_first(const std::function<void()>& meet) {
  meet();
  ready_ = ready_ && !thrown_by([&] { alone_ = call(); });
  const bool sized = ready_ && count_ && alone_.inferred == RESHAPE_OK &&
                     std::ranges::none_of(alone_.shape, [](auto size) { return size < 0; }) &&
                     element_count(Shape(alone_.shape)) == count_;
  if (sized) executes_ = place_output() && arguments_.arm();
  meet();
  if (sized && thrown_by([&] { alone_ = call(); })) ready_ = false;
}

// Gaps, and the unused half of a last byte, must keep what the output held.
bool BareCalls::place_output() {
  const Shape shape(alone_.shape);
  if (out_strides_ && out_strides_->size() != shape.rank()) return false;
  const Layout layout{shape, out_strides_ ? *out_strides_ : *row_major_strides(shape), 0};
  const std::optional<Extent> extent = extent_of(type_, layout);
  if (!extent || extent->size > kMostBytes) return false;
  size_ = static_cast<std::size_t>(extent->size);
  output_ = pages_for(size_);
  if (!output_) return false;
  right_.assign(size_, kHeld);
  scatter(type_, layout, elements_, right_.data() + extent->base);
  arguments_.output_at(type_, shape, output_.get() + extent->first, 0,
                       out_strides_ ? &*out_strides_ : nullptr);
  place_over_data(layout, *extent);
  open_view(shape);
  return true;
}

// The output begins as far behind the data as its alignment allows, one element at least.
void BareCalls::place_over_data(const Layout& output, const Extent& extent) {
  const Capabilities& can = library_.capabilities();
  if (!can.overlap || *count_ < 2) return;
  const std::int64_t element = std::max(bits(type_) / 8, 1);
  const std::int64_t shift = std::max<std::int64_t>(can.alignment, element) / element * element;
  if (shift >= data_extent_.size) return;
  const auto behind = static_cast<std::size_t>(shift);
  const auto data_size = static_cast<std::size_t>(data_extent_.size);
  before_.assign(std::max(data_size, behind + size_), kHeld);
  std::memcpy(before_.data(), data_.get(), data_size);
  right_over_data_ = before_;
  scatter(type_, output, elements_, right_over_data_.data() + behind + extent.base);
  both_ = pages_for(before_.size());
  if (!both_) return;
  over_data_.data_at(both_.get() + data_extent_.first, 0, strides_ ? &*strides_ : nullptr);
  over_data_.output_at(type_, output.shape, both_.get() + behind + extent.first, 0,
                       out_strides_ ? &*out_strides_ : nullptr);
  if (!over_data_.arm()) both_.reset();
}

void BareCalls::open_view(const Shape& shape) {
  if (!library_.capabilities().views || table_.view == nullptr || out_strides_) return;
  const Strides unset(shape.rank(), kUnsetStride);
  viewing_.data_at(data_.get() + data_extent_.first, 0, strides_ ? &*strides_ : nullptr);
  viewing_.output_at(type_, shape, nullptr, 0, &unset);
  views_ = viewing_.arm();
}

int BareCalls::view() {
  viewing_.restore();
  DLTensor& output = *viewing_.output();
  const auto rank = static_cast<std::size_t>(output.ndim);
  const int answer = call_and_restore(table_.view, viewing_.request(), &output, viewing_.message());
  const std::byte* first = nullptr;
  if (answer == RESHAPE_OK && output.data != nullptr) {
    first = static_cast<const std::byte*>(output.data) + output.byte_offset;
  }
  const auto stride = [&](std::size_t axis) {
    return output.shape[axis] == 1 || output.strides == nullptr ? 0 : output.strides[axis];
  };
  bool same = true;
  if (answer == RESHAPE_OK && first_view_) {
    // Compared in place: there may be no memory.
    same = first == first_view_->first;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      same = same && stride(axis) == first_view_->strides[axis];
    }
  } else if (answer == RESHAPE_OK) {
    first_view_ = View{first, std::vector<std::int64_t>(rank)};
    for (std::size_t axis = 0; axis < rank; ++axis) first_view_->strides[axis] = stride(axis);
  }
  return same ? answer : kOtherElements;
}

std::vector<std::byte*> BareCalls::bytes_of_nobody() {
  constexpr std::size_t kLine = 64;  // of a cache
  std::vector<std::byte*> bytes;
  if (!executes_) return bytes;
  // No element of 0 and 1 is kHeld.
  for (std::size_t at = 0; at < size_; ++at) {
    if (right_[at] == kHeld) bytes.push_back(output_.get() + at);
  }
  const std::size_t end = std::min(size_ + kLine, whole_pages(size_));
  for (std::size_t at = size_; at < end; ++at) bytes.push_back(output_.get() + at);
  return bytes;
}

std::optional<std::string> BareCalls::execute(int times) {
  return thrown_by([&] {
    for (int time = 0; time < times; ++time) {
      arguments_.restore();
      call_and_restore(table_.execute, arguments_.request(), arguments_.output(),
                       arguments_.message());
    }
  });
}

std::optional<std::string> BareCalls::differs_from(const BareCalls& other, const char* how) const {
  if (ready_ == other.ready_ && (!ready_ || alone_ == other.alone_)) return std::nullopt;
  const auto said = [](const BareCalls& one) {
    return one.ready_ ? one.words_of_last(one.alone_) : std::string("it threw");
  };
  return said(*this) + "; " + how + ' ' + said(other);
}

void BareCalls::execute_uninferred(const Shape& shape) {
  if (!ready_ || !count_ || element_count(shape) != count_) return;
  executed_shape_.assign(shape.sizes().begin(), shape.sizes().end());
  alone_.shape = executed_shape_;
  executes_ = place_output() && arguments_.arm();
  if (!executes_) return;
  const auto thrown = thrown_by([&] {
    const int status = executed_now();
    uninferred_ = executed_words(status);
    const std::string why = status > RESHAPE_OK ? text_of(*arguments_.message()) : "";
    if (!why.empty()) *uninferred_ += " (" + why + ")";
  });
  if (thrown) uninferred_ = "threw";
}

bool BareCalls::infers_otherwise() const {
  return uninferred_ && (alone_.inferred != RESHAPE_OK || alone_.shape != executed_shape_);
}

std::optional<std::string> BareCalls::wrong_uninferred() const {
  const bool is_right = executes_ && alone_.inferred == RESHAPE_OK && alone_.executed == RESHAPE_OK;
  if (!is_right || !uninferred_ || *uninferred_ == executed_words(RESHAPE_OK)) return std::nullopt;
  return uninferred_;
}

int BareCalls::executed_now() {
  arguments_.restore();
  std::memset(output_.get(), std::to_integer<int>(kHeld), size_);
  const int status = call_and_restore(table_.execute, arguments_.request(), arguments_.output(),
                                      arguments_.message());
  const bool other = status == RESHAPE_OK && std::memcmp(output_.get(), right_.data(), size_) != 0;
  return other ? kOtherElements : status;
}

BareCalls::Answer BareCalls::call() {
  Answer answer;
  call(answer);
  return answer;
}

void BareCalls::call(Answer& answer) {
  arguments_.restore();
  const auto room = static_cast<std::int32_t>(sizes_.size());
  reshape_shape shape = {room, -1, sizes_.data()};
  answer.inferred =
      call_and_restore(table_.infer_shape, arguments_.request(), &shape, arguments_.message());
  if (answer.inferred == RESHAPE_OK) {
    const auto rank = static_cast<std::size_t>(std::clamp(shape.rank, 0, room));
    answer.shape.assign(sizes_.begin(), sizes_.begin() + static_cast<std::ptrdiff_t>(rank));
  }
  if (executes_) answer.executed = executed_now();
  if (both_) {
    over_data_.restore();
    std::memcpy(both_.get(), before_.data(), before_.size());
    answer.overlapped = call_and_restore(table_.execute, over_data_.request(), over_data_.output(),
                                         over_data_.message());
    if (answer.overlapped == RESHAPE_OK &&
        std::memcmp(both_.get(), right_over_data_.data(), before_.size()) != 0) {
      answer.overlapped = kOtherElements;
    }
  }
  if (views_) answer.viewed = view();
}

std::string BareCalls::words(const Answer& answer) const {
  std::string text = "inference answered ";
  text += answer.inferred == RESHAPE_OK ? text_of_sizes(answer.shape)
                                        : name(status_of(answer.inferred));
  if (executes_) text += ", execution " + executed_words(answer.executed);
  if (both_) text += ", execution over the data " + executed_words(answer.overlapped);
  if (views_) {
    text +=
        std::string(", view ") +
        (answer.viewed == kOtherElements ? "of other elements" : name(status_of(answer.viewed)));
  }
  return text;
}

std::string BareCalls::words_of_last(const Answer& answer) const {
  const bool failed = answer.inferred != RESHAPE_OK || answer.executed > RESHAPE_OK;
  const std::string why = failed                           ? text_of(*arguments_.message())
                          : answer.overlapped > RESHAPE_OK ? text_of(*over_data_.message())
                          : answer.viewed > RESHAPE_OK     ? text_of(*viewing_.message())
                                                           : "";
  return words(answer) + (why.empty() ? "" : " (" + why + ")");
}

BareCalls::Asked BareCalls::ask(const char* where, int times,
                                std::chrono::steady_clock::time_point end) {
  Asked asked;
  if (!ready_) return asked;
  constexpr int kLook = 64;  // calls between two readings of the clock
  const auto thrown = thrown_by([&] {
    for (int time = 0; time < times && !asked.differing; ++time) {
      asked.cut_short = time % kLook == kLook - 1 && std::chrono::steady_clock::now() > end;
      if (asked.cut_short) return;
      const Answer answer = call();
      if (answer == alone_) {
        ++asked.alike;
        continue;
      }
      asked.differing =
          std::string(where) + ' ' + words_of_last(answer) + "; alone " + words(alone_);
    }
  });
  if (thrown) asked.differing = std::string(where) + " it " + *thrown;
  return asked;
}

std::optional<std::string> BareCalls::ask_without_memory() {
  Answer answer;
  answer.shape.reserve(alone_.shape.size());  // so that storing the answer needs no memory
  std::optional<std::string> thrown;
  {
    const NoMoreMemory limit;
    thrown = thrown_by([&] { call(answer); });
  }
  const std::string where = "when no memory could be had ";
  if (thrown) return where + "it " + *thrown;
  return neither_alike_nor_failed(where, answer);
}

std::optional<std::string> BareCalls::ask_without_threads() {
  Answer answer;
  const std::optional<std::string> thrown = thrown_by([&] { call(answer); });
  if (thrown) return std::nullopt;
  return neither_alike_nor_failed("when no thread could be started ", answer);
}

std::optional<std::string> BareCalls::neither_alike_nor_failed(const std::string& where,
                                                               const Answer& answer) const {
  if (answer == alone_) return std::nullopt;
  const bool inference_failed = answer.inferred == RESHAPE_FAILED;
  const auto failed = [](int status, int alone) {
    return status == alone || status == RESHAPE_FAILED;
  };
  const bool execution_failed =
      answer.inferred == alone_.inferred && answer.shape == alone_.shape &&
      failed(answer.executed, alone_.executed) && failed(answer.overlapped, alone_.overlapped) &&
      failed(answer.viewed, alone_.viewed);
  if (!inference_failed && !execution_failed) {
    return where + words_of_last(answer) + "; before " + words(alone_);
  }
  const bool wrote = answer.executed == RESHAPE_FAILED &&
                     std::any_of(output_.get(), output_.get() + size_,
                                 [](std::byte byte) { return byte != kHeld; });
  const bool wrote_over = both_ && answer.overlapped == RESHAPE_FAILED &&
                          std::memcmp(both_.get(), before_.data(), before_.size()) != 0;
  if (wrote || wrote_over) return where + "execution failed, and had written to the output";
  return std::nullopt;
}

}  // namespace reshape::conformance
