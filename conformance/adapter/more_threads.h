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

// Starts one thread more that does `work`, or tells why the machine refuses one: an error of 0 is none.
// Without this a machine that is full would end the program (std::terminate), and who is asked be blamed.
template <typename Work>
int start_thread(std::vector<std::jthread>& threads, Work&& work) {
  try {
    threads.emplace_back(std::forward<Work>(work));
    return 0;
  } catch (const std::system_error& error) {
    return error.code().value() != 0 ? error.code().value() : EAGAIN;
  }
}

// Threads that take their turns from the same row as the caller does.
class Jobs {
 public:
  // Up to `count` of them: where the machine refuses more, those that are there do the work of all.
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

  // Waits for all. What one of them threw (there is no memory left) is thrown on.
  void wait() {
    threads_.clear();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  std::mutex failing_;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;  // the first to be destroyed: their work uses the others
};

}  // namespace reshape::conformance
