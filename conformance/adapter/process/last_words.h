#pragma once

#include <string>

namespace reshape::conformance {

// What a process prints into a pipe is read, so that it is never held up, and thrown away but for its end.
class LastWords {
 public:
  // Reads once from `pipe`, which does not block; false at its end.
  bool read_from(int pipe);
  // Reads what is there, of a process that has ended; not all of what goes on for ever.
  void read_rest(int pipe);
  void forget() { tail_.clear(); }
  // The last line that says something, fit for a sentence, or nothing.
  std::string line() const;

 private:
  std::string tail_;
};

}  // namespace reshape::conformance
