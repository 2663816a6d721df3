#pragma once

#include <string>

namespace reshape::conformance {

// Reads what a process prints into a pipe, so that it never blocks, and keeps only the end.
class LastWords {
 public:
  // Reads once from `pipe`, which does not block; false at its end.
  bool read_from(int pipe);
  // Reads the rest after the process has ended, up to a limit (others may still write).
  void read_rest(int pipe);
  void forget() { tail_.clear(); }
  // The last line that is not blank, ready for a sentence, or nothing.
  std::string line() const;

 private:
  std::string tail_;
};

}  // namespace reshape::conformance
