#pragma once

#include <signal.h>
#include <sys/types.h>

#include <string>

namespace reshape::conformance {

// What a caller may have set for itself, while this lives: numbers in a locale of their own, a
// signal blocked that nobody sends, and a umask that is not the usual one. Where all is as a
// process begins, a library that sets it so instead of putting it back leaves it as it was: duty
// C14.
class CallersSettings {
 public:
  CallersSettings();
  ~CallersSettings();
  CallersSettings(const CallersSettings&) = delete;
  CallersSettings& operator=(const CallersSettings&) = delete;

 private:
  std::string numbers_;  // the locale before
  sigset_t mask_ = {};
  mode_t umask_ = 0;
};

}  // namespace reshape::conformance
