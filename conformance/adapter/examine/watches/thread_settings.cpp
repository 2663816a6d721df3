#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

#include <array>
#include <string>
#include <utility>

#include "conformance/adapter/examine/watches/watch.h"

namespace reshape::conformance {
namespace {

cpu_set_t processors_now() {
  cpu_set_t now;
  CPU_ZERO(&now);
  sched_getaffinity(0, sizeof now, &now);
  return now;
}

std::string thread_name_now() {
  char name[16] = {};
  prctl(PR_GET_NAME, name);
  return name;
}

// Whether the thread can be cancelled, and when.
std::array<int, 2> cancellation_now() {
  std::array<int, 2> now = {};
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &now[0]);
  pthread_setcancelstate(now[0], nullptr);
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &now[1]);
  pthread_setcanceltype(now[1], nullptr);
  return now;
}

// Cleared where there is none, since the other fields are then undefined.
stack_t signal_stack_now() {
  stack_t now = {};
  sigaltstack(nullptr, &now);
  if ((now.ss_flags & SS_DISABLE) != 0) now = {nullptr, SS_DISABLE, 0};
  return now;
}

struct Settings {
  cpu_set_t processors = {};
  std::string name;
  stack_t signal_stack = {};
  std::array<int, 2> cancellation = {};
  int timer_slack = 0;  // nanoseconds
};

Settings settings_now() {
  return {processors_now(), thread_name_now(), signal_stack_now(), cancellation_now(),
          prctl(PR_GET_TIMERSLACK)};
}

// Duty C14: settings of the thread that calls.
class ThreadSettings : public Watch {
 public:
  void before(const CallSite&) override { before_ = settings_now(); }

  void after(const CallSite&, Status, std::vector<Observation>& seen) override {
    const Settings now = settings_now();
    const auto saw = [&](std::string what) {
      seen.push_back({CaughtBy::process_settings, Plane::memory, Duty::C14, std::move(what)});
    };
    if (!CPU_EQUAL(&now.processors, &before_.processors)) {
      saw("the thread was bound to other processors");
      sched_setaffinity(0, sizeof before_.processors, &before_.processors);
    }
    if (now.name != before_.name) {
      saw("the thread was named " + now.name);
      prctl(PR_SET_NAME, before_.name.c_str());
    }
    if (now.signal_stack.ss_sp != before_.signal_stack.ss_sp ||
        now.signal_stack.ss_size != before_.signal_stack.ss_size) {
      saw("the stack for signals was replaced");
      sigaltstack(&before_.signal_stack, nullptr);
    }
    if (now.cancellation != before_.cancellation) {
      saw("whether the thread can be cancelled was changed");
      pthread_setcancelstate(before_.cancellation[0], nullptr);
      pthread_setcanceltype(before_.cancellation[1], nullptr);
    }
    if (now.timer_slack != before_.timer_slack) {
      saw("how late the thread may be woken (PR_SET_TIMERSLACK) was changed");
      prctl(PR_SET_TIMERSLACK, before_.timer_slack);
    }
  }

 private:
  Settings before_;
};

}  // namespace

WatchPtr watch_thread_settings() { return std::make_unique<ThreadSettings>(); }

}  // namespace reshape::conformance
