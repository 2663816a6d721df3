#include "conformance/detection/object_seen.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/model/verdict.h"

namespace reshape::conformance {
namespace {

constexpr std::string_view kChanged = " changed";

// Replaces each `from` by `to`.
void replace(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// "byte 0 changed from 00 to 60 of the ndim" becomes "byte 0 changed of the ndim".
void drop_values(std::string& text) {
  constexpr std::string_view kFrom = " changed from ", kTo = " to ";
  const std::size_t from = text.find(kFrom);
  if (from == std::string::npos) return;
  const std::size_t to = text.find(kTo, from);
  if (to == std::string::npos) return;
  const std::size_t end = std::min(text.find_first_of(" ,", to + kTo.size()), text.size());
  text.replace(from, end - from, kChanged);
}

void drop_brackets(std::string& text) {
  for (std::size_t open = text.find(" ("); open != std::string::npos; open = text.find(" (")) {
    const std::size_t close = text.find(')', open);
    if (close == std::string::npos) return;
    text.erase(open, close + 1 - open);
  }
}

void drop_behind(std::string& text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at != std::string::npos) text.erase(at);
}

// An access that is far from every buffer may be meant for any of them.
void drop_what_is_far(std::string& text) {
  if (!text.ends_with(", the nearest that it was given")) return;
  text = text.substr(0, text.find(' ')) + " far from what it was given";
}

// Of an answer that changes: what came then, and when. Without the first answer, in which the
// outcomes may not differ anyway.
std::string answered_then(const Observation& one) {
  if (one.plane == Plane::bytes) return without_numbers(one.saw);
  constexpr std::string_view kAnd = ", and ";
  std::string text = one.saw;
  drop_brackets(text);  // which hold the implementation's words
  if (const std::size_t at = text.find(kAnd); at != std::string::npos) {
    text.erase(0, at + kAnd.size());
  }
  // What is no list of sizes may hold numbers that vary.
  return text.starts_with('[') ? text : without_numbers(text);
}

// What a watch saw, without what varies.
std::string object_seen(const Observation& one) {
  std::string text = one.saw;
  switch (one.watch) {
    case CaughtBy::same_answer: return answered_then(one);
    case CaughtBy::memory_growth: return "";
    // What they were set to is the mistake.
    case CaughtBy::floating_point_control:
    case CaughtBy::locale:
    case CaughtBy::signal_handlers:
    case CaughtBy::signal_mask: return text;
    case CaughtBy::working_directory: {
      const std::size_t left = text.find(" was left in ");
      return left == std::string::npos ? text : text.substr(left);
    }
    default: break;
  }
  drop_what_is_far(text);
  drop_values(text);
  drop_brackets(text);
  drop_behind(text, ", the nearest at a distance of ");
  drop_behind(text, " was named ");
  text = without_numbers(text);
  replace(text, "-#", "#");
  replace(text, "bytes", "byte");
  return text;
}

// Of memory that grows: by how many bytes with each call; else 0.
std::int64_t bytes_a_call(const Observation& one) {
  if (one.watch != CaughtBy::memory_growth) return 0;
  for (const std::string_view behind : {" bytes a call", " bytes more"}) {
    const std::size_t end = one.saw.find(behind);
    if (end == std::string::npos || end == 0) continue;
    const std::size_t begin = one.saw.find_last_not_of("0123456789", end - 1) + 1;
    std::int64_t bytes = 0;
    const auto read = std::from_chars(one.saw.data() + begin, one.saw.data() + end, bytes);
    if (read.ec == std::errc{}) return bytes;
  }
  return 0;
}

using Seen = std::map<std::pair<CaughtBy, std::string>, std::int64_t>;

Seen seen_in(const std::vector<Observation>& observations) {
  Seen seen;
  for (const Observation& one : observations) {
    std::int64_t& most = seen[{one.watch, object_seen(one)}];
    most = std::max(most, bytes_a_call(one));
  }
  return seen;
}

// The growth of the process is seen in pages, and that of the heap with what malloc adds.
bool about_equal(std::int64_t one, std::int64_t other) {
  constexpr std::int64_t kFactor = 2, kSlack = 128;
  return std::max(one, other) <= kFactor * std::min(one, other) + kSlack;
}

}  // namespace

bool saw_the_same(const std::vector<Observation>& one, const std::vector<Observation>& other) {
  const Seen seen = seen_in(one), others = seen_in(other);
  return std::ranges::equal(seen, others, [](const auto& a, const auto& b) {
    return a.first == b.first && about_equal(a.second, b.second);
  });
}

}  // namespace reshape::conformance
