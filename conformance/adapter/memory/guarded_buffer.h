#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/adapter/memory/guarded_ranges.h"
#include "conformance/model/outcome.h"

namespace reshape::conformance {

// Bytes that changed although nobody gave them away.
struct Spill {
  bool behind = false;        // behind the buffer, or before it
  std::int64_t distance = 1;  // of the nearest changed byte: 1 touches the buffer
  std::int64_t changed = 0;   // bytes changed on this side
};

// A part of a buffer, in bytes from its start.
struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Above this many bytes a buffer is mapped only where its parts are.
inline constexpr std::int64_t kSparseFrom = std::int64_t{64} << 20;

// Memory between two pages that nobody may touch. What the pages leave over around the buffer holds
// canaries: bytes that differ from place to place, so that no constant restores them. Mappings are
// kept and used again, because thousands of buffers are placed in a run.
class GuardedBuffer {
 public:
  // plain: protect() and unprotect() are a system call each, and every place() makes all writable.
  // twofold: of small buffers the pages are mapped a second time, where the harness writes while what was
  // handed out stays protected; place() leaves the protection as it is.
  enum class Mapped : bool { plain, twofold };

  // `name` is how reports call the buffer: "data", "output". It must outlive the buffer.
  explicit GuardedBuffer(const char* name, Mapped mapped = Mapped::plain);
  ~GuardedBuffer();
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  // Makes place for `size` bytes and fills what is around them with canaries. Where the mapping is the one
  // before and spill() found nothing, only the place before is filled.
  // The byte at `anchor` (0 <= anchor; it may lie outside) comes to a multiple of `alignment`, which
  // is a power of two up to a page. front: as near to the page start as that allows; odd: one
  // alignment further; back: as near to the end of the page as that allows. False when there is no
  // memory. The bytes themselves keep whatever they held.
  //
  // `parts` are what a caller means to use of a buffer of kSparseFrom bytes or more: only the pages of
  // these, and one beside each, are there at all. The rest cannot be touched, and costs nothing.
  bool place(std::int64_t size, std::int64_t anchor, std::int64_t alignment,
             Probe::Placement placement, std::span<const Part> parts = {});

  const char* name() const { return name_; }
  Mapped mapped() const { return mapped_; }
  // All of it. Of a sparse buffer only what lies in parts() may be touched.
  std::span<std::byte> bytes() const { return {begin_, size_}; }
  // The same bytes where they can be written; for Mapped::twofold even while they are protected.
  std::byte* writable() const { return begin_ + current_.to_twin; }
  bool sparse() const { return !open_.empty(); }
  // What may be touched, in order; one part, the whole, unless it is sparse.
  std::vector<Part> parts() const;

  // From now on writing to bytes() (and to the canaries around them) faults.
  void protect();
  void unprotect();

  // The damage nearest to the buffer, or nothing. Works on a protected buffer too.
  std::optional<Spill> spill() const;

 private:
  struct Mapping {
    std::byte* all = nullptr;  // guard page, usable pages, guard page
    std::size_t usable = 0;    // bytes between the guards
    std::uint64_t last_used = 0;
    std::ptrdiff_t to_twin = 0;  // bytes to the same pages' other mapping; 0: there is none
  };
  // unknown: of a mapping that was not the current one for a while.
  enum class Protection : std::uint8_t { unknown, writable, read_only };

  bool map(std::size_t pages);
  bool map_twin(Mapping& mapping) const;
  void unmap(const Mapping& mapping) const;
  void unmap_all();
  void leave();
  void make_room(std::size_t bytes);
  bool map_sparsely(std::size_t pages);
  bool open_pages(std::span<const Part> parts);
  bool allow(int protection) const;
  void fill_canaries(std::byte* begin, std::byte* end) const;
  void fill_around(std::span<const std::byte> placed_before);

  const char* name_;
  const Mapped mapped_;
  unsigned forks_;                           // of this process, when the mappings were made
  std::map<std::size_t, Mapping> mappings_;  // by usable pages
  std::uint64_t placements_ = 0;
  Mapping sparse_;          // the latest of its kind
  std::vector<Part> open_;  // pages of sparse_, from its begin; empty: not sparse
  Mapping current_;
  std::byte* begin_ = nullptr;
  std::size_t size_ = 0;
  Protection protection_ = Protection::writable;
  mutable bool intact_ = false;  // the canaries, when they were last looked at
  GuardedRange* range_;          // what the fault handler reads; may be null
};

// Size of a page of memory.
std::int64_t page_size();

// "wrote 2 bytes before the output, the nearest 1 byte before it"
std::string text(const Spill& spill, const char* name);

}  // namespace reshape::conformance
