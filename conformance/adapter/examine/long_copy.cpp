#include "conformance/adapter/examine/long_copy.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/adapter/contract/dl_request.h"
#include "conformance/adapter/contract/inferred.h"
#include "conformance/adapter/contract/kept_registers.h"
#include "conformance/adapter/contract/thrown.h"
#include "conformance/adapter/memory/memory_left.h"
#include "conformance/adapter/memory/repeated_pages.h"

namespace reshape::conformance {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::byte kHeld{0xa5};  // what the output held before
constexpr std::size_t kPage = 4096;
constexpr std::size_t kWindow = RepeatedPages::kWindow;

// Fills with words that are unique within a window; `salt` makes the rest differ from the windows.
void fill(std::span<std::byte> bytes, std::uint64_t salt) {
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size();
       at += sizeof(std::uint64_t)) {
    const std::uint64_t word = (at + salt) * 0x9e3779b97f4a7c15u;
    std::memcpy(bytes.data() + at, &word, sizeof word);
  }
}

// How the rows of a tensor lie, in bytes. Of one axis each element is a row.
struct Rows {
  template <typename Sizes>
  Rows(ElementType type, const Sizes& sizes, const std::optional<Strides>& strides)
      : row(static_cast<std::size_t>(
            bytes_for(type, sizes.size() > 1 ? static_cast<std::int64_t>(sizes[1]) : 1))),
        apart(strides ? static_cast<std::size_t>(bytes_for(type, (*strides)[0])) : row) {}

  // Where the byte lies that has so many before it.
  std::size_t place(std::size_t byte) const { return byte / row * apart + byte % row; }
  // Of how many bytes each is an element's; 0: all rows are the same.
  std::size_t spread() const { return apart / row; }

  std::size_t row;    // its elements
  std::size_t apart;  // from one row to the next
};

class LongCopy {
 public:
  LongCopy(const PluginLibrary& library, const Request& request)
      : table_(library.table()),
        request_(request),
        from_(request.data_type, request.data.sizes(), request.strides),
        to_(request.data_type, request.pattern.values, request.out_strides) {}

  Outcome run(int milliseconds) {
    Outcome outcome;
    outcome.kind = Outcome::Kind::unsupported;
    const std::optional<std::int64_t> count = element_count(request_.data);
    if (!count || table_.execute == nullptr) return outcome;
    const std::int64_t bytes = bytes_for(request_.data_type, *count);
    // The part behind the windows has pages of its own.
    const std::size_t windows = static_cast<std::size_t>(bytes - 1) / kWindow;
    const std::size_t rest = static_cast<std::size_t>(bytes) - windows * kWindow;
    if (bytes == 0 || rest % kPage != 0 || memory_left() / 2 < static_cast<std::uint64_t>(bytes) ||
        !is_soon_over(bytes, rest, milliseconds) || !map(windows, rest)) {
      return outcome;
    }
    const std::optional<std::string> wrong = copy(request_);
    if (!asked_) return outcome;
    outcome.kind = wrong ? Outcome::Kind::malformed : Outcome::Kind::produced;
    outcome.during = "execution";
    outcome.message = wrong.value_or("");
    return outcome;
  }

 private:
  using Milliseconds = std::chrono::duration<double, std::milli>;

  bool map(std::size_t windows, std::size_t rest) {
    data_.reset();
    output_.reset();
    data_ = RepeatedPages::map(windows * from_.spread(), std::max(rest * from_.spread(), kPage));
    output_ = RepeatedPages::map(windows * to_.spread(), rest * to_.spread());
    if (!data_ || !output_) return false;
    // A window of the output holds fewer of its elements than one of the data, and all windows of
    // the output are to hold the same.
    if (from_.spread() != 0) {
      const std::size_t same = kWindow / to_.spread();
      fill(data_->window().first(same), 1);
      for (std::size_t at = same; at < kWindow; at += same) {
        std::memcpy(data_->data() + at, data_->data(), same);
      }
    }
    fill(data_->rest(), kWindow + 3);
    return data_->make_read_only();
  }

  // Estimated from the time of a few windows, the best of several attempts: the first includes
  // initialization.
  bool is_soon_over(std::int64_t bytes, std::size_t rest, int milliseconds) {
    constexpr std::size_t kWindows = 2;
    constexpr int kTimes = 3;
    if (!map(kWindows, rest)) return false;
    const std::size_t part_bytes = kWindows * kWindow + rest;
    Request part = request_;
    std::vector<std::int64_t> sizes(request_.data.begin(), request_.data.end());
    sizes[0] = static_cast<std::int64_t>(part_bytes / from_.row);
    part.data = Shape(std::move(sizes));
    part.pattern.values[0] = part_bytes / to_.row;
    const double parts = static_cast<double>(bytes) / static_cast<double>(part_bytes);
    for (int time = 0; time < kTimes; ++time) {
      // Wrong results for a few windows are tested elsewhere.
      if (copy(part)) return false;
      if (asked_ && took_.count() * parts < milliseconds) return true;
    }
    return false;
  }

  // Executes a copy and returns what is wrong. asked_ is false where it was not executed.
  std::optional<std::string> copy(const Request& request) {
    asked_ = false;
    std::ranges::fill(output_->window(), kHeld);
    std::ranges::fill(output_->rest(), kHeld);
    DlRequest arguments;
    ShapeReceiver receiver;
    arguments.take(request);
    arguments.data_at(data_->data(), 0, request.strides ? &*request.strides : nullptr);
    if (!arguments.arm() || !receiver.arm(request.pattern.values.size(), false))
      return std::nullopt;
    std::optional<std::string> wrong;
    const auto thrown = thrown_by([&] {
      const int inferred = call_and_restore(table_.infer_shape, arguments.request(),
                                            receiver.shape(), arguments.message());
      const Result<Shape> shape = receiver.read();
      if (inferred != RESHAPE_OK || !shape ||
          element_count(*shape) != element_count(request.data)) {
        return;  // wrong inferences are tested elsewhere
      }
      arguments.output_at(request.data_type, *shape, output_->data(), 0,
                          request.out_strides ? &*request.out_strides : nullptr);
      if (!arguments.arm()) return;
      const Clock::time_point began = Clock::now();
      const int status = call_and_restore(table_.execute, arguments.request(), arguments.output(),
                                          arguments.message());
      took_ = Clock::now() - began;
      // A failure may be for lack of memory, which is not tested here.
      asked_ = status != RESHAPE_FAILED;
      if (status == RESHAPE_OK) {
        wrong = what_differs();
      } else if (asked_) {
        wrong = "inference answered " + text(*shape) + ", and execution " +
                name(status_of(status)) + " (" + text_of(*arguments.message()) + ")";
      }
    });
    if (thrown) {
      asked_ = true;
      wrong = "it " + *thrown;
    }
    return wrong;
  }

  // All windows hold what the last of them was given.
  std::optional<std::string> what_differs() const {
    if (auto wrong = difference(0, output_->window().size())) return wrong;
    return difference(output_->size() - output_->rest().size(), output_->size());
  }

  // Between these bytes of the output, each the first of a row or behind the last.
  std::optional<std::string> difference(std::size_t begin, std::size_t end) const {
    const std::vector<std::byte> gap(to_.apart - to_.row, kHeld);
    for (std::size_t at = begin; at < end; at += to_.apart) {
      const std::byte* const right = data_->data() + from_.place(at / to_.apart * to_.row);
      const std::byte* const came = output_->data() + at;
      if (std::memcmp(came, right, to_.row) != 0) {
        const auto differs = std::mismatch(came, came + to_.row, right).first;
        const bool untouched = *differs == kHeld;
        return what_was_copied() + (untouched ? " left byte " : " wrote another byte ") +
               std::to_string(differs - output_->data()) +
               (untouched ? " of the output as it was" : " to the output");
      }
      const std::byte* const behind = came + to_.row;
      if (!gap.empty() && std::memcmp(behind, gap.data(), gap.size()) != 0) {
        const auto differs = std::mismatch(gap.begin(), gap.end(), behind).second;
        return what_was_copied() + " wrote to byte " + std::to_string(differs - output_->data()) +
               " of the output, which is between its rows";
      }
    }
    return std::nullopt;
  }

  std::string what_was_copied() const {
    const std::string bytes = std::to_string(output_->size() / to_.spread()) + " bytes";
    const auto rows = [&](const Rows& of) {
      return (request_.data.rank() > 1 ? " rows of " : " one axis, elements of ") +
             std::to_string(of.row) + " bytes, " + std::to_string(of.apart) + " apart";
    };
    if (from_.spread() != 1) return "a copy of " + bytes + " from" + rows(from_);
    if (to_.spread() > 1) return "a copy of " + bytes + " to" + rows(to_);
    return "a dense copy of " + bytes;
  }

  const reshape_plugin& table_;
  const Request& request_;
  Rows from_, to_;
  std::optional<RepeatedPages> data_, output_;
  bool asked_ = false;  // by the last copy()
  Milliseconds took_{};
};

}  // namespace

Outcome examine_long_copy(const PluginLibrary& library, const Request& request, int milliseconds) {
  return LongCopy(library, request).run(milliseconds);
}

}  // namespace reshape::conformance
