#include "conformance/performance/copies.h"

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

}  // namespace reshape::conformance::performance
