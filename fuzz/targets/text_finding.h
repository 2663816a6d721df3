#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "fuzz/engine/finding.h"
#include "reference/tensor/result.h"

namespace reshape::fuzz {

// Reports a finding about a parser: its name, the promise it breaks, and the texts.
[[noreturn]] inline void report_text(std::string_view reader, std::string_view promise,
                                     std::string expected, std::string answered) {
  report({{std::string(reader), "", "", "text", std::string(promise)},
          "",
          std::move(expected),
          std::move(answered)});
}

inline void about_to_read(std::string_view reader) {
  if (g_remember_subject) remember_subject({std::string(reader), "", "", "text", ""}, "");
}

inline std::string_view as_text(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Checks that what was printed parses again, to the same `value`.
template <typename Value>
void check_round_trip(std::string_view reader, const Value& value, const std::string& printed,
                      const Result<Value>& again, auto print) {
  if (!again) report_text(reader, "reads-back", printed, again.error().text());
  if (*again != value) report_text(reader, "round-trip", printed, print(*again));
}

// Whether `where` is a column, "column 7", within the text or just behind its end.
inline bool names_a_column(std::string_view where, std::string_view text) {
  constexpr std::string_view kColumn = "column ";
  if (!where.starts_with(kColumn)) return false;
  std::size_t column = 0;
  for (const char digit : where.substr(kColumn.size())) {
    if (digit < '0' || digit > '9') return false;
    column = column * 10 + static_cast<std::size_t>(digit - '0');
  }
  return column >= 1 && column <= text.size() + 1;
}

}  // namespace reshape::fuzz
