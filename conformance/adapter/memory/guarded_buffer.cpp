#include "conformance/adapter/memory/guarded_buffer.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

namespace reshape::conformance {
namespace {

constexpr std::size_t kKeptPages = 16;  // mappings up to this size are all kept
// Larger ones are kept up to this many bytes together: touching a page for the first time costs
// more than filling it.
constexpr std::size_t kMostKept = std::size_t{16} << 20;

std::size_t page() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

// The canary of an address depends on its place in the page; one page of them serves all.
const std::byte* canaries() {
  static const std::vector<std::byte> bytes = [] {
    std::vector<std::byte> made(page());
    std::uint32_t state = 0x9e3779b9u;
    for (std::byte& byte : made) {
      state = state * 1664525u + 1013904223u;
      byte = static_cast<std::byte>(state >> 24);
    }
    return made;
  }();
  return bytes.data();
}

std::size_t in_page(const std::byte* address) {
  return reinterpret_cast<std::uintptr_t>(address) & (page() - 1);
}

// Calls `piece(address, canaries, size)` for the parts of [begin, end) that lie in one page each.
template <typename Piece>
void by_page(std::byte* begin, std::byte* end, Piece piece) {
  while (begin < end) {
    const std::size_t size =
        std::min(page() - in_page(begin), static_cast<std::size_t>(end - begin));
    piece(begin, canaries() + in_page(begin), size);
    begin += size;
  }
}

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

// Rounds up by at most a sixteenth, so that buffers of similar sizes share a mapping.
std::size_t pages_to_map(std::size_t pages) {
  return round_up(pages, std::max<std::size_t>(1, std::bit_floor(pages) / 16));
}

// The number of forks between this process and the first one. Pages that are mapped twice would be
// shared with a forked child, so a child makes its own mappings.
unsigned forks_behind() {
  static std::atomic<unsigned> forks{0};
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
  return registered == 0 ? forks.load(std::memory_order_relaxed) : 0;
}

}  // namespace

std::int64_t page_size() { return static_cast<std::int64_t>(page()); }

GuardedBuffer::GuardedBuffer(const char* name, Mapped mapped)
    : name_(name), mapped_(mapped), forks_(forks_behind()), range_(take_guarded_range(name)) {}

GuardedBuffer::~GuardedBuffer() {
  give_back(range_);
  unmap_all();
}

// The pages between the guard pages.
void GuardedBuffer::note_left(const Mapping& mapping) const {
  const auto begin = reinterpret_cast<std::uintptr_t>(mapping.all) + page();
  note_left_pages(name_, begin, begin + mapping.usable);
}

void GuardedBuffer::unmap(const Mapping& mapping) const {
  note_left(mapping);
  const std::size_t size = mapping.usable + 2 * page();
  munmap(mapping.all, size);
  if (mapping.to_twin != 0) munmap(mapping.all + mapping.to_twin, size);
}

void GuardedBuffer::unmap_all() {
  for (const auto& [pages, mapping] : mappings_) unmap(mapping);
  mappings_.clear();
  if (sparse_.all != nullptr) unmap(sparse_);
  sparse_ = current_ = {};
  protection_ = Protection::writable;
  intact_ = false;
}

// Replaces the mapping's pages by shareable ones that are mapped twice, both times between guard
// pages. Leaves the mapping unchanged where that fails.
bool GuardedBuffer::map_twin(Mapping& mapping) const {
  const std::size_t size = mapping.usable + 2 * page();
  void* all = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return false;
  std::byte* const twin = static_cast<std::byte*>(all);
  // An old size of 0 asks mremap for a second mapping of the same pages.
  const bool mapped = mmap(twin + page(), mapping.usable, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED &&
                      mremap(twin + page(), 0, mapping.usable, MREMAP_MAYMOVE | MREMAP_FIXED,
                             mapping.all + page()) != MAP_FAILED;
  if (mapped) {
    mapping.to_twin = twin - mapping.all;
  } else {
    munmap(all, size);
  }
  return mapped;
}

bool GuardedBuffer::map(std::size_t pages) {
  if (current_.usable == pages * page() && current_.all != sparse_.all) return true;
  leave();
  ++placements_;
  if (auto known = mappings_.find(pages); known != mappings_.end()) {
    known->second.last_used = placements_;
    current_ = known->second;
    if (current_.to_twin != 0) protection_ = Protection::unknown;
    return pages <= kKeptPages || allow(PROT_READ | PROT_WRITE);
  }
  const std::size_t usable = pages * page();
  if (pages > kKeptPages) make_room(usable);
  void* all = mmap(nullptr, usable + 2 * page(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return false;
  // Huge pages, since first touching small ones takes longer than all other work on a large buffer.
  // Only advice.
  constexpr std::size_t kLarge = 4 << 20;
  if (usable >= kLarge) madvise(all, usable + 2 * page(), MADV_HUGEPAGE);
  Mapping mapping{static_cast<std::byte*>(all), usable, placements_};
  const bool small = pages <= kKeptPages;
  if (!(small && mapped_ == Mapped::twofold && map_twin(mapping)) &&
      mprotect(mapping.all + page(), usable, PROT_READ | PROT_WRITE) != 0) {
    munmap(all, usable + 2 * page());
    return false;
  }
  mappings_.emplace(pages, mapping);
  current_ = mapping;
  return true;
}

// Protects a large mapping that is no longer used, so that stale pointers into it fault.
void GuardedBuffer::leave() {
  if (current_.usable > kKeptPages * page() && current_.all != sparse_.all) {
    allow(PROT_NONE);
    note_left(current_);
  }
  current_ = {};
  protection_ = Protection::writable;
  intact_ = false;
}

// Unmaps the least recently used large mappings until `bytes` more fit into kMostKept.
void GuardedBuffer::make_room(std::size_t bytes) {
  const auto first = mappings_.upper_bound(kKeptPages);
  std::vector<std::map<std::size_t, Mapping>::iterator> large;
  for (auto at = first; at != mappings_.end(); ++at) {
    large.push_back(at);
    bytes += at->second.usable;
  }
  std::ranges::sort(large, {}, [](const auto& at) { return at->second.last_used; });
  for (const auto& oldest : large) {
    if (bytes <= kMostKept) return;
    bytes -= oldest->second.usable;
    unmap(oldest->second);
    mappings_.erase(oldest);
  }
}

// Reserves address space only: no page can be touched yet, or counts as memory in use.
bool GuardedBuffer::map_sparsely(std::size_t pages) {
  leave();
  if (sparse_.all != nullptr) unmap(sparse_);
  sparse_ = {};
  const std::size_t usable = pages * page();
  void* all = mmap(nullptr, usable + 2 * page(), PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return false;
  sparse_ = current_ = {static_cast<std::byte*>(all), usable};
  return true;
}

// Opens the pages of every part, and one on each side: reading a whole vector where fewer elements
// lie is allowed here, as it is in the gaps of smaller buffers.
bool GuardedBuffer::open_pages(std::span<const Part> parts) {
  std::byte* const first = current_.all + page();
  const auto before = static_cast<std::size_t>(begin_ - first);
  std::vector<Part> pages = {{0, round_up(before + 1, page())},
                             {(before + size_ - 1) / page() * page(), current_.usable}};
  for (const Part& part : parts) {
    const std::size_t begin = (before + part.begin) / page() * page();
    const std::size_t end = round_up(before + part.end, page());
    pages.push_back({begin - std::min(begin, page()), std::min(end + page(), current_.usable)});
  }
  std::ranges::sort(pages, {}, &Part::begin);
  for (const Part& part : pages) {
    if (!open_.empty() && part.begin <= open_.back().end) {
      open_.back().end = std::max(open_.back().end, part.end);
    } else {
      open_.push_back(part);
    }
  }
  for (const Part& part : open_) {
    if (mprotect(first + part.begin, part.end - part.begin, PROT_READ | PROT_WRITE) != 0) {
      return false;
    }
  }
  return true;
}

std::vector<Part> GuardedBuffer::parts() const {
  if (!sparse()) return {{0, size_}};
  const auto before = static_cast<std::size_t>(begin_ - (current_.all + page()));
  std::vector<Part> parts;
  for (const Part& part : open_) {
    const std::size_t begin = std::max(part.begin, before) - before;
    const std::size_t end = std::min(part.end - std::min(part.end, before), size_);
    if (begin < end) parts.push_back({begin, end});
  }
  return parts;
}

bool GuardedBuffer::allow(int protection) const {
  std::byte* const first = current_.all + page();
  if (!sparse()) return mprotect(first, current_.usable, protection) == 0;
  return std::ranges::all_of(open_, [&](const Part& part) {
    return mprotect(first + part.begin, part.end - part.begin, protection) == 0;
  });
}

bool GuardedBuffer::place(std::int64_t size, std::int64_t anchor, std::int64_t alignment,
                          Probe::Placement placement, std::span<const Part> parts) {
  if (current_.to_twin == 0) unprotect();
  if (mapped_ == Mapped::twofold && forks_ != forks_behind()) {
    forks_ = forks_behind();
    unmap_all();
  }
  open_.clear();
  const bool sparse = size >= kSparseFrom && !parts.empty();
  const auto bytes = static_cast<std::size_t>(size);
  const auto unit = static_cast<std::size_t>(std::max<std::int64_t>(alignment, 1));
  const std::size_t past = static_cast<std::size_t>(anchor) % unit;  // of the anchor, from begin
  // Bytes between the page start and the buffer that bring the anchor to its multiple.
  std::size_t before = (unit - past) % unit;
  if (placement == Probe::Placement::odd) before += unit;
  if (placement == Probe::Placement::back) before = unit - 1;
  const std::size_t pages = std::max<std::size_t>(1, round_up(before + bytes, page()) / page());
  if (!(sparse ? map_sparsely(pages) : map(pages_to_map(pages)))) return false;

  std::byte* const first = current_.all + page();
  const std::span<const std::byte> before_it = this->bytes();
  if (placement == Probe::Placement::back) {
    const std::size_t latest = current_.usable - bytes;  // of begin, from the page start
    const std::size_t over = (latest + past) % unit;     // pages are multiples of every unit
    begin_ = first + latest - over;
  } else {
    begin_ = first + before;
  }
  size_ = bytes;
  if (sparse && !open_pages(parts)) return false;
  fill_around(before_it);
  if (range_ != nullptr) {
    range_->map_begin = reinterpret_cast<std::uintptr_t>(current_.all);
    range_->map_end = reinterpret_cast<std::uintptr_t>(current_.all + current_.usable + 2 * page());
    range_->begin = reinterpret_cast<std::uintptr_t>(begin_);
    range_->end = reinterpret_cast<std::uintptr_t>(begin_ + size_);
  }
  return true;
}

void GuardedBuffer::fill_canaries(std::byte* begin, std::byte* end) const {
  by_page(begin, end, [&](std::byte* at, const std::byte* canary, std::size_t count) {
    std::memcpy(at + current_.to_twin, canary, count);
  });
}

// Fills what is around the buffer with canaries. Each canary depends only on its address, so those
// around the previous place are still right, and only that place is filled.
void GuardedBuffer::fill_around(std::span<const std::byte> placed_before) {
  std::byte* const first = current_.all + page();
  std::byte* const last = first + current_.usable;
  std::byte* const end = begin_ + size_;
  std::byte* from = first;
  std::byte* to = last;
  if (intact_) {
    from += placed_before.data() - first;
    to = from + placed_before.size();
  }
  fill_canaries(from, std::clamp(begin_, from, to));
  fill_canaries(std::clamp(end, from, to), to);
  intact_ = intact_ && placed_before.data() == begin_ && placed_before.size() == size_;
}

void GuardedBuffer::protect() {
  if (protection_ == Protection::read_only) return;
  allow(PROT_READ);
  protection_ = Protection::read_only;
  if (range_ != nullptr) range_->read_only = true;
}

void GuardedBuffer::unprotect() {
  if (protection_ == Protection::writable) return;
  allow(PROT_READ | PROT_WRITE);
  protection_ = Protection::writable;
  if (range_ != nullptr) range_->read_only = false;
}

std::optional<Spill> GuardedBuffer::spill() const {
  std::optional<Spill> found;
  const auto side = [&](std::byte* begin, std::byte* end, bool behind) {
    by_page(begin, end, [&](const std::byte* at, const std::byte* canary, std::size_t count) {
      if (std::memcmp(at, canary, count) == 0) return;
      for (std::size_t i = 0; i < count; ++i) {
        if (at[i] == canary[i]) continue;
        const std::int64_t distance = behind ? (at + i) - (begin_ + size_) + 1 : begin_ - (at + i);
        if (!found || found->behind != behind) found = Spill{behind, distance, 0};
        found->distance = std::min(found->distance, distance);
        ++found->changed;
      }
    });
  };
  side(begin_ + size_, current_.all + page() + current_.usable, true);
  if (!found) side(current_.all + page(), begin_, false);
  intact_ = !found;
  return found;
}

std::string text(const Spill& spill, const char* name) {
  const auto bytes = [](std::int64_t count) {
    return std::to_string(count) + (count == 1 ? " byte" : " bytes");
  };
  const char* where = spill.behind ? " behind the " : " before the ";
  return "wrote " + bytes(spill.changed) + where + name + ", the nearest at a distance of " +
         bytes(spill.distance);
}

}  // namespace reshape::conformance
