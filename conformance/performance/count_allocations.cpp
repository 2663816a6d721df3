// Preloaded into a worker process to count its allocations: wraps each allocating function of the C
// library.
#include <errno.h>
#include <stddef.h>

#include <atomic>
#include <cstdint>

extern "C" {

void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* old, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);

#define RESHAPE_SEEN __attribute__((visibility("default")))

namespace {
std::atomic<std::int64_t> calls{0}, total{0};
void counted(size_t bytes) {
  calls.fetch_add(1, std::memory_order_relaxed);
  total.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
}
}  // namespace

RESHAPE_SEEN void reshape_allocations(std::int64_t* so_many, std::int64_t* bytes) {
  *so_many = calls.load();
  *bytes = total.load();
}

RESHAPE_SEEN void* malloc(size_t bytes) {
  counted(bytes);
  return __libc_malloc(bytes);
}
RESHAPE_SEEN void* calloc(size_t count, size_t bytes) {
  counted(count * bytes);
  return __libc_calloc(count, bytes);
}
RESHAPE_SEEN void* realloc(void* old, size_t bytes) {
  counted(bytes);
  return __libc_realloc(old, bytes);
}
RESHAPE_SEEN void* memalign(size_t alignment, size_t bytes) {
  counted(bytes);
  return __libc_memalign(alignment, bytes);
}
RESHAPE_SEEN void* aligned_alloc(size_t alignment, size_t bytes) {
  return memalign(alignment, bytes);
}
RESHAPE_SEEN int posix_memalign(void** to, size_t alignment, size_t bytes) {
  void* made = memalign(alignment, bytes);
  if (made == nullptr) return ENOMEM;
  *to = made;
  return 0;
}

}  // extern "C"
