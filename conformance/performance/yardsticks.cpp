#include "conformance/performance/yardsticks.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace reshape::conformance::performance {
namespace {

void c_library(const std::byte* from, std::byte* to, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

#if defined(__x86_64__)
void string_move(const std::byte* from, std::byte* to, std::size_t bytes) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

__attribute__((target("avx512f"))) void vectors(const std::byte* from, std::byte* to,
                                                std::size_t bytes) {
  std::size_t i = 0;
  for (; i + 256 <= bytes; i += 256) {
    const __m512i a = _mm512_loadu_si512(from + i), b = _mm512_loadu_si512(from + i + 64);
    const __m512i c = _mm512_loadu_si512(from + i + 128), d = _mm512_loadu_si512(from + i + 192);
    _mm512_storeu_si512(to + i, a);
    _mm512_storeu_si512(to + i + 64, b);
    _mm512_storeu_si512(to + i + 128, c);
    _mm512_storeu_si512(to + i + 192, d);
  }
  std::memcpy(to + i, from + i, bytes - i);
}

__attribute__((target("avx512f"))) void around_caches(const std::byte* from, std::byte* to,
                                                      std::size_t bytes) {
  const std::size_t head = std::min(bytes, (64 - reinterpret_cast<std::uintptr_t>(to) % 64) % 64);
  std::memcpy(to, from, head);
  std::size_t i = head;
  for (; i + 256 <= bytes; i += 256) {
    for (std::size_t line = 0; line < 256; line += 64) {
      _mm_prefetch(reinterpret_cast<const char*>(from + i + line + 2048), _MM_HINT_T0);
      _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i + line),
                          _mm512_loadu_si512(from + i + line));
    }
  }
  std::memcpy(to + i, from + i, bytes - i);
  _mm_sfence();
}
#endif

}  // namespace

std::vector<PlainCopy> plain_copies() {
  std::vector<PlainCopy> copies = {{"memcpy", c_library}};
#if defined(__x86_64__)
  copies.push_back({"rep movsb", string_move});
  if (__builtin_cpu_supports("avx512f")) {
    copies.push_back({"vectors", vectors});
    copies.push_back({"streaming", around_caches});
  }
#endif
  return copies;
}

bool is_yardstick(const std::string& name) {
  if (name == kProductLoop) return true;
  return std::ranges::any_of(plain_copies(), [&](const PlainCopy& copy) {
    return name == copy.name || name == copy.name + kAlone;
  });
}

void run_shared(const PlainCopy& copy, const std::byte* from, std::byte* to, std::size_t bytes,
                Crew& crew) {
  // Distributing small copies would take longer than copying them.
  if (crew.threads() == 1) return copy.run(from, to, bytes);
  constexpr std::size_t kLine = 64;
  const auto threads = static_cast<std::size_t>(crew.threads());
  crew.run([&](int thread) {
    const auto share = static_cast<std::size_t>(thread);
    const std::size_t begin = bytes / kLine * share / threads * kLine;
    const std::size_t end =
        share + 1 == threads ? bytes : bytes / kLine * (share + 1) / threads * kLine;
    copy.run(from + begin, to + begin, end - begin);
  });
}

ProductLoop::ProductLoop(const Request& request)
    : data_(request.data.sizes().begin(), request.data.sizes().end()),
      out_(request.pattern.values.size()) {
  for (const PatternValue value : request.pattern.values) {
    pattern_.push_back(static_cast<std::int64_t>(value));
  }
}

void ProductLoop::run() {
  // Keeps the compiler from using the known sizes, or removing the unused result.
  asm volatile("" : : "r"(data_.data()), "r"(pattern_.data()) : "memory");
  std::int64_t count = 1, known = 1;
  for (const std::int64_t size : data_) count *= size;
  std::size_t inferred = out_.size();
  for (std::size_t i = 0; i < out_.size(); ++i) {
    std::int64_t size = pattern_[i];
    if (size == 0 && i < data_.size()) size = data_[i];
    if (size == -1) {
      inferred = i;
    } else {
      out_[i] = size;
      known *= size;
    }
  }
  if (inferred < out_.size() && known != 0) out_[inferred] = count / known;
  asm volatile("" : : "r"(out_.data()), "r"(count), "r"(known) : "memory");
}

}  // namespace reshape::conformance::performance
