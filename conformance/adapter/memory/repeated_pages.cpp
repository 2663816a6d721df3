#include "conformance/adapter/memory/repeated_pages.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <utility>

#include "conformance/adapter/memory/guarded_buffer.h"

namespace reshape::conformance {
namespace {

std::size_t page() { return static_cast<std::size_t>(page_size()); }

// Whether a file may be this long: exceeding the limit (ulimit -f) raises a signal that ends the
// process.
bool may_be_as_long(std::size_t bytes) {
  rlimit limit = {};
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
         bytes <= limit.rlim_cur;
}

}  // namespace

std::optional<RepeatedPages> RepeatedPages::map(std::size_t windows, std::size_t rest) {
  const std::size_t size = windows * kWindow + rest;
  if (!may_be_as_long(kWindow + rest)) return std::nullopt;
  const int file = memfd_create("repeated-pages", MFD_CLOEXEC);
  if (file < 0) return std::nullopt;
  void* all = ftruncate(file, static_cast<off_t>(kWindow + rest)) == 0
                  ? mmap(nullptr, size + page(), PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                  : MAP_FAILED;
  std::optional<RepeatedPages> mapped;
  if (all != MAP_FAILED) {
    mapped = RepeatedPages(static_cast<std::byte*>(all), windows, rest);
    const auto place = [&](std::byte* at, std::size_t bytes, std::size_t from) {
      return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE, file,
                  static_cast<off_t>(from)) != MAP_FAILED;
    };
    bool placed = place(mapped->rest().data(), rest, kWindow);
    for (std::size_t at = 0; placed && at < windows; ++at) {
      placed = place(mapped->data() + at * kWindow, kWindow, 0);
    }
    if (!placed) mapped.reset();
  }
  close(file);
  return mapped;
}

RepeatedPages::RepeatedPages(RepeatedPages&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), windows_(other.windows_), rest_(other.rest_) {}

RepeatedPages& RepeatedPages::operator=(RepeatedPages&& other) noexcept {
  std::swap(begin_, other.begin_);
  std::swap(windows_, other.windows_);
  std::swap(rest_, other.rest_);
  return *this;
}

RepeatedPages::~RepeatedPages() {
  if (begin_ != nullptr) munmap(begin_, size() + page());
}

bool RepeatedPages::make_read_only() { return mprotect(begin_, size(), PROT_READ) == 0; }

}  // namespace reshape::conformance
