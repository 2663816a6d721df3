#include "conformance/adapter/process/first_description.h"

namespace reshape::conformance {
namespace {

std::string or_none(const std::string& value) { return value.empty() ? "none" : value; }

}  // namespace

std::vector<std::pair<std::string, std::string>> declared(const Capabilities& can) {
  std::string dialects;
  for (const std::string& one : can.dialects) dialects += (dialects.empty() ? "" : " ") + one;
  std::vector<std::pair<std::string, std::string>> all = {
      {"name", can.name},
      {"version", can.version},
      {"dialects", dialects},
      {"element_types", can.element_types.text()},
      {"pattern_types", can.pattern_types.text()}};
  const auto number = [&](const char* name, std::int64_t value) {
    all.emplace_back(name, std::to_string(value));
  };
  number("max_rank", can.max_rank);
  number("alignment", can.alignment);
  number("max_elements", can.max_elements);
  number("max_size", can.max_size);
  number("max_bytes", can.max_bytes);
  const auto flag = [&](const char* name, bool value) {
    all.emplace_back(name, value ? "true" : "false");
  };
  flag("in_memory", can.in_memory);
  flag("infers_alone", can.infers_alone);
  each_flag(can, flag);
  return all;
}

std::string declared_otherwise(const Capabilities& first, const Capabilities& now) {
  const auto before = declared(first), after = declared(now);
  for (std::size_t at = 0; at < before.size(); ++at) {
    const auto& [name, value] = before[at];
    if (value == after[at].second) continue;
    return "a later start of it declares " + name + ' ' + or_none(after[at].second) +
           ", and the first " + or_none(value);
  }
  return "";
}

void FirstDescription::heard(const Capabilities& now) {
  if (!now_) first_ = now;
  now_ = now;
  otherwise_ = declared_otherwise(first_, now);
}

void FirstDescription::hold_to(const Capabilities& first) {
  first_ = first;
  if (now_) otherwise_ = declared_otherwise(first_, *now_);
}

void FirstDescription::tell(Outcome& outcome) const {
  if (otherwise_.empty()) return;
  outcome.at_first_use.push_back({CaughtBy::same_answer, Plane::memory, Duty::C2, otherwise_});
}

}  // namespace reshape::conformance
