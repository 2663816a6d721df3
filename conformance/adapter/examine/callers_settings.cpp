#include "conformance/adapter/examine/callers_settings.h"

#include <sys/stat.h>

#include <clocale>

namespace reshape::conformance {

CallersSettings::CallersSettings() {
  const char* const numbers = std::setlocale(LC_NUMERIC, nullptr);
  numbers_ = numbers != nullptr ? numbers : "C";
  std::setlocale(LC_NUMERIC, "C.UTF-8");  // where there is none, all of it stays as it is
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGWINCH);
  pthread_sigmask(SIG_BLOCK, &set, &mask_);
  constexpr mode_t kOwn = 026;
  umask_ = umask(kOwn);
  new_handler_ = std::set_new_handler([] { throw std::bad_alloc(); });
}

CallersSettings::~CallersSettings() {
  std::set_new_handler(new_handler_);
  umask(umask_);
  pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  std::setlocale(LC_NUMERIC, numbers_.c_str());
}

}  // namespace reshape::conformance
