#pragma once

#include <cerrno>
#include <cstddef>
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

// Up to `count` threads that take their turns from the same row: where the machine refuses more, those that
// are there do the work of all.
template <typename Work>
void start_threads(std::vector<std::jthread>& threads, std::size_t count, const Work& work) {
  for (std::size_t at = 0; at < count; ++at) {
    if (start_thread(threads, work) != 0) return;
  }
}

}  // namespace reshape::conformance
