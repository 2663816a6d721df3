#pragma once

#include <signal.h>
#include <sys/types.h>

#include <new>
#include <string>

namespace reshape::conformance {

// What a caller may have set for itself, while this lives: numbers in a locale of their own, a
// signal blocked that nobody sends, a umask that is not the usual one, and a handler of memory that
// cannot be had, which does what is done without one. Where all is as a process begins, a library
// that sets it so instead of putting it back leaves it as it was: duty C14.
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
  std::new_handler new_handler_ = nullptr;
};

}  // namespace reshape::conformance
