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

// Canaries that changed: bytes outside of the buffer were written.
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

// Memory between two inaccessible guard pages. The rest of the usable pages around the buffer holds
// canaries: bytes that differ from place to place, so that no constant matches them. Mappings are
// reused, because a run places thousands of buffers.
class GuardedBuffer {
 public:
  // plain: protect() and unprotect() are a system call each, and every place() makes all writable.
  // twofold: the pages of small buffers are mapped a second time, through which the harness writes
  // while the mapping that was passed stays protected; place() does not change the protection.
  enum class Mapped : bool { plain, twofold };

  // `name` is how reports call the buffer: "data", "output". It must outlive the buffer.
  explicit GuardedBuffer(const char* name, Mapped mapped = Mapped::plain);
  ~GuardedBuffer();
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  // Places a buffer of `size` bytes and fills what is around it with canaries. (If the mapping is
  // the previous one and spill() found nothing, only the previous place has to be filled.) The byte
  // at `anchor` (0 <= anchor; it may lie outside) is aligned to a multiple of `alignment`, which is
  // a power of two up to a page. front: as near to the page start as that allows; odd: one
  // alignment further; back: as near to the end of the page as that allows. False when there is no
  // memory. The contents of the buffer are unspecified.
  //
  // `parts` are what a caller will use of a buffer of kSparseFrom bytes or more: only the pages of
  // these, and one beside each, are accessible. The rest takes no memory.
  bool place(std::int64_t size, std::int64_t anchor, std::int64_t alignment,
             Probe::Placement placement, std::span<const Part> parts = {});

  const char* name() const { return name_; }
  Mapped mapped() const { return mapped_; }
  // The whole buffer. Of a sparse one only parts() are accessible.
  std::span<std::byte> bytes() const { return {begin_, size_}; }
  // The same bytes where the harness can write them; for Mapped::twofold even while they are
  // protected.
  std::byte* writable() const { return begin_ + current_.to_twin; }
  bool sparse() const { return !open_.empty(); }
  // The accessible parts, in order; one part, the whole, unless it is sparse.
  std::vector<Part> parts() const;

  // From now on writing to bytes() (and to the canaries around them) faults.
  void protect();
  void unprotect();

  // The changed canary nearest to the buffer, or nothing. Works on a protected buffer too.
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
  void note_left(const Mapping& mapping) const;
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

// "wrote 2 bytes before the output, the nearest at a distance of 1 byte"
std::string text(const Spill& spill, const char* name);

}  // namespace reshape::conformance
