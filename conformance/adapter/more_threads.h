#pragma once

#include <cerrno>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace reshape::conformance {

// Starts one more thread for `work`; returns 0, or the errno if the machine refuses. Otherwise the
// exception would end the program (std::terminate), and the implementation would be blamed.
template <typename Work>
int start_thread(std::vector<std::jthread>& threads, Work&& work) {
  try {
    threads.emplace_back(std::forward<Work>(work));
    return 0;
  } catch (const std::system_error& error) {
    return error.code().value() != 0 ? error.code().value() : EAGAIN;
  }
}

// Threads that share a queue of work with the caller.
class Jobs {
 public:
  // Starts up to `count` threads; if the machine refuses more, those that run do all of the work.
  template <typename Work>
  void start(std::size_t count, const Work& work) {
    for (std::size_t at = 0; at < count; ++at) {
      const int error = start_thread(threads_, [this, &work] {
        try {
          work();
        } catch (...) {
          const std::lock_guard lock(failing_);
          if (!failure_) failure_ = std::current_exception();
        }
      });
      if (error != 0) return;
    }
  }

  // Waits for all threads, and rethrows an exception of one of them (out of memory).
  void wait() {
    threads_.clear();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  std::mutex failing_;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;  // destroyed first: the threads use the other members
};

}  // namespace reshape::conformance
