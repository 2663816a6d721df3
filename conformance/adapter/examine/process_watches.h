#pragma once

#include <vector>

#include "conformance/adapter/examine/watches/watch.h"
#include "conformance/model/outcome.h"

namespace reshape::conformance {

// The watches over the process as a whole (duty C14).
std::vector<WatchPtr> watch_process(bool starts_threads, Patience patience = Patience::some);

// What a library changes of the process by being loaded: its constructors, those of the libraries
// that it needs, and its entry. One that was built for fast arithmetic flushes denormals to zero
// from then on, in all of the process.
class WhileLoading {
 public:
  WhileLoading();  // to be made before the library is loaded
  // What has changed since, undone where that is possible.
  std::vector<Observation> seen(bool starts_threads);

 private:
  std::vector<WatchPtr> watches_;
  WatchPtr threads_ = watch_threads();
};

}  // namespace reshape::conformance
