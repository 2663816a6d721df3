#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "conformance/model/outcome.h"

namespace reshape::conformance {

// A page of memory that a host process and its runner share. The host leaves on it what it is about
// to call, and what its fault handler finds; the runner reads it when no answer came. The
// implementation can scribble on it, so the runner believes nothing but its length.
struct HostNote {
  // Several calls: of threads or in a long row, which are not noted one by one.
  enum class Stage : std::int32_t { starting, idle, loading, inference, execution, several_calls };

  std::atomic<Stage> stage{Stage::starting};
  // Execution: which one. In numbers, because it is written before each call and hardly ever read.
  struct Called {
    std::int64_t shift = 0;
    std::int32_t round = 0;
    std::uint8_t ask = 0;
    std::uint8_t payload = 0;
    std::uint8_t poison = 0;
    std::uint8_t placement = 0;
    std::uint8_t explicit_strides = 0;
    std::uint8_t byte_offset = 0;
    std::uint8_t null_if_empty = 0;
    std::uint8_t one_allocation = 0;
    std::uint8_t over_data = 0;
  };
  Called called = {};
  std::atomic<std::int32_t> signal{0};  // that the fault handler caught; 0: none
  char watch[32] = {};                  // of an observation, or empty
  char duty[8] = {};
  char saw[240] = {};                        // "wrote 4 bytes past the end of the output", or empty
  std::atomic<std::uint64_t> crashed_at{0};  // an address in the library's file; 0: in none of it
};

// For the host: what is called next.
void note_call(HostNote& note, const Probe* probe);

// For the runner. Texts end where the page says, at most at their arrays' ends.
std::string what_was_called(const HostNote& note);  // "inference", "payload=hard ...", "loading"
std::string what_was_seen(const HostNote& note);
std::optional<Observation> what_was_observed(const HostNote& note);
std::optional<std::uint64_t> where_it_crashed(const HostNote& note);

// A note in shared memory that a file descriptor stands for. Both sides map it.
class SharedNote {
 public:
  SharedNote() = default;
  ~SharedNote();
  SharedNote(const SharedNote&) = delete;
  SharedNote& operator=(const SharedNote&) = delete;

  bool create();         // the runner; file() then is to be sent
  bool adopt(int file);  // the host; takes over and closes `file`
  int file() const { return file_; }
  void close_file();
  HostNote* get() const { return note_; }

 private:
  int file_ = -1;
  HostNote* note_ = nullptr;
};

// A descriptor over a socket, with one byte that carries it.
bool send_descriptor(int channel, int file);
int receive_descriptor(int channel);  // -1: none came

}  // namespace reshape::conformance
