// A small correct Reshape that misbehaves in one way at a time, for the tests of the adapters. The
// dialect of a request names the misbehaviour; "right" and "right-again" have none.
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "conformance/abi/reshape_plugin.h"
#include "conformance/adapter/testing/misbehave.h"

namespace {

using Request = reshape_request;
bool is(const Request* request, std::string_view name) { return request->dialect == name; }

std::int64_t pattern_at(const Request* request, std::int64_t i) {
  const DLTensor& pattern = *request->pattern;
  const char* first = static_cast<const char*>(pattern.data) + pattern.byte_offset;
  return reinterpret_cast<const std::int64_t*>(first)[i];
}

std::int64_t count_of(const DLTensor& tensor) {
  std::int64_t count = 1;
  for (int axis = 0; axis < tensor.ndim; ++axis) count *= tensor.shape[axis];
  return count;
}

reshape_status say(reshape_status status, reshape_message* why, const char* text) {
  std::snprintf(why->text, sizeof why->text, "%s", text);
  return status;
}

// Infers plain sizes and a -1.
reshape_status right_shape(const Request* request, reshape_shape* shape, reshape_message* why) {
  const std::int64_t rank = request->pattern->shape[0];
  const std::int64_t count = count_of(*request->data);
  std::int64_t known = 1;
  int open = 0;
  for (std::int64_t i = 0; i < rank; ++i) {
    if (pattern_at(request, i) == -1) {
      ++open;
    } else {
      known *= pattern_at(request, i);
    }
  }
  if (open > 1 || (open == 1 && (known == 0 || count % known != 0)) ||
      (open == 0 && known != count)) {
    return say(RESHAPE_REJECTED, why, "the element counts differ");
  }
  for (std::int64_t i = 0; i < rank; ++i) {
    const std::int64_t size = pattern_at(request, i);
    shape->sizes[i] = size == -1 ? count / known : size;
  }
  shape->rank = static_cast<std::int32_t>(rank);
  return RESHAPE_OK;
}

// Position in half bytes of element `index` in row-major order.
std::int64_t half_bytes_at(const DLTensor& tensor, std::int64_t index) {
  if (tensor.strides == nullptr) return index * tensor.dtype.bits / 4;
  std::int64_t position = 0;
  for (int axis = tensor.ndim; axis-- > 0;) {
    position += index % tensor.shape[axis] * tensor.strides[axis];
    index /= tensor.shape[axis];
  }
  return position * tensor.dtype.bits / 4;
}

unsigned char* start_of(const DLTensor& tensor) {
  return static_cast<unsigned char*>(tensor.data) + tensor.byte_offset;
}

unsigned char half_at(const DLTensor& tensor, std::int64_t at) {
  const std::int64_t byte = at >= 0 ? at / 2 : (at - 1) / 2;
  return static_cast<unsigned char>((start_of(tensor)[byte] >> (at - byte * 2) * 4) & 0xf);
}

void set_half(const DLTensor& tensor, std::int64_t at, unsigned value) {
  const std::int64_t byte = at >= 0 ? at / 2 : (at - 1) / 2;
  const int shift = static_cast<int>(at - byte * 2) * 4;
  unsigned char& whole = start_of(tensor)[byte];
  whole = static_cast<unsigned char>((whole & ~(0xfu << shift)) | value << shift);
}

reshape_status right_copy(const Request* request, DLTensor* output, reshape_message* why) {
  std::int64_t sizes[128];
  reshape_shape shape = {128, 0, sizes};
  if (right_shape(request, &shape, why) != RESHAPE_OK) return RESHAPE_REJECTED;
  const std::int64_t count = count_of(*request->data);
  const bool same = output->ndim == shape.rank &&
                    std::equal(output->shape, output->shape + output->ndim, shape.sizes);
  const bool lets_through = is(request, "takes-any-output") || is(request, "wrong-shape") ||
                            is(request, "change-output-sizes");
  static int others = 0;
  const bool this_time = !same && is(request, "takes-any-output-once") && others++ == 0;
  if (!same && !lets_through && !this_time) {
    return say(RESHAPE_REJECTED, why, "the output has another shape");
  }
  const int halves = request->data->dtype.bits / 4;
  // The data may share the output's memory, so all of it is read first.
  std::vector<unsigned char> read;
  read.reserve(static_cast<std::size_t>(count * halves));
  for (std::int64_t index = 0; index < count; ++index) {
    const std::int64_t from = half_bytes_at(*request->data, index);
    for (int half = 0; half < halves; ++half) read.push_back(half_at(*request->data, from + half));
  }
  auto next = read.begin();
  for (std::int64_t index = 0; index < count; ++index) {
    const std::int64_t to = half_bytes_at(*output, index);
    for (int half = 0; half < halves; ++half) {
      if (is(request, "copies-forwards")) *next = half_at(*request->data, index * halves + half);
      set_half(*output, to + half, *next++);
    }
  }
  return RESHAPE_OK;
}

// The misbehaviour behind the prefix "in-execute.", which happens in execute; else empty.
std::string_view in_execute(std::string_view dialect) {
  constexpr std::string_view kPrefix = "in-execute.";
  return dialect.starts_with(kPrefix) ? dialect.substr(kPrefix.size()) : "";
}

bool infers_too_much(const Request* request) {
  return std::string_view(request->dialect).starts_with("too-much");
}

// Executes outputs of three elements more than the data, in a different way for each dialect.
reshape_status execute_too_much(const Request* request, DLTensor* output, reshape_message* why) {
  const std::int64_t count = count_of(*request->data);
  const std::int64_t size = request->data->dtype.bits / 8;
  if (is(request, "too-much-refused") && count_of(*output) != count) {
    return say(RESHAPE_REJECTED, why, "the volume differs");
  }
  if (is(request, "too-much-written")) std::memset(start_of(*output), 0, (count + 3) * size);
  if (is(request, "too-much-written-far")) std::memset(start_of(*output), 0, 100 * 4096);
  if (is(request, "too-much-read") && count_of(*output) > count) {
    std::memcpy(start_of(*output), start_of(*request->data), (count + 3) * size);
  }
  if (is(request, "too-much-aborts")) std::abort();
  if (is(request, "too-much-throws")) throw std::runtime_error("out of range");
  if (is(request, "too-much-hangs")) misbehave("hang");
  return RESHAPE_OK;
}

reshape_status infer(const Request* request, reshape_shape* shape, reshape_message* why) {
  misbehave(request->dialect);
  if (request->pattern->ndim == 1 && request->pattern->shape[0] > shape->capacity) {
    return say(RESHAPE_FAILED, why, "no room");
  }
  const auto answers = [shape](std::int64_t size) {
    shape->rank = 1;
    shape->sizes[0] = size;
    return RESHAPE_OK;
  };
  if (is(request, "wrong-shape")) return answers(1);
  if (infers_too_much(request)) return answers(count_of(*request->data) + 3);
  if (is(request, "negative-size")) return answers(-5);
  if (is(request, "rank-too-large")) {
    shape->rank = 100'000;
    return RESHAPE_OK;
  }
  if (is(request, "no-rank")) return RESHAPE_OK;
  if (is(request, "status-17")) {
    volatile int unheard_of = 17;
    return static_cast<reshape_status>(unheard_of);
  }
  if (is(request, "failed")) return say(RESHAPE_FAILED, why, "no memory");
  if (is(request, "unsupported")) return say(RESHAPE_UNSUPPORTED, why, "not this one");
  if (is(request, "changing-answer")) {
    static int asked = 0;
    if (++asked % 2 == 0) return say(RESHAPE_REJECTED, why, "not today");
  }
  if (is(request, "infers-the-fifth-otherwise")) {
    static int asked = 0;
    if (++asked == 5) return answers(count_of(*request->data));
  }
  if (is(request, "forgets-the-flag")) {
    static bool refused = false;
    refused |= request->special_zero == RESHAPE_FLAG_FALSE && pattern_at(request, 0) == 0;
    if (refused) return say(RESHAPE_REJECTED, why, "refused before");
  }
  if ((is(request, "minds-data") && request->data->data != nullptr) ||
      (is(request, "minds-strides") && request->data->strides != nullptr) ||
      (is(request, "minds-pattern-offset") && request->pattern->byte_offset != 0) ||
      (is(request, "minds-null-pattern") && request->pattern->data == nullptr)) {
    return say(RESHAPE_REJECTED, why, "not like this");
  }
  if (is(request, "reject-without-nul")) {
    std::memset(why->text, 'x', sizeof why->text);
    return RESHAPE_REJECTED;
  }
  if (is(request, "reject-without-a-word")) return RESHAPE_REJECTED;
  if (is(request, "shape-on-rejection")) answers(3);
  if (is(request, "infer-changes-pattern")) {
    static_cast<std::int64_t*>(request->pattern->data)[0] += 1;
  }
  if (is(request, "infer-reads-pattern-end")) {
    volatile std::int64_t past = pattern_at(request, request->pattern->shape[0]);
    static_cast<void>(past);
  }
  const reshape_status status = right_shape(request, shape, why);
  if (is(request, "size-behind-rank")) shape->sizes[shape->rank] = 0;
  if (is(request, "size-behind-capacity")) shape->sizes[shape->capacity] = 0;
  if (is(request, "size-before-array")) shape->sizes[-1] = 0;
  if (is(request, "changes-capacity")) shape->capacity = 1;
  return status;
}

reshape_status execute(const Request* request, DLTensor* output, reshape_message* why) {
  misbehave(in_execute(request->dialect));
  if (infers_too_much(request)) return execute_too_much(request, output, why);
  const std::int64_t count = count_of(*request->data);
  const std::int64_t bytes = count * request->data->dtype.bits / 8;
  if (is(request, "write-on-rejection") || is(request, "write-and-refuse")) {
    start_of(*output)[0] = 0;
    return say(RESHAPE_REJECTED, why, "too late");
  }
  if (is(request, "refuses-the-tenth")) {
    static int executed = 0;
    if (++executed == 10) return say(RESHAPE_REJECTED, why, "not the tenth");
  }
  if (is(request, "executes-anything")) return RESHAPE_OK;
  if (is(request, "write-input")) start_of(*request->data)[0] ^= 1;
  if (is(request, "write-input-unprotected")) {
    const auto at = reinterpret_cast<std::uintptr_t>(start_of(*request->data));
    const std::uintptr_t page = at & ~std::uintptr_t{4095};
    mprotect(reinterpret_cast<void*>(page), 4096, PROT_READ | PROT_WRITE);
    start_of(*request->data)[0] ^= 1;
  }
  if (is(request, "read-input-end")) {
    volatile unsigned char past = start_of(*request->data)[bytes];
    static_cast<void>(past);
  }
  if (is(request, "read-input-start")) {
    volatile unsigned char before =
        start_of(*request->data)[-1 - static_cast<std::int64_t>(request->data->byte_offset)];
    static_cast<void>(before);
  }
  if (is(request, "change-sizes")) request->data->shape[0] += 1;
  if (is(request, "change-output-sizes")) output->shape[0] += 1;
  if (is(request, "change-request")) const_cast<Request*>(request)->special_zero = 5;
  if (is(request, "change-output-pointer")) {
    right_copy(request, output, why);
    output->byte_offset += 1;
    return RESHAPE_OK;
  }
  if (is(request, "same-buffers-are-done")) {
    static const void* last = nullptr;
    const void* now = start_of(*output);
    if (last == now) return RESHAPE_OK;
    last = now;
  }
  if (is(request, "reversed")) {
    const reshape_status status = right_copy(request, output, why);
    std::reverse(start_of(*output), start_of(*output) + bytes);
    return status;
  }
  if (is(request, "ends-are-done")) {
    const std::string before(reinterpret_cast<const char*>(start_of(*output)), bytes);
    const reshape_status status = right_copy(request, output, why);
    const char* now = reinterpret_cast<const char*>(start_of(*output));
    if (bytes > 2 && before.front() == now[0] && before.back() == now[bytes - 1]) {
      std::memcpy(start_of(*output), before.data(), bytes);
    }
    return status;
  }
  if (is(request, "returns-too-early")) {
    static std::jthread writes_the_end;
    constexpr std::int64_t kEnd = 4096, kAtOnce = 16;
    unsigned char* end = start_of(*output) + bytes - kEnd;
    const std::vector<unsigned char> before(end, end + kEnd);
    const reshape_status status = right_copy(request, output, why);
    const std::vector<unsigned char> right(end, end + kEnd);
    std::copy(before.begin(), before.end(), end);
    writes_the_end = std::jthread([=] {
      for (std::int64_t at = 0; at < kEnd; at += kAtOnce) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::copy_n(right.begin() + at, kAtOnce, end + at);
      }
    });
    return status;
  }
  // An overlap is looked for in 64 bytes more than there are.
  if (is(request, "fails-shortly-before") && start_of(*output) < start_of(*request->data) &&
      start_of(*request->data) - start_of(*output) < bytes + 64) {
    return say(RESHAPE_FAILED, why, "the tensors overlap");
  }
  if (is(request, "in-place-is-done") && start_of(*request->data) == start_of(*output)) {
    return RESHAPE_OK;
  }
  const reshape_status status = right_copy(request, output, why);
  if (status != RESHAPE_OK) return status;
  if (is(request, "write-output-end")) start_of(*output)[bytes] = 0;
  if (is(request, "write-output-start")) {
    start_of(*output)[-1 - static_cast<std::int64_t>(output->byte_offset)] = 0;
  }
  if (is(request, "write-gap") && output->strides != nullptr) start_of(*output)[4] ^= 0xff;
  if (is(request, "write-before-offset") && output->byte_offset > 0) start_of(*output)[-1] ^= 0xff;
  if (is(request, "change-output-strides") && output->strides != nullptr) output->strides[0] += 1;
  if (is(request, "wrong-the-second-time")) {
    static int executions = 0;
    if (++executions == 2) start_of(*output)[0] ^= 1;
  }
  if (is(request, "wrong-last-byte")) start_of(*output)[bytes - 1] ^= 1;
  if (is(request, "write-half")) set_half(*output, count, 0);
  unsigned char* data = start_of(*request->data);
  if (is(request, "ends-overlapped-data") && start_of(*output) < data &&
      data < start_of(*output) + bytes) {
    data[bytes - 1] ^= 1;
  }
  return RESHAPE_OK;
}

bool dense(const DLTensor& tensor) {
  std::int64_t step = 1;
  for (int axis = tensor.ndim; axis-- > 0 && tensor.strides != nullptr;) {
    if (tensor.shape[axis] == 0) return true;
    if (tensor.shape[axis] != 1 && tensor.strides[axis] != step) return false;
    step *= tensor.shape[axis];
  }
  return true;
}

reshape_status of_right_shape(const Request* request, const DLTensor& output,
                              reshape_message* why) {
  std::int64_t sizes[128];
  reshape_shape shape = {128, 0, sizes};
  if (right_shape(request, &shape, why) != RESHAPE_OK) return RESHAPE_REJECTED;
  if (std::equal(output.shape, output.shape + output.ndim, sizes, sizes + shape.rank)) {
    return RESHAPE_OK;
  }
  return say(RESHAPE_REJECTED, why, "the output has another shape");
}

reshape_status view(const Request* request, DLTensor* output, reshape_message* why) {
  if (is(request, "view-between") && request->data->strides != nullptr) {
    output->data = request->data->data;
    for (int axis = output->ndim; axis-- > 0;) output->strides[axis] = axis == 0 ? 1 << 28 : 0;
    return RESHAPE_OK;
  }
  if (!dense(*request->data)) {
    if (is(request, "view-half-made")) output->strides[0] = 9;
    return say(RESHAPE_UNSUPPORTED, why, "strided");
  }
  const bool views_anything = is(request, "views-anything");
  const reshape_status status = views_anything ? RESHAPE_OK : of_right_shape(request, *output, why);
  if (status != RESHAPE_OK) return status;
  output->data = request->data->data;
  output->byte_offset = request->data->byte_offset;
  if (is(request, "view-elsewhere")) {
    static unsigned char elsewhere[4096];
    output->data = elsewhere;
  }
  if (is(request, "view-past-the-end")) output->byte_offset += request->data->dtype.bits / 8;
  if (is(request, "view-without-strides")) return RESHAPE_OK;
  std::int64_t step = 1;
  for (int axis = output->ndim; axis-- > 0;) {
    output->strides[axis] = step;
    step *= output->shape[axis];
  }
  if (is(request, "view-changes-rank")) output->ndim = 0;
  if (is(request, "view-repeats-the-first")) {
    for (int axis = 0; axis < output->ndim; ++axis) output->strides[axis] = 0;
  }
  return RESHAPE_OK;
}

// Builds the table. The environment says which capabilities it declares and what is wrong with it,
// because it is read before any request.
reshape_plugin table() {
  reshape_plugin made = {};
  made.abi_version = RESHAPE_ABI_VERSION;
  made.struct_size = sizeof(reshape_plugin);
  made.description.name = "behaviour";
  made.description.version = "1";
  made.description.dialects = "right right-again";
  made.description.element_types = "f64 f32 f16 i8 u8 i4 boolean";
  made.description.pattern_types = "i64";
  made.description.capabilities = RESHAPE_STRIDED_INPUT | RESHAPE_STRIDED_OUTPUT |
                                  RESHAPE_NEGATIVE_STRIDES | RESHAPE_IN_PLACE | RESHAPE_VIEWS;
  made.infer_shape = infer;
  made.execute = execute;
  made.view = view;
  const char* how = std::getenv("RESHAPE_BEHAVIOUR");
  const std::string_view entry = how != nullptr ? how : "";
  if (entry == "crash-at-entry") *static_cast<volatile int*>(nullptr) = 1;
  if (entry == "throw-at-entry") throw std::runtime_error("no device");
  if (entry == "print-at-entry") std::printf("hello from the library\n");
  if (entry == "threads-declared") made.description.capabilities |= RESHAPE_STARTS_THREADS;
  if (entry == "wrong-version") made.abi_version = 99;
  if (entry == "aligned-64") made.description.alignment = 64;
  if (entry == "aligned-1") made.description.alignment = 1;
  if (entry.starts_with("overlap")) made.description.capabilities |= RESHAPE_OVERLAP;
  if (entry == "overlap-aligned-64") made.description.alignment = 64;
  return made;
}

}  // namespace

extern "C" RESHAPE_EXPORT const reshape_plugin* reshape_plugin_entry(void) {
  static const reshape_plugin kTable = table();
  const char* how = std::getenv("RESHAPE_BEHAVIOUR");
  return how != nullptr && std::string_view(how) == "null-table" ? nullptr : &kTable;
}
