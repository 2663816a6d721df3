// A library that is right but for one thing, which the environment variable RESHAPE_BREAKS names: a
// law, a way to die in one request within the bound, or a race that shows in no answer.
#include <dlfcn.h>
#include <getopt.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/abi/reshape_plugin.h"

extern "C" const reshape_plugin* reshape_right_entry(void);

namespace {

const reshape_plugin& right() { return *reshape_right_entry(); }

std::string_view breaks() {
  const char* variable = std::getenv("RESHAPE_BREAKS");
  return variable == nullptr ? "" : variable;
}

reshape_status refuse(const char* sentence, reshape_message* why) {
  std::strncpy(why->text, sentence, sizeof why->text - 1);
  why->text[sizeof why->text - 1] = '\0';
  return RESHAPE_REJECTED;
}

std::int64_t count(const DLTensor& tensor) {
  std::int64_t product = 1;
  for (std::int32_t axis = 0; axis < tensor.ndim; ++axis) product *= tensor.shape[axis];
  return product;
}

std::int64_t pattern_value(const DLTensor& pattern, std::int64_t at) {
  const auto* base = static_cast<const char*>(pattern.data) + pattern.byte_offset;
  const int bytes = pattern.dtype.bits / 8;
  if (bytes == 0) return 1;
  std::int64_t value = 0;
  std::memcpy(&value, base + at * bytes, static_cast<std::size_t>(bytes));
  const int unused = 64 - pattern.dtype.bits;
  return pattern.dtype.code == kDLInt ? value << unused >> unused : value;
}

bool pattern_has(const DLTensor& pattern, std::int64_t wanted) {
  for (std::int64_t at = 0; pattern.ndim == 1 && at < pattern.shape[0]; ++at) {
    if (pattern_value(pattern, at) == wanted) return true;
  }
  return false;
}

unsigned char* bytes_of(const DLTensor& tensor) {
  return static_cast<unsigned char*>(tensor.data) + tensor.byte_offset;
}

std::uintptr_t address(const DLTensor& tensor) {
  return reinterpret_cast<std::uintptr_t>(bytes_of(tensor));
}

// Spoils the first of at least two whole-byte elements.
void spoil_first(DLTensor& output) {
  if (output.dtype.bits < 8 || count(output) < 2) return;
  unsigned char& first = *bytes_of(output);
  first = static_cast<unsigned char>(first ^ (output.dtype.code == RESHAPE_DL_BOOL ? 1 : 0x55));
}

// The same of a dense output.
void spoil(DLTensor& output) {
  if (output.strides == nullptr) spoil_first(output);
}

// Reads the bytes behind a dense output, up to a multiple of 16, and writes them back.
void write_back_behind(const DLTensor& output) {
  const std::int64_t bits = count(output) * output.dtype.bits;
  if (output.strides != nullptr || bits == 0) return;
  volatile unsigned char* const end = bytes_of(output) + (bits + 7) / 8;
  const std::size_t rest = (16 - reinterpret_cast<std::uintptr_t>(end) % 16) % 16;
  unsigned char behind[16];
  for (std::size_t at = 0; at < rest; ++at) behind[at] = end[at];
  usleep(20);  // so that a busy machine lets the other thread write, too
  for (std::size_t at = 0; at < rest; ++at) end[at] = behind[at];
}

// Reads eight elements of a byte with the gaps between them, and writes them back at once.
void write_gaps_back(const DLTensor& output) {
  constexpr std::int64_t kEight = 15;  // bytes, of which every second is an element
  if (output.ndim != 1 || output.dtype.bits != 8) return;
  if (output.strides == nullptr || output.strides[0] != 2) return;
  volatile unsigned char* const first = bytes_of(output);
  for (std::int64_t at = 0; at + kEight <= 2 * output.shape[0] - 1; at += kEight + 1) {
    volatile unsigned char both[kEight];
    for (int byte = 0; byte < kEight; ++byte) both[byte] = first[at + byte];
    for (int merged = 0; merged < 4; ++merged) {
      for (int byte = 0; byte < kEight; byte += 2) both[byte] = both[byte];
    }
    for (int byte = 0; byte < kEight; ++byte) first[at + byte] = both[byte];
  }
}

// Sets the denormals of a dense bf16 output to 0, and returns whether there were any.
bool without_denormals(DLTensor& output) {
  constexpr unsigned kExponent = 0x7f80, kFraction = 0x7f;
  if (output.strides != nullptr || output.dtype.code != kDLBfloat) return false;
  unsigned char* const base = bytes_of(output);
  bool any = false;
  for (std::int64_t at = 0; at < count(output); ++at) {
    std::uint16_t element = 0;
    std::memcpy(&element, base + 2 * at, sizeof element);
    if ((element & kExponent) != 0 || (element & kFraction) == 0) continue;
    std::memset(base + 2 * at, 0, sizeof element);
    any = true;
  }
  return any;
}

// What is kept between calls.
std::thread::id g_loader;
std::atomic<int> g_inside = 0;
std::atomic<int> g_calls = 0;
// A counter of its own, because the library may stay loaded from one test to the next.
std::atomic<int> g_calls_of_many = 0;
volatile int g_calls_uncounted = 0;  // by threads that count at once
bool g_after_empty = false;
std::atomic<bool> g_after_refusal = false;  // set whatever is broken, by all threads
int g_last_type = -1;
int g_last_flag = -9;
int g_last_strided = -1;
std::atomic<std::int64_t> g_sizes[64];
std::set<std::int64_t> g_different;
std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> g_strides;
std::atomic<bool> g_denormals = false;  // were met
std::atomic<bool> g_executed = false;
std::atomic<bool> g_refused = false;  // the last execution, with a 4 in its pattern
std::map<std::string, std::vector<unsigned char>> g_outputs;
bool g_second_time = false;
constexpr int kBreakerWasHere = 0x5eed;
constexpr int kFewAxes = 12;           // declared, by which more end the process or fail
std::atomic<bool> g_inferred = false;  // in the process
thread_local bool t_inferred = false;
bool g_asked_for_another = false;  // document than those that exist

bool is(std::string_view law) { return breaks() == law; }

// Whether the call before this one, if any, was of another kind.
bool changed(int& last, int now) {
  const bool differs = last != now && last >= 0;
  last = now;
  return differs;
}

bool world_request(const reshape_request& request) {
  const DLTensor& data = *request.data;
  return data.ndim == 2 && data.shape[0] == 2 && data.shape[1] == 2 &&
         request.pattern->shape[0] == 1 && pattern_value(*request.pattern, 0) == 4 &&
         request.special_zero == RESHAPE_FLAG_TRUE &&
         std::strcmp(request.dialect, "openvino-reshape-1") == 0;
}

// Whether rows of bytes, 64 to 255 each way, are turned.
bool is_turned_tile(const DLTensor& data) {
  const auto few = [](std::int64_t size) { return size >= 64 && size < 256; };
  return data.ndim == 2 && data.dtype.bits == 8 && data.strides != nullptr &&
         data.strides[0] == 1 && data.strides[1] == data.shape[0] && few(data.shape[0]) &&
         few(data.shape[1]);
}

// What is left of a block of eight is written together with the gap behind the row.
void write_behind_a_stepped_row(const DLTensor& data, const DLTensor& output) {
  if (data.ndim != 2 || output.ndim != 2 || data.dtype.bits != 16) return;
  if (data.strides == nullptr || output.strides == nullptr) return;
  const std::int64_t columns = output.shape[1];
  if (data.strides[1] != 2 || output.strides[1] != 1 || output.strides[0] <= columns) return;
  if (columns % 8 == 7) std::memset(bytes_of(output) + 2 * columns, 0, 2);
}

// Eight bytes at a time, of which the last are too many.
void read_behind(const DLTensor& data) {
  if (!is_turned_tile(data) || data.shape[0] % 8 != 4) return;
  const volatile unsigned char* const first = bytes_of(data);
  static_cast<void>(first[count(data) + 3]);
}

void leave_mmx_in_use(const DLTensor& data) {
  if (!is_turned_tile(data) || data.shape[0] % 32 > 8) return;
#if defined(__x86_64__)
  asm volatile("movq (%0), %%mm0" : : "r"(address(data)) : "memory");
#endif
}

// What did not overlap is remembered by where it begins and how much it is.
bool was_remembered_apart(const DLTensor& data, const DLTensor& output) {
  if (data.ndim != 1 || output.strides != nullptr) return false;
  const std::int64_t step = data.strides == nullptr ? 1 : data.strides[0];
  const auto bytes = [&](std::int64_t elements) {
    return static_cast<std::uintptr_t>(elements * data.dtype.bits / 8);
  };
  const std::int64_t size = data.shape[0];
  if (step <= 0 || size == 0) return false;
  static std::uintptr_t kept_data = 0, kept_output = 0, kept_bytes = 0;
  const bool overlap = address(output) < address(data) + bytes((size - 1) * step + 1) &&
                       address(data) < address(output) + bytes(size);
  if (overlap) {
    return address(data) == kept_data && address(output) == kept_output &&
           bytes(size) == kept_bytes;
  }
  kept_data = address(data);
  kept_output = address(output);
  kept_bytes = bytes(size);
  return false;
}

// Shapes are kept by how many elements there are, and how many values of which the first twelve.
void answer_as_kept(const reshape_request& request, reshape_shape& shape) {
  constexpr std::int64_t kKept = 12;
  static std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> known;
  const DLTensor& pattern = *request.pattern;
  if (pattern.ndim != 1 || pattern.shape[0] <= kKept) return;
  std::vector<std::int64_t> key = {count(*request.data), pattern.shape[0]};
  for (std::int64_t at = 0; at < kKept; ++at) key.push_back(pattern_value(pattern, at));
  const auto& kept = known.try_emplace(key, shape.sizes, shape.sizes + shape.rank).first->second;
  if (std::ssize(kept) == shape.rank) std::copy(kept.begin(), kept.end(), shape.sizes);
}

// Whether two bytes are not turned by a table that the first call fills, which takes it about a
// millisecond, and which another call believes to be filled. Volatile: it is written in order.
bool turned_by_half_a_table(const DLTensor& data) {
  static volatile std::uint16_t table[1 << 16];
  static std::atomic<int> begun = 0;
  constexpr unsigned kTimes = 32;
  if (begun.exchange(1) == 0) {
    for (unsigned at = 0; at < std::size(table) * kTimes; ++at) {
      const unsigned two = at / kTimes;
      table[two] = static_cast<std::uint16_t>(two << 8 | two >> 8);
    }
  }
  const unsigned char* const last = bytes_of(data);
  const unsigned two = last[-1] + 256u * last[0];
  return table[two] != last[-1] * 256u + last[0];
}

// What a fast path of its own would copy.
bool is_odd_layout(const DLTensor& data, const DLTensor& output) {
  const std::int64_t* const from = data.strides;
  const std::int64_t* const into = output.strides;
  if (is("one-value-into-rows-apart")) {
    return data.ndim == 2 && from != nullptr && from[0] == 0 && from[1] == 0 && into != nullptr;
  }
  if (is("channels-last-of-a-batch")) {
    return data.ndim == 4 && from != nullptr && from[1] == 1 && data.shape[1] > 16;
  }
  if (is("reversed-by-a-table")) {
    static std::atomic<int> begun = 0, filled = 0;
    if (data.ndim != 1 || data.dtype.bits != 8 || from == nullptr || from[0] != -1) return false;
    if (begun.exchange(1) == 0) {
      usleep(100000);
      filled = 1;
    }
    return filled == 0;
  }
  if (is("reversed-by-half-a-table")) {
    return data.ndim == 1 && data.dtype.bits == 8 && data.shape[0] > 1 && from != nullptr &&
           from[0] == -1 && turned_by_half_a_table(data);
  }
  if (is("steps-of-28")) return data.ndim == 1 && from != nullptr && from[0] == 28;
  if (is("steps-of-2-into-3")) {
    return data.ndim == 1 && from != nullptr && from[0] == 2 && into != nullptr && into[0] == 3;
  }
  if (is("twelve-axes-when-cut")) {
    return from != nullptr && into != nullptr && data.ndim + output.ndim > 12;
  }
  if (is("booleans-at-a-step")) {
    return data.dtype.code == RESHAPE_DL_BOOL && data.ndim == 1 && from != nullptr && from[0] == 2;
  }
  if (is("steps-in-24-bits")) {
    return data.ndim == 1 && from != nullptr && from[0] == std::int64_t{1} << 23;
  }
  if (is("shortly-before-the-data")) {
    const std::uintptr_t end =
        address(output) + static_cast<std::uintptr_t>(count(output) * output.dtype.bits / 8);
    return output.strides == nullptr && end <= address(data) && address(data) - end < 16;
  }
  if (is("remembered-apart")) return was_remembered_apart(data, output);
  if (is("layouts-in-turn")) return data.ndim == 1 && from != nullptr && from[0] == 11;
  if (is("shifts-by-eleven-bytes")) {
    return from == nullptr && count(data) > 4096 && (address(output) - address(data)) % 16 == 11;
  }
  if (is("tiles-of-96-and-a-tail")) {
    return data.ndim == 2 && from != nullptr && from[0] == 1 && data.shape[0] > 96 &&
           data.shape[1] > 96 && data.shape[0] % 96 < 4;
  }
  if (is("inner-axes-exchanged")) {
    return data.ndim == 6 && from != nullptr && from[5] == 1 && from[0] > from[1] &&
           from[1] < from[2];
  }
  return false;
}

// The values of the pattern that was executed last, and where they lay; none since an inference.
struct LastExecuted {
  const void* at = nullptr;
  std::vector<std::int64_t> values;
};
LastExecuted g_last_executed;

// Whether a plan that is kept by where the pattern lies is the one of another pattern.
bool was_planned_otherwise(const DLTensor& pattern) {
  LastExecuted now{pattern.data, {}};
  for (std::int64_t at = 0; pattern.ndim == 1 && at < pattern.shape[0]; ++at) {
    now.values.push_back(pattern_value(pattern, at));
  }
  const LastExecuted before = std::exchange(g_last_executed, now);
  return before.at == now.at && before.values != now.values;
}

// Whether nine rows of two are asked for.
bool is_nine_by_two(const DLTensor& pattern) {
  return pattern.ndim == 1 && pattern.shape[0] == 2 && pattern_value(pattern, 0) == 9 &&
         pattern_value(pattern, 1) == 2;
}

reshape_status infer(const reshape_request* request, reshape_shape* shape, reshape_message* why) {
  struct Inside {
    Inside() { ++g_inside; }
    ~Inside() { --g_inside; }
  } inside;
  const DLTensor& data = *request->data;
  if (is("crashes-always") || (is("crashes-once") && world_request(*request))) std::abort();
  if (is("hangs-always") || (is("hangs-once") && world_request(*request))) {
    while (true) usleep(1000);
  }
  if (std::strcmp(request->dialect, "no-such-document") == 0) g_asked_for_another = true;
  const DLTensor& pattern = *request->pattern;
  const bool after_refusal = g_refused.exchange(false);
  const bool many = data.ndim > kFewAxes || (pattern.ndim == 1 && pattern.shape[0] > kFewAxes);
  g_inferred = true;
  t_inferred = true;
  if (many && is("dies-of-many-axes")) std::abort();
  if (many && is("fails-of-many-axes")) return RESHAPE_FAILED;  // no fault
  if (data.dtype.code != kDLFloat && is("dies-of-integers")) std::abort();
  if (is("no-answer-but-races")) g_calls_uncounted = g_calls_uncounted + 1;
  if (is("rank-3-refused") && data.ndim == 3) return refuse("three axes", why);
  if (is("rank-3-crashes") && data.ndim == 3) std::abort();
  if (is("wrong-once") && world_request(*request)) return refuse("this one", why);
  if (is("unloaded-and-loaded") && g_second_time) return refuse("used up", why);
  if (is("loaded-here-run-there") && std::this_thread::get_id() != g_loader) {
    return refuse("another thread", why);
  }
  if (is("two-at-once") || is("odd-threads")) {
    usleep(300);
    if (g_inside > (is("odd-threads") ? 2 : 1)) return refuse("busy", why);
  }
  if (is("many-calls") && ++g_calls_of_many > 200) return refuse("tired", why);
  if (is("worn-by-use") && ++g_calls == 65536) return refuse("counted in 16 bits", why);
  if (is("worn-on-other-threads") && std::this_thread::get_id() != g_loader) {
    thread_local int calls = 0;
    if (++calls == 50) return refuse("counted by thread", why);
  }
  if (is("executions-in-turn")) g_last_executed = {};
  if (is("room-for-65536") && data.ndim == 2) {
    static std::set<std::pair<std::int64_t, std::int64_t>> kept;
    kept.emplace(data.shape[0], data.shape[1]);
    if (kept.size() > 65536) return refuse("no room for another one", why);
  }
  if (is("room-for-many") && data.ndim > 0) {
    g_different.insert(data.shape[0]);
    if (g_different.size() > 1000) return refuse("no room for another one", why);
  }
  // At no fixed distance, which could be as many calls as a request is asked by.
  if (is("same-again") && ++g_calls * 0x9e3779b9u >> 16 & 1) return refuse("every other", why);
  if (is("other-type-between") && changed(g_last_type, data.dtype.code * 256 + data.dtype.bits)) {
    return refuse("another type", why);
  }
  if (is("other-flag-between") && changed(g_last_flag, request->special_zero + 5)) {
    return refuse("another flag", why);
  }
  if (is("empty-between")) {
    const bool empty = std::any_of(data.shape, data.shape + data.ndim,
                                   [](std::int64_t size) { return size == 0; });
    const bool before = g_after_empty;
    g_after_empty = empty;
    if (before && !empty) return refuse("after an empty one", why);
  }
  if (is("rejected-between") && g_after_refusal) {
    g_after_refusal = false;
    return refuse("after a refusal", why);
  }
  if (is("flag-without-zeros") && request->special_zero == RESHAPE_FLAG_TRUE &&
      !pattern_has(*request->pattern, 0)) {
    return refuse("no zero to be special", why);
  }
  if (is("first-calls-at-once")) {
    static std::atomic<int> begun = 0, ready = 0;
    if (begun.exchange(1) == 0) {
      usleep(100000);
      ready = 1;
    }
    if (ready == 0) return refuse("the table of the first call is not filled in", why);
  }
  const reshape_status status = right().infer_shape(request, shape, why);
  if (status != RESHAPE_OK) {
    // Too little room is tried within one request.
    if (status == RESHAPE_REJECTED) g_after_refusal = true;
    return status;
  }
  if (is("infers-it-turned") && is_nine_by_two(pattern)) {
    std::swap(shape->sizes[0], shape->sizes[1]);
  }
  if (is("keeps-twelve-values")) answer_as_kept(*request, *shape);
  if (is("turns-narrow-sizes") && shape->rank == 2 && data.dtype.bits == 16) {
    std::swap(shape->sizes[0], shape->sizes[1]);
  }
  if (is("refused-then-inferred") && after_refusal && shape->rank > 0) ++shape->sizes[0];
  if (is("volume-kept") && shape->rank > 0) ++shape->sizes[shape->rank - 1];
  if (is("no-shape-of-nothing") && shape->rank > 0 && count(data) == 0) shape->sizes[0] = -1;
  if (is("element-type-free") && data.dtype.bits == 16 && shape->rank > 0) ++shape->sizes[0];
  if (is("minus-one-resolves") && pattern_has(*request->pattern, -1)) ++shape->sizes[0];
  if (is("ones-inserted") && shape->rank > 1 && shape->sizes[0] == 1) {
    for (std::int32_t at = 1; at < shape->rank; ++at) shape->sizes[at - 1] = shape->sizes[at];
    --shape->rank;
  }
  if (is("idempotent") && shape->rank == data.ndim &&
      std::equal(data.shape, data.shape + data.ndim, shape->sizes)) {
    ++shape->sizes[0];
  }
  if (is("different-at-once")) {
    std::copy(shape->sizes, shape->sizes + std::min(shape->rank, 64), g_sizes);
    usleep(300);
    std::copy(g_sizes, g_sizes + std::min(shape->rank, 64), shape->sizes);
  }
  return status;
}

reshape_status execute(const reshape_request* request, DLTensor* output, reshape_message* why) {
  const DLTensor& data = *request->data;
  static const pid_t first = getpid();
  if (is("asked-by-a-fork") && getpid() != first) return refuse("not the first process", why);
  if (is("executes-where-inferred") && !t_inferred) return refuse("not prepared", why);
  if (is("executes-once-inferred") && !g_inferred) return refuse("not prepared", why);
  if (is("executes-65536")) {
    static std::set<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>> kept;
    kept.emplace(std::vector(data.shape, data.shape + data.ndim),
                 std::vector(output->shape, output->shape + output->ndim));
    if (kept.size() > 65536) return refuse("no room for another one", why);
  }
  if (is("first-execution-refused") && !g_executed.exchange(true)) return refuse("not ready", why);
  if (is("without-memory")) {
    void* volatile buffer = std::malloc(std::size_t{1} << 28);
    if (buffer == nullptr) return refuse("no memory", why);
    std::free(buffer);
  }
  if (is("many-axes-without-memory") && output->ndim > 4096) {
    void* volatile buffer = std::malloc(static_cast<std::size_t>(output->ndim) * 64);
    *static_cast<volatile char*>(buffer) = 1;
    std::free(buffer);
  }
  // What could not be had once is not asked for again.
  static bool had_no_memory = false;
  if (is("turned-after-no-memory") && data.strides != nullptr && count(data) > 1 << 16) {
    void* volatile buffer = std::malloc(static_cast<std::size_t>(count(data)));
    if (buffer == nullptr) {
      had_no_memory = true;
      return RESHAPE_FAILED;
    }
    std::free(buffer);
  }
  if (is("threads-that-end") || (is("turned-threads-that-end") && data.strides != nullptr)) {
    thread_local char* const volatile kept = static_cast<char*>(std::malloc(1000));
    *kept = 1;
  }
  if (is("a-cache-that-ends")) {
    constexpr std::size_t kFull = 400;
    thread_local std::vector<void*> kept;
    if (kept.size() < kFull) kept.push_back(std::malloc(200));
  }
  if (gettid() != getpid()) {
    if (is("leaks-on-threads")) {
      void* volatile const lost = std::malloc(200);
      static_cast<void>(lost);
    }
    if (is("environment-on-threads")) setenv("RESHAPE_THREADED", "1", 1);
    static std::once_flag once;
    if (is("environment-once")) std::call_once(once, [] { setenv("RESHAPE_STARTED", "1", 1); });
  }
  // It stays till the process ends, as what has an inline variable of a template does.
  if (is("dies-at-the-end") || is("hangs-at-the-end") || is("slow-at-the-end")) {
    static const bool set = [] {
      static const int here = 0;
      Dl_info info;
      return dladdr(&here, &info) != 0 &&
             dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE) != nullptr &&
             std::atexit([] {
               if (is("dies-at-the-end")) std::abort();
               if (is("hangs-at-the-end")) pause();
               usleep(1'500'000);
             }) == 0;
    }();
    static_cast<void>(set);
  }
  // No fault: what calls leave is freed once in a few thousand of them.
  if (is("frees-seldom")) {
    static std::vector<std::vector<char>> kept;
    if (kept.size() == 3000) kept.clear();
    kept.emplace_back(1000);
  }
  const std::int64_t bytes = count(data) * data.dtype.bits / 8;
  const bool long_copy = is("copies-beyond-32-bits");
  if ((long_copy || is("nothing")) && bytes > 1 << 20 && data.strides == nullptr &&
      output->strides == nullptr) {
    std::memcpy(bytes_of(*output), bytes_of(data),
                long_copy ? static_cast<std::uint32_t>(bytes) : static_cast<std::size_t>(bytes));
    return RESHAPE_OK;
  }
  // Copies whole rows, which is faster than what is right element by element.
  const bool rows_cut =
      is(data.strides != nullptr ? "cuts-long-rows-of-data" : "cuts-long-rows-of-output");
  if ((rows_cut || is("nothing")) && bytes > 1 << 22 && data.ndim == 2 && output->ndim == 2 &&
      (data.strides == nullptr) != (output->strides == nullptr) && data.dtype.bits >= 8) {
    const std::int64_t width = data.dtype.bits / 8;
    const std::int64_t row = std::min(data.shape[1], output->shape[1]) * width;
    const auto apart = [](const DLTensor& of) {
      return of.strides == nullptr ? of.shape[1] : of.strides[0];
    };
    for (std::int64_t at = 0; at < bytes; at += row) {
      const std::int64_t begin = rows_cut ? at % (std::int64_t{1} << 31) : at;
      const auto place = [&](const DLTensor& of) {
        const std::int64_t whole = of.shape[1] * width;
        return begin / whole * apart(of) * width + begin % whole;
      };
      std::memcpy(bytes_of(*output) + place(*output), bytes_of(data) + place(data),
                  static_cast<std::size_t>(row));
    }
    return RESHAPE_OK;
  }
  // Copies one axis of bytes, which is faster than what is right element by element.
  const bool same_byte = data.ndim == 1 && data.strides != nullptr && data.strides[0] == 0;
  const bool length_cut = is(same_byte ? "cuts-long-repeats" : "cuts-long-steps");
  if ((length_cut || is("cuts-long-steps") || is("nothing")) && bytes > 1 << 22 && data.ndim == 1 &&
      data.strides != nullptr && output->strides == nullptr && data.dtype.bits == 8 &&
      (same_byte || data.strides[0] == 2)) {
    const std::int64_t length = length_cut ? static_cast<std::int32_t>(bytes) : bytes;
    unsigned char* const to = bytes_of(*output);
    const unsigned char* const from = bytes_of(data);
    if (same_byte && length > 0) std::memset(to, *from, static_cast<std::size_t>(length));
    for (std::int64_t at = 0; !same_byte && at < length; ++at) to[at] = from[2 * at];
    return RESHAPE_OK;
  }
  if (is("rejection-writes-nothing") && output->strides == nullptr && count(*output) > 0) {
    std::memset(bytes_of(*output), 0,
                static_cast<std::size_t>((count(*output) * output->dtype.bits + 7) / 8));
  }
  // Elements of some size go through one buffer, whichever thread brings them.
  if (is("one-buffer") && data.strides != nullptr && bytes > 1 << 16) {
    static std::vector<char> buffer(1 << 20);
    DLTensor between = *output;
    between.data = buffer.data();
    between.byte_offset = 0;
    const reshape_status status = right().execute(request, &between, why);
    if (status != RESHAPE_OK || output->strides != nullptr) {
      return right().execute(request, output, why);
    }
    std::memcpy(bytes_of(*output), buffer.data(), static_cast<std::size_t>(bytes));
    return status;
  }
  if (is("infers-it-turned") && is_nine_by_two(*request->pattern) && output->ndim == 2) {
    if (output->shape[0] != 2) return refuse("two rows are inferred", why);
    std::int64_t sizes[] = {9, 2};
    DLTensor turned = *output;
    turned.shape = sizes;
    turned.strides = nullptr;
    return right().execute(request, &turned, why);
  }
  DLTensor dense = data;
  reshape_request asked = *request;
  if (is("input-layout-free") && data.strides != nullptr &&
      std::all_of(data.strides, data.strides + data.ndim, [](auto step) { return step > 0; })) {
    dense.strides = nullptr;
    asked.data = &dense;
  }
  const reshape_status status = right().execute(&asked, output, why);
  g_refused = status != RESHAPE_OK && pattern_has(*request->pattern, 4);
  if (status != RESHAPE_OK || count(*output) == 0) return status;
  if (is("no-denormals")) without_denormals(*output);
  if (is("first-calls") && !g_denormals && without_denormals(*output)) g_denormals = true;
  if (is("composition") && data.ndim == 1) spoil(*output);
  if (is("round-trip") && data.ndim > output->ndim) spoil(*output);
  if (is("alignment-free") && address(*output) % 64 != 0) spoil(*output);
  if (is("spoils-on-threads") && std::this_thread::get_id() != g_loader) spoil(*output);
  if (is("executions-in-turn") && was_planned_otherwise(*request->pattern)) spoil(*output);
  if (is_odd_layout(data, *output)) spoil_first(*output);
  if (is("reads-behind-the-data")) read_behind(data);
  if (is("writes-behind-stepped-rows")) write_behind_a_stepped_row(data, *output);
  if (is("leaves-mmx-in-use")) leave_mmx_in_use(data);
  if (is("neighbour-keeps-its-byte")) write_back_behind(*output);
  if (is("fills-in-the-output-strides") && output->strides == nullptr) {
    static std::int64_t strides[16];
    output->strides = strides;
    return status;
  }
  if (had_no_memory && data.strides != nullptr) spoil(*output);
  if (is("gaps-written-back-at-once")) write_gaps_back(*output);
  if (is("undeclared-between") && std::exchange(g_asked_for_another, false)) spoil(*output);
  if (is("lookalikes") && data.strides != nullptr && data.ndim == 2) {
    const std::pair strides(data.strides[0], data.strides[1]);
    const auto known = g_strides.try_emplace(strides.first * 31 + strides.second, strides).first;
    if (known->second != strides) spoil(*output);
  }
  if (is("other-stride-between") && changed(g_last_strided, data.strides != nullptr ? 2 : 1)) {
    spoil(*output);
  }
  if (output->strides != nullptr || output->dtype.bits < 8) return status;
  unsigned char* const base = bytes_of(*output);
  const auto width = static_cast<std::size_t>(output->dtype.bits / 8);
  const auto size = static_cast<std::size_t>(count(*output)) * width;
  if (is("batch-permutation")) std::memcpy(base + size - width, base, width);
  if (is("other-buffers-between")) {
    // Answers with the output of the previous request of these sizes whose data lay elsewhere. A
    // call at once over the same data is right, or no request would be by itself.
    static const unsigned char* last = nullptr;
    const unsigned char* const now = bytes_of(data);
    if (std::exchange(last, now) == now) return status;
    std::string key(reinterpret_cast<const char*>(data.shape),
                    static_cast<std::size_t>(data.ndim) * sizeof(std::int64_t));
    std::vector<unsigned char> written(base, base + size);
    std::vector<unsigned char>& before = g_outputs[key];
    if (before.size() == size) std::memcpy(base, before.data(), size);
    before = std::move(written);
  }
  return status;
}

reshape_status no_view(const reshape_request*, DLTensor*, reshape_message* why) {
  refuse("not today", why);
  return RESHAPE_UNSUPPORTED;
}

// As a library that needs an alignment may: it has declared that not every view is made.
reshape_status some_view(const reshape_request* request, DLTensor* output, reshape_message* why) {
  constexpr std::uintptr_t kAligned = 64;
  const DLTensor& data = *request->data;
  std::int64_t sizes[1100];
  reshape_shape shape = {1100, 0, sizes};
  const reshape_status status = right().infer_shape(request, &shape, why);
  if (status != RESHAPE_OK) return status;
  if (!std::equal(sizes, sizes + shape.rank, output->shape, output->shape + output->ndim)) {
    return refuse("another shape", why);
  }
  if (data.strides != nullptr || address(data) % kAligned != 0)
    return no_view(request, output, why);
  output->data = data.data;
  output->byte_offset = data.byte_offset;
  std::int64_t stride = 1;
  for (std::int32_t axis = output->ndim; axis-- > 0; stride *= output->shape[axis]) {
    output->strides[axis] = stride;
  }
  return RESHAPE_OK;
}

reshape_plugin table() {
  reshape_plugin made = right();
  made.infer_shape = infer;
  made.execute = execute;
  if (is("nothing-executed")) {
    made.execute = nullptr;
    made.view = nullptr;
    made.description.capabilities &=
        ~std::uint32_t{RESHAPE_VIEWS | RESHAPE_IN_PLACE | RESHAPE_OVERLAP};
    made.description.capabilities |= RESHAPE_SHAPE_ONLY;
  }
  if (is("dies-of-many-axes") || is("fails-of-many-axes")) made.description.max_rank = kFewAxes;
  if (is("dies-of-integers")) made.description.element_types = "f64 f32 f16";
  if (is("view-aliases")) {
    made.description.capabilities |= RESHAPE_VIEWS;
    made.view = no_view;
  }
  if (is("declines-some-views")) {
    made.description.capabilities |= RESHAPE_VIEWS | RESHAPE_SOME_VIEWS;
    made.view = some_view;
  }
  return made;
}

}  // namespace

extern "C" RESHAPE_EXPORT const reshape_plugin* reshape_plugin_entry(void) {
  // Rebuilt at each call: the library may still be loaded from a test that broke something else.
  static reshape_plugin made;
  made = table();
  g_loader = std::this_thread::get_id();
  g_denormals = false;
  g_executed = false;
  // Kept in a variable of the C library, which outlives this one and which nothing else uses: the
  // environment, say, would be put back as it was before this was loaded.
  g_second_time = optopt == kBreakerWasHere;
  optopt = kBreakerWasHere;
  return &made;
}
