// Libraries that answer wrongly, or access memory that is not theirs.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "conformance/self/hostile/hostile.h"

namespace hostile {
namespace {

Kind inferred(std::string_view name, std::string_view says,
              void (*task)(const reshape_request&, reshape_shape&, reshape_message&,
                           reshape_status&)) {
  Kind kind{name, says};
  kind.after_inference = task;
  return kind;
}

Kind executed(std::string_view name, std::string_view says,
              void (*task)(const reshape_request&, DLTensor&, reshape_status&)) {
  Kind kind{name, says};
  kind.after_execution = task;
  return kind;
}

char* first_of(const DLTensor& tensor) {
  return static_cast<char*>(tensor.data) + tensor.byte_offset;
}

std::size_t bytes_of(const DLTensor& tensor) {
  std::size_t bytes = tensor.dtype.bits / 8u;
  for (int i = 0; i < tensor.ndim; ++i) bytes *= static_cast<std::size_t>(tensor.shape[i]);
  return bytes;
}

// Infers three rows where two are right, and executes its own shape into any output.
Kind infers_too_much() {
  Kind kind = inferred(
      "infers-too-much", "infers a row too many, and writes it",
      [](const reshape_request&, reshape_shape& shape, reshape_message&, reshape_status& status) {
        if (status == RESHAPE_OK && shape.rank > 0) shape.sizes[0] += 1;
      });
  kind.before_execution = [](const reshape_request& request, DLTensor& output) {
    std::memset(first_of(output), 0, bytes_of(*request.data) + 4);
  };
  return kind;
}

// True for one of `calls` calls, with a different random sequence in every process.
bool now_and_then(int calls) {
  static unsigned state = static_cast<unsigned>(getpid()) * 2654435761u;
  state = state * 1664525u + 1013904223u;
  return (state >> 16) % static_cast<unsigned>(calls) == 0;
}

void set_protection(const void* at, std::size_t bytes, int protection) {
  const auto size = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(at) / size * size;
  mprotect(reinterpret_cast<void*>(begin), reinterpret_cast<std::uintptr_t>(at) + bytes - begin,
           protection);
}

}  // namespace

Kinds answering_kinds() {
  return {
      inferred(
          "status-of-its-own", "answers with a status that is none",
          [](const reshape_request&, reshape_shape&, reshape_message&, reshape_status& status) {
            constexpr int kNone = 77;
            std::memcpy(&status, &kNone, sizeof status);
          }),
      inferred(
          "always-fails", "answers that it failed",
          [](const reshape_request&, reshape_shape&, reshape_message& why, reshape_status& status) {
            std::strcpy(why.text, "no memory");
            status = RESHAPE_FAILED;
          }),
      inferred(
          "supports-nothing", "answers that nothing is supported",
          [](const reshape_request&, reshape_shape&, reshape_message& why, reshape_status& status) {
            std::strcpy(why.text, "not today");
            status = RESHAPE_UNSUPPORTED;
          }),
      inferred("negative-rank", "answers with a rank of -1",
               [](const reshape_request&, reshape_shape& shape, reshape_message&,
                  reshape_status& status) {
                 if (status == RESHAPE_OK) shape.rank = -1;
               }),
      inferred("huge-rank", "answers with a rank of 2^31-1",
               [](const reshape_request&, reshape_shape& shape, reshape_message&,
                  reshape_status& status) {
                 if (status == RESHAPE_OK) shape.rank = INT32_MAX;
               }),
      inferred("huge-size", "answers with a size of 2^63-1",
               [](const reshape_request&, reshape_shape& shape, reshape_message&,
                  reshape_status& status) {
                 if (status == RESHAPE_OK && shape.rank > 0) shape.sizes[0] = INT64_MAX;
               }),
      infers_too_much(),
      inferred("writes-behind-the-shape", "writes behind the last entry of the shape",
               [](const reshape_request&, reshape_shape& shape, reshape_message&, reshape_status&) {
                 shape.sizes[shape.capacity] = 1;
               }),
      inferred(
          "message-without-an-end", "fills the message without a NUL, control bytes in it",
          [](const reshape_request&, reshape_shape&, reshape_message& why, reshape_status& status) {
            std::memset(why.text, 0x1b, sizeof why.text);
            status = RESHAPE_REJECTED;
          }),
      inferred(
          "silent", "refuses without a word",
          [](const reshape_request&, reshape_shape&, reshape_message& why, reshape_status& status) {
            why.text[0] = '\0';
            status = RESHAPE_REJECTED;
          }),
      inferred("now-and-then-wrong", "is wrong in one inference of two, by chance",
               [](const reshape_request&, reshape_shape& shape, reshape_message&,
                  reshape_status& status) {
                 if (status == RESHAPE_OK && shape.rank > 0 && now_and_then(2)) ++shape.sizes[0];
               }),
      inferred("races", "keeps its answer for 50 turns of a loop where all threads keep theirs",
               [](const reshape_request&, reshape_shape& shape, reshape_message&,
                  reshape_status& status) {
                 if (status != RESHAPE_OK || shape.rank < 1 || shape.rank > 64) return;
                 static volatile std::int64_t kept[64];
                 for (int at = 0; at < shape.rank; ++at) kept[at] = shape.sizes[at];
                 for (int turn = 0; turn < 50; ++turn) asm volatile("");
                 for (int at = 0; at < shape.rank; ++at) shape.sizes[at] = kept[at];
               }),
      inferred("seldom-wrong", "is wrong in one inference of fifty, by chance",
               [](const reshape_request&, reshape_shape& shape, reshape_message&,
                  reshape_status& status) {
                 if (status == RESHAPE_OK && shape.rank > 0 && now_and_then(50)) ++shape.sizes[0];
               }),
      inferred(
          "changes-the-pattern", "writes into the pattern",
          [](const reshape_request& request, reshape_shape&, reshape_message&, reshape_status&) {
            if (request.pattern->shape[0] > 0) *first_of(*request.pattern) = 1;
          }),
      inferred(
          "unprotects-the-pattern", "makes the pattern writable and writes into it",
          [](const reshape_request& request, reshape_shape&, reshape_message&, reshape_status&) {
            if (request.pattern->shape[0] == 0) return;
            char* at = first_of(*request.pattern);
            set_protection(at, 8, PROT_READ | PROT_WRITE);
            *at = 1;
          }),
      executed("writes-nothing", "copies, and clears the copy",
               [](const reshape_request&, DLTensor& output, reshape_status& status) {
                 if (status == RESHAPE_OK) std::memset(first_of(output), 0, bytes_of(output));
               }),
      executed("one-byte-wrong", "gets the last byte wrong",
               [](const reshape_request&, DLTensor& output, reshape_status& status) {
                 const std::size_t bytes = bytes_of(output);
                 if (status == RESHAPE_OK && bytes > 0) first_of(output)[bytes - 1] ^= 1;
               }),
      executed("writes-behind-the-output", "writes behind the output",
               [](const reshape_request&, DLTensor& output, reshape_status& status) {
                 if (status == RESHAPE_OK) first_of(output)[bytes_of(output)] = 1;
               }),
      executed("writes-before-the-output", "writes before the output",
               [](const reshape_request&, DLTensor& output, reshape_status& status) {
                 if (status == RESHAPE_OK) first_of(output)[-1] = 1;
               }),
      executed("reads-behind-the-input", "reads behind the input",
               [](const reshape_request& request, DLTensor&, reshape_status& status) {
                 if (status != RESHAPE_OK) return;
                 [[maybe_unused]] const char read =
                     *(first_of(*request.data) + bytes_of(*request.data));
                 asm volatile("" : : "r"(read));
               }),
      executed("changes-the-input", "writes into the input",
               [](const reshape_request& request, DLTensor&, reshape_status& status) {
                 if (status == RESHAPE_OK && bytes_of(*request.data) > 0) {
                   *first_of(*request.data) = 1;
                 }
               }),
      executed("unprotects-the-input", "makes the input writable and changes it",
               [](const reshape_request& request, DLTensor&, reshape_status& status) {
                 if (status != RESHAPE_OK || bytes_of(*request.data) == 0) return;
                 char* at = first_of(*request.data);
                 set_protection(at, 1, PROT_READ | PROT_WRITE);
                 *at ^= 1;
               }),
      executed("changes-the-output", "changes the description of the output",
               [](const reshape_request&, DLTensor& output, reshape_status&) { output.ndim = 0; }),
      executed("refuses-to-execute", "infers and does not execute",
               [](const reshape_request&, DLTensor&, reshape_status& status) {
                 status = RESHAPE_REJECTED;
               }),
  };
}

}  // namespace hostile
