#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace reshape::conformance {

// What caught a fault: a watch over the call, or a comparison by the judge.
enum class CaughtBy : std::uint8_t {
  none,
  // Comparisons.
  shape,    // the inferred shape, or whether there is one
  bytes,    // the elements of the output
  status,   // of execute or view
  message,  // whether there is one
  view,     // where it lies in memory
  same_answer,
  process,  // whether it survived
  // Watches over memory.
  arguments_unchanged,
  canaries,
  guard_page,
  input_unchanged,
  memory_fills,
  memory_growth,
  output_gaps,
  rejection_writes_nothing,
  shape_canary,
  // Watches over the process.
  floating_point_control,
  locale,
  open_files,
  process_settings,
  signal_handlers,
  signal_mask,
  threads,
  working_directory,
};

inline constexpr std::array kWatchNames = {
    "",
    "shape",
    "bytes",
    "status",
    "message",
    "view",
    "same-answer",
    "process",
    "arguments-unchanged",
    "canaries",
    "guard-page",
    "input-unchanged",
    "memory-fills",
    "memory-growth",
    "output-gaps",
    "rejection-writes-nothing",
    "shape-canary",
    "floating-point-control",
    "locale",
    "open-files",
    "process-settings",
    "signal-handlers",
    "signal-mask",
    "threads",
    "working-directory",
};
static_assert(kWatchNames.size() == static_cast<std::size_t>(CaughtBy::working_directory) + 1);

// "output-gaps"; "" for none.
constexpr const char* name(CaughtBy watch) { return kWatchNames[static_cast<std::size_t>(watch)]; }
// CaughtBy::none for anything else than a watch's name.
constexpr CaughtBy watch_named(std::string_view name) {
  for (std::size_t at = 1; at < kWatchNames.size(); ++at) {
    if (kWatchNames[at] == name) return static_cast<CaughtBy>(at);
  }
  return CaughtBy::none;
}

}  // namespace reshape::conformance
