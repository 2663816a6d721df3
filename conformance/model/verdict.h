#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/model/outcome.h"

namespace reshape::conformance {

// The innermost frame within the implementation's library when its process crashed. Function, file
// and line are known together or not at all; see name_crash_frames.
struct CrashFrame {
  std::uint64_t address = 0;  // relative to the library's file, as addr2line takes it
  std::string function;       // as in the source: "ns::copy(char*, int)"
  std::string file;
  int line = 0;  // from 1; 0: not known

  friend bool operator==(const CrashFrame&, const CrashFrame&) = default;
};
// "execute at mine.c:104", or "libmine.so+0x1a2b" where no line is known.
std::string text(const CrashFrame& frame, const std::string& library);

// One thing that was wrong.
struct Fault {
  Plane plane = Plane::shape;
  std::string clause;  // of the document, or "" when a contract duty is at fault
  Duty duty = Duty::none;
  CaughtBy watch = CaughtBy::none;
  std::string expected;  // "produces [2,3]"; "element 4 is 0x40800000"
  std::string answered;  // "produced [2,5]"; "element 4 is 0x00000000"
  std::string probe;     // the set-up it was seen with; empty for inference
  std::optional<CrashFrame> frame = std::nullopt;  // of a crash within the library

  // The clause, or the duty where no clause is broken.
  std::string broken() const { return clause.empty() ? std::string(name(duty)) : clause; }

  // The clause, where the answer breaks it. None is broken by a crash, a hang, an answer that cannot
  // be read, and a call that says of itself that it failed: these break a duty alone.
  std::string broken_clause() const;

  // What a baseline records: clause or duty, watch, expected and answered; not the probe, and not
  // the numbers of a message, which may be counters or addresses.
  std::string fingerprint() const;
};

// The fingerprint with each number in the implementation's message (in the last brackets) replaced
// by #: fingerprints are compared in this form.
std::string without_message_numbers(const std::string& fingerprint);

// `text` with each number, and each list of numbers, as one #.
std::string without_numbers(const std::string& text);

// What the judge says of a case.
struct Verdict {
  enum class Kind : std::uint8_t {
    pass,
    fail,
    unsupported,  // the implementation did not promise this: not executed, with the reason
    mistrusted,   // nothing wrong was seen, but too little was checked, with the reason
  };
  enum class PlaneState : std::uint8_t { not_asked, pass, fail };

  Kind kind = Kind::pass;
  std::array<PlaneState, kPlanes> planes{};  // indexed by Plane
  std::vector<Fault> faults;                 // the first is the one to read
  std::string reason;                        // unsupported, mistrusted
  std::string chose;                         // unspecified expectation: what the implementation did

  const CrashFrame* frame() const;  // of the first fault that has one, or null
};
const char* name(Verdict::Kind kind);
const char* name(Verdict::PlaneState state);

}  // namespace reshape::conformance
