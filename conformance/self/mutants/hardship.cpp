// Right answers until the process that asks has forked, or gets no more memory.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "conformance/self/families.h"
#include "conformance/self/spoil.h"

namespace reshape::conformance::self {
namespace {

// What is copied by several threads, or through a buffer.
constexpr std::int64_t kLarge = std::int64_t{1} << 18;
constexpr std::size_t kBuffer = std::size_t{1} << 26;

bool is_large(const DLTensor& output) {
  return element_count(shape_of(output)).value_or(0) >= kLarge;
}

bool in_a_child() {
  static const pid_t first = getpid();
  return getpid() != first;
}

// Large copies go through a buffer; what answers where it cannot be had.
Steps where_memory_is_short(std::function<reshape_status(DLTensor&, reshape_message*)> answers) {
  return executing([=](const reshape_request* request, DLTensor* output, reshape_message* why) {
    if (!is_large(*output)) return right().execute(request, output, why);
    const std::unique_ptr<char[]> buffer(new (std::nothrow) char[kBuffer]);
    return buffer ? right().execute(request, output, why) : answers(*output, why);
  });
}

}  // namespace

Mutants families::hardship() {
  Mutants table = {
      {"dead-in-a-child-of-fork", Duty::C17, "",
       "large copies wait for threads that a child of fork does not have",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         while (in_a_child() && is_large(*output)) pause();
         return right().execute(request, output, why);
       })},
      {"part-left-out-in-a-child-of-fork", Duty::C17, "",
       "what other threads were to copy is left out in a child of fork",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         if (in_a_child() && is_large(*output)) return RESHAPE_OK;
         return right().execute(request, output, why);
       })},
      {"memory-not-looked-at", Duty::C16, "",
       "large copies go through a buffer, and whether it could be had is not looked at",
       where_memory_is_short([](DLTensor&, reshape_message*) {
         char* volatile buffer = nullptr;
         *buffer = 0;
         return RESHAPE_OK;
       })},
      {"ok-without-memory", Duty::C16, "",
       "large copies go through a buffer, and are left out where it cannot be had",
       where_memory_is_short([](DLTensor&, reshape_message*) { return RESHAPE_OK; })},
      {"fails-with-a-part-written", Duty::C16, "",
       "that no buffer can be had shows when part of the output is written",
       where_memory_is_short([](DLTensor& output, reshape_message* why) {
         std::memset(static_cast<char*>(output.data) + output.byte_offset, 0, 64);
         return answer(RESHAPE_FAILED, "no memory", why);
       })},
  };
  return family(Kind::process, {}, std::move(table));
}

}  // namespace reshape::conformance::self
