#include "conformance/adapter/examine/process_watches.h"

#include <utility>

namespace reshape::conformance {

std::vector<WatchPtr> watch_process(bool starts_threads, Patience patience) {
  std::vector<WatchPtr> watches;
  for (WatchPtr (*watch)() : {watch_locale, watch_signals, watch_working_directory,
                              watch_process_settings, watch_thread_settings}) {
    watches.push_back(watch());
  }
  watches.push_back(watch_open_files(patience));
  if (!starts_threads) watches.push_back(watch_threads());
  return watches;
}

// Only the description says whether threads may be started. What a runtime opens while it is loaded
// mostly stays open, and waiting would cost every start.
WhileLoading::WhileLoading() : watches_(watch_process(true, Patience::none)) {
  watches_.push_back(watch_floating_point_control());
  for (const WatchPtr& watch : watches_) watch->before({});
  threads_->before({});
}

std::vector<Observation> WhileLoading::seen(bool starts_threads) {
  if (!starts_threads) watches_.push_back(std::move(threads_));
  std::vector<Observation> seen;
  for (const WatchPtr& watch : watches_) watch->after({}, Status::ok, seen);
  for (Observation& one : seen) one.saw += ", while the library was loaded";
  return seen;
}

}  // namespace reshape::conformance
