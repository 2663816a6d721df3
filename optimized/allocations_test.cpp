// Calls on small tensors allocate nothing, whatever the answer is. This program replaces operator
// new and counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "conformance/abi/dlpack_types.h"
#include "conformance/abi/reshape_plugin.h"
#include "optimized/thread_pool.h"

namespace {
std::atomic<int> allocations = 0;
std::atomic<int> held = 0;  // and not given back

void* counted(std::size_t bytes, std::size_t alignment) {
  ++allocations;
  ++held;
  bytes = (bytes + alignment - 1) / alignment * alignment;
  if (void* memory = std::aligned_alloc(alignment, bytes == 0 ? alignment : bytes)) return memory;
  throw std::bad_alloc();
}

void give_back(void* memory) {
  if (memory != nullptr) --held;
  std::free(memory);
}
}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes, 16); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted(bytes, std::max<std::size_t>(16, static_cast<std::size_t>(alignment)));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return counted(bytes, 16); }
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { give_back(memory); }

namespace reshape {
namespace {

// One request on a tensor of f32 with the given strides (dense where there are none), and its
// output.
class Call {
 public:
  Call(std::vector<std::int64_t> shape, std::vector<std::int64_t> strides,
       std::vector<std::int64_t> pattern, std::vector<std::int64_t> output,
       ElementType type = ElementType::f32)
      : shape_(std::move(shape)),
        strides_(std::move(strides)),
        pattern_(std::move(pattern)),
        output_(std::move(output)),
        output_strides_(output_.size()),
        read_(8192),
        written_(8192) {
    const DLDevice cpu{kDLCPU, 0};
    pattern_size_ = static_cast<std::int64_t>(pattern_.size());
    from_ = {read_.data(), cpu, rank(shape_), dl_type_of(type), shape_.data(), nullptr, 0};
    if (!strides_.empty()) from_.strides = strides_.data();
    of_pattern_ = {pattern_.data(), cpu,     1, dl_type_of(ElementType::i64),
                   &pattern_size_,  nullptr, 0};
    to_ = {written_.data(), cpu, rank(output_), dl_type_of(type), output_.data(), nullptr, 0};
    request_ = {sizeof(reshape_request), RESHAPE_FLAG_TRUE, "openvino-reshape-1", &from_,
                &of_pattern_};
  }

  reshape_status infer() {
    std::array<std::int64_t, 16> sizes;
    reshape_shape shape{16, 0, sizes.data()};
    return plugin_->infer_shape(&request_, &shape, &why_);
  }
  reshape_status execute() { return plugin_->execute(&request_, &to_, &why_); }
  reshape_status view() {
    DLTensor seen = to_;
    seen.strides = output_strides_.data();
    return plugin_->view(&request_, &seen, &why_);
  }
  const char* why() const { return why_.text; }

 private:
  static std::int32_t rank(const std::vector<std::int64_t>& sizes) {
    return static_cast<std::int32_t>(sizes.size());
  }

  const reshape_plugin* plugin_ = reshape_plugin_entry();
  std::vector<std::int64_t> shape_, strides_, pattern_, output_, output_strides_;
  std::vector<std::byte> read_, written_;
  std::int64_t pattern_size_ = 0;
  DLTensor from_{}, of_pattern_{}, to_{};
  reshape_request request_{};
  reshape_message why_{};
};

// Allocations of three calls after the first, which may read the environment and the machine: the
// second makes a copy known, and the others run what is known.
template <typename Ask>
int allocations_of(Ask ask, reshape_status expected) {
  EXPECT_EQ(ask(), expected);
  int asked = 0;
  for (int time = 0; time < 3; ++time) {
    const int before = allocations;
    const reshape_status status = ask();
    asked += allocations - before;
    EXPECT_EQ(status, expected);
  }
  return asked;
}

TEST(Allocations, AreSeenByThisProgram) {
  const int before = allocations;
  EXPECT_NE(std::string(100, 'x').size(), 0u);
  EXPECT_GT(allocations, before);
}

TEST(Allocations, NoneInDenseCallsUpToRankEight) {
  for (std::size_t rank = 1; rank <= 8; ++rank) {
    const std::vector<std::int64_t> shape(rank, 2);
    std::vector<std::int64_t> pattern(rank, 1);
    pattern.front() = -1;
    std::vector<std::int64_t> output(rank, 1);
    output.front() = std::int64_t{1} << rank;
    Call call(shape, {}, pattern, output);
    EXPECT_EQ(allocations_of([&] { return call.infer(); }, RESHAPE_OK), 0) << rank;
    EXPECT_EQ(allocations_of([&] { return call.execute(); }, RESHAPE_OK), 0) << rank;
    EXPECT_EQ(allocations_of([&] { return call.view(); }, RESHAPE_OK), 0) << rank;
  }
  Call kibibyte({256}, {}, {-1}, {256});
  EXPECT_EQ(allocations_of([&] { return kibibyte.execute(); }, RESHAPE_OK), 0);
}

TEST(Allocations, NoneInCopiesThatPermuteUpToRankEight) {
  for (const ElementType type :
       {ElementType::f64, ElementType::f32, ElementType::f16, ElementType::u8, ElementType::i4}) {
    for (std::size_t rank = 2; rank <= 8; ++rank) {
      std::vector<std::int64_t> shape(rank, rank > 4 ? 2 : 4), strides(rank);
      std::int64_t step = 1;
      for (std::size_t axis = 0; axis < rank; ++axis) {
        strides[axis] = step;
        step *= shape[axis];
      }
      Call call(shape, strides, {-1}, {step}, type);
      EXPECT_EQ(allocations_of([&] { return call.execute(); }, RESHAPE_OK), 0) << rank;
      // There is no such view, and that is said without memory too.
      EXPECT_EQ(allocations_of([&] { return call.view(); }, RESHAPE_UNSUPPORTED), 0) << rank;
    }
  }
  Call slice({8, 8, 16}, {160, 20, 1}, {-1}, {1024});
  EXPECT_EQ(allocations_of([&] { return slice.execute(); }, RESHAPE_OK), 0);
  Call square({16, 16}, {1, 16}, {-1}, {256});
  EXPECT_EQ(allocations_of([&] { return square.execute(); }, RESHAPE_OK), 0);
}

TEST(Allocations, NoneInRefusals) {
  Call indivisible({2, 3, 5, 7, 2, 3, 5, 7}, {}, {-1, 11, 1, 1, 1, 1, 1, 1}, {1});
  EXPECT_EQ(allocations_of([&] { return indivisible.infer(); }, RESHAPE_REJECTED), 0);
  EXPECT_STREQ(indivisible.why(),
               "minus-one.divides: data [2,3,5,7,2,3,5,7] cannot become i64[-1,11,1,1,1,1,1,1]");
  EXPECT_EQ(allocations_of([&] { return indivisible.execute(); }, RESHAPE_REJECTED), 0);
  EXPECT_EQ(allocations_of([&] { return indivisible.view(); }, RESHAPE_REJECTED), 0);
  Call wrong_output({2, 3}, {}, {-1}, {5});
  EXPECT_EQ(allocations_of([&] { return wrong_output.execute(); }, RESHAPE_REJECTED), 0);
  EXPECT_STREQ(wrong_output.why(), "output.shape: the output is [5], but the request produces [6]");
}

// On a busy machine work items wait in the pool's queue: repeated calls must not make it grow.
TEST(Allocations, ThreadsThatGetNoTimeCostNoMemoryByTheCall) {
  const auto pool = optimized::make_thread_pool(4);
  std::atomic<int> busy = 0;
  std::atomic<bool> over = false;
  std::thread other([&] {
    pool->run(4, [&](int) {
      ++busy;
      over.wait(false);
    });
  });
  while (busy < 4) std::this_thread::yield();
  const auto held_after = [&](int calls) {
    for (int call = 0; call < calls; ++call) pool->run(2, [](int) {});
    return held.load();
  };
  const int before = held_after(100);
  EXPECT_EQ(held_after(500), before);
  over = true;
  over.notify_all();
  other.join();
}

}  // namespace
}  // namespace reshape
