#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "conformance/adapter/process/probe_fields.h"
#include "conformance/model/outcome.h"

namespace reshape::conformance {

// A page of memory that a host process and its runner share. The host records what it is about to
// call, and its fault handler what it finds; the runner reads it when no answer came. The
// implementation can overwrite it, so the runner trusts nothing but its length.
struct HostNote {
  // several_calls: by threads, or in a long sequence, which are not recorded one by one.
  enum class Stage : std::int32_t { starting, idle, loading, inference, execution, several_calls };

  std::atomic<Stage> stage{Stage::starting};
  // The probe of an execution, as numbers (see probe_fields.h).
  std::array<std::int64_t, kProbeFields> called = {};
  std::atomic<std::int32_t> signal{0};  // the signal that the fault handler caught; 0: none
  char watch[32] = {};                  // of an observation, or empty
  char duty[8] = {};
  char saw[240] = {};                        // "wrote 4 bytes past the end of the output", or empty
  std::atomic<std::uint64_t> crashed_at{0};  // an address in the library's file; 0: outside of it
};

// For the host: records what is called next.
void note_call(HostNote& note, const Probe* probe);

// For the runner. Texts end at a NUL, or at the end of their arrays.
std::string what_was_called(const HostNote& note);  // "inference", "payload=hard ...", "loading"
std::string what_was_seen(const HostNote& note);
std::optional<Observation> what_was_observed(const HostNote& note);
std::optional<std::uint64_t> where_it_crashed(const HostNote& note);

// A note in shared memory behind a file descriptor. Both sides map it.
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

// Send and receive a descriptor over a socket, along with one byte.
bool send_descriptor(int channel, int file);
int receive_descriptor(int channel);  // -1: none came

}  // namespace reshape::conformance
