#pragma once

#include <exception>
#include <optional>
#include <string>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

namespace reshape::conformance {

// Calls into a library, and describes a C++ exception if one escapes. None may cross the contract.
template <typename Call>
std::optional<std::string> thrown_by(Call call) {
  try {
    call();
    return std::nullopt;
#ifdef __GLIBCXX__
  } catch (abi::__forced_unwind&) {
    throw;  // the thread is being ended; swallowing this would abort the process
#endif
  } catch (const std::exception& thrown) {
    return std::string("threw a C++ exception: ") + thrown.what();
  } catch (...) {
    return std::string("threw a C++ exception of a type of its own");
  }
}

}  // namespace reshape::conformance
