// Checks the copies of the optimized library against the reference: every applicable kernel, on
// every instruction set of this machine, as a whole and in shares of several threads, with ordinary
// and with streaming stores. A hash of the input chooses among them, so that mutations of a request
// reach all. Each output has its own allocation, which ends where the output ends; every copy is
// made over two different fillings, so that bytes that were not written are noticed.
#include "optimized/execute.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>

#include "conformance/text/line.h"
#include "fuzz/engine/finding.h"
#include "fuzz/input/bytes.h"
#include "fuzz/targets/to_copy.h"
#include "optimized/kernels/table.h"
#include "optimized/plan.h"
#include "optimized/reshape.h"
#include "reference/reshape.h"
#include "reference/tensor/layout.h"

namespace reshape::fuzz {
namespace {

using conformance::Request;
using optimized::CopyPlan;
using optimized::PreparedCopy;
using optimized::Target;

// Limit for one input. Larger copies take the same paths, only more slowly.
constexpr std::int64_t kMostElements = 4096;
// Above this only one of kOneIn inputs is executed, chosen by a hash: the reference is slow.
constexpr std::int64_t kManyElements = 256;
constexpr std::uint32_t kOneIn = 16;
constexpr std::int64_t kMostBytes = 16 << 10;

// Runs the tasks of a copy one by one, the last first: shares must not depend on each other.
class Backwards : public optimized::ThreadPool {
 public:
  int threads() const override { return 3; }
  void run(int count, const std::function<void(int)>& task) override {
    for (int at = count; at-- > 0;) task(at);
  }
};

// An allocation of exactly the bytes that are touched, from the first to the last.
class Exact {
 public:
  Exact(std::int64_t first, std::int64_t size)
      : first_(first), size_(static_cast<std::size_t>(size)), bytes_(new std::byte[size_]) {}

  void fill(std::byte value) { std::memset(bytes_.get(), static_cast<int>(value), size_); }
  std::byte* base() { return bytes_.get() - first_; }
  const std::byte* bytes() const { return bytes_.get(); }
  std::size_t size() const { return size_; }

 private:
  std::int64_t first_;
  std::size_t size_;
  std::unique_ptr<std::byte[]> bytes_;
};

// The range of bytes that a layout touches, relative to its base.
struct Stretch {
  std::int64_t first = 0;
  std::int64_t size = 0;
};
Stretch stretch_of(ElementType type, const Layout& layout) {
  const ElementRange range = touched(layout);
  if (range.count() <= 0) return {};
  const int width = bits(type);
  const std::int64_t first = range.first * width / 8;
  return {first, (range.last * width + width + 7) / 8 - first};
}

constexpr std::array kFillings = {std::byte{0xa5}, std::byte{0x5a}};

// Runs one request through all copies.
class Copies {
 public:
  Copies(const Request& request, const Ruling& ruling, const Layout& from, const Layout& to)
      : request_(request),
        ruling_(ruling),
        from_(from),
        to_(to),
        read_(stretch_of(request.data_type, from)),
        write_(stretch_of(request.data_type, to)),
        data_(read_.first, read_.size),
        expected_{Exact(write_.first, write_.size), Exact(write_.first, write_.size)} {}

  bool affordable() const { return read_.size <= kMostBytes && write_.size <= kMostBytes; }

  void run(std::uint32_t turn) {
    fill_data();
    for (std::size_t at = 0; at < kFillings.size(); ++at) {
      expected_[at].fill(kFillings[at]);
      reference::copy_elements({request_.data_type, from_, data_.base()},
                               {request_.data_type, to_, expected_[at].base()});
    }
    const Result<CopyPlan> plan = optimized::plan_copy(request_.data_type, from_, to_);
    if (!plan) tell("refused", "a plan", plan.error().text());
    compare("the whole", 0,
            [&](std::byte* base) { optimized::run_copy(*plan, data_.base(), base, nullptr); });
    const auto& targets = optimized::runnable_targets();
    const Target& target = targets[turn % targets.size()];
    run_on(target, *plan);
    run_another_kernel(target, turn / static_cast<std::uint32_t>(targets.size()), *plan);
  }

 private:
  // Pseudo-random bytes, so that a misplaced element does not look right.
  void fill_data() {
    std::uint64_t state = 0x9e3779b97f4a7c15u;
    std::byte* byte = data_.base() + read_.first;
    for (std::int64_t at = 0; at < read_.size; at += 8) {
      state = state * 0x5851f42d4c957f2du + 0x14057b7ef767814fu;
      const std::uint64_t mixed = state ^ (state >> 29);
      std::memcpy(byte + at, &mixed,
                  static_cast<std::size_t>(std::min<std::int64_t>(8, read_.size - at)));
    }
  }

  // As a whole with ordinary stores over one filling; in shares with streaming stores over the
  // other.
  void run_on(const Target& target, const CopyPlan& plan) {
    for (const bool shared : {false, true}) {
      compare(target.name, shared ? 1 : 0, [&](std::byte* base) {
        Backwards pool;
        for (optimized::SeamWalk walk(plan.seams); walk.more(); walk.next()) {
          PreparedCopy copy(nest_of(plan, walk.run()), target);
          if (shared) {
            copy.force_streaming(true);
            copy.force_threads(3);
          }
          copy.run(data_.base(), base, shared ? &pool : nullptr);
        }
      });
    }
  }

  // A kernel that applies but was not chosen must be right, too.
  void run_another_kernel(const Target& target, std::uint32_t turn, const CopyPlan& plan) {
    if (!plan.seams.empty()) return;
    const optimized::UnitNest nest = optimized::in_units(plan.nest);
    // The first kernel of the table is the only one for half bytes.
    if (nest.run <= 0 || nest.half_bytes) return;
    const auto others = optimized::kernels().subspan(1);
    for (std::size_t i = 0; i < others.size(); ++i) {
      const optimized::Kernel& kernel = others[(turn + i) % others.size()];
      if (!kernel.when(nest)) continue;
      return compare(kernel.name, 0, [&](std::byte* base) {
        PreparedCopy(nest, kernel, target).run(data_.base(), base, nullptr);
      });
    }
  }

  static optimized::LoopNest nest_of(const CopyPlan& plan, const optimized::SeamWalk::Run& run) {
    optimized::LoopNest nest = plan.nest;
    nest.read_offset += run.read_offset;
    nest.write_offset += run.write_offset;
    if (!plan.seams.empty()) nest.loops.push_back(run.loop);
    return nest;
  }

  template <typename Copy>
  void compare(std::string_view way, std::size_t filling, Copy copy) {
    Exact output(write_.first, write_.size);
    output.fill(kFillings[filling]);
    copy(output.base());
    const Exact& right = expected_[filling];
    if (std::memcmp(output.bytes(), right.bytes(), output.size()) == 0) return;
    std::size_t at = 0;
    while (output.bytes()[at] == right.bytes()[at]) ++at;
    const auto byte = [at](const Exact& side) {
      return "byte " + std::to_string(at) + " is " +
             std::to_string(std::to_integer<int>(side.bytes()[at]));
    };
    tell(std::string(way), byte(right), byte(output));
  }

  [[noreturn]] void tell(const std::string& kind, const std::string& expected,
                         const std::string& answered) {
    report({token_for("optimized", request_, ruling_, "bytes", kind),
            conformance::print_line(request_), expected, answered});
  }

  const Request& request_;
  const Ruling& ruling_;
  const Layout& from_;
  const Layout& to_;
  Stretch read_;
  Stretch write_;
  Exact data_;
  std::array<Exact, 2> expected_;
};

}  // namespace

void test(Bytes bytes) {
  const std::optional<ToCopy> asked = to_copy(bytes, kMostElements);
  if (!asked) return;
  const auto& [request, ruling, count] = *asked;
  const std::uint32_t turn = turn_of(bytes);
  if (count > kManyElements && turn % kOneIn != 0) return;
  const Layout from = conformance::data_layout(request);
  const Layout to{ruling.shape,
                  request.out_strides ? *request.out_strides : *row_major_strides(ruling.shape),
                  request.out_offset};
  about_to_ask("optimized", request, ruling, "bytes");
  Copies copies(request, ruling, from, to);
  if (copies.affordable()) copies.run(turn / kOneIn);
}

}  // namespace reshape::fuzz
