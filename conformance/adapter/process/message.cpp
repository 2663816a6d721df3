#include "conformance/adapter/process/message.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "conformance/adapter/process/message_parts.h"

namespace reshape::conformance {
namespace {

using nlohmann::json;

constexpr std::size_t kMostSizes = 4096;
constexpr std::int64_t kAllTypes = (std::int64_t{1} << kAllElementTypes.size()) - 1;

json tree_of(const Capabilities& can) {
  return {{"name", can.name},
          {"version", can.version},
          {"dialects", can.dialects},
          {"element_types", can.element_types.mask()},
          {"pattern_types", can.pattern_types.mask()},
          {"max_rank", can.max_rank},
          {"alignment", can.alignment},
          {"strided_input", can.strided_input},
          {"strided_output", can.strided_output},
          {"negative_strides", can.negative_strides},
          {"in_place", can.in_place},
          {"views", can.views},
          {"starts_threads", can.starts_threads},
          {"shape_only", can.shape_only},
          {"max_elements", can.max_elements},
          {"max_size", can.max_size},
          {"no_overlapping_strides", can.no_overlapping_strides},
          {"pattern_is_list", can.pattern_is_list},
          {"some_views", can.some_views},
          {"overlap", can.overlap},
          {"checks_output", can.checks_output}};
}

Result<Capabilities> capabilities_of(const json& tree) {
  Capabilities can;
  Members members(tree);
  std::uint32_t types = 0;
  std::uint32_t pattern_types = 0;
  members.text("name", can.name);
  members.text("version", can.version);
  members.number("element_types", 0, kAllTypes, types);
  members.number("pattern_types", 0, kAllTypes, pattern_types);
  members.number("max_rank", 0, INT32_MAX, can.max_rank);
  members.number("alignment", 0, 4096, can.alignment);
  members.flag("strided_input", can.strided_input);
  members.flag("strided_output", can.strided_output);
  members.flag("negative_strides", can.negative_strides);
  members.flag("in_place", can.in_place);
  members.flag("views", can.views);
  members.flag("starts_threads", can.starts_threads);
  members.flag("shape_only", can.shape_only);
  members.number("max_elements", 0, INT64_MAX, can.max_elements);
  members.number("max_size", 0, INT64_MAX, can.max_size);
  members.flag("no_overlapping_strides", can.no_overlapping_strides);
  members.flag("pattern_is_list", can.pattern_is_list);
  members.flag("some_views", can.some_views);
  members.flag("overlap", can.overlap);
  members.flag("checks_output", can.checks_output);
  if ((can.alignment & (can.alignment - 1)) != 0) members.fail("alignment");
  if (const json* dialects = members.list("dialects", 4096)) {
    for (const json& dialect : *dialects) {
      if (Members::text(dialect, can.dialects.emplace_back())) continue;
      members.fail("dialects");
      break;
    }
  }
  if (!members.ok()) return members.error();
  can.element_types = ElementTypes::from_mask(types);
  can.pattern_types = ElementTypes::from_mask(pattern_types);
  return can;
}

json tree_of(const std::vector<Observation>& observations) {
  json list = json::array();
  for (const Observation& seen : observations) {
    list.push_back({{"watch", static_cast<int>(seen.watch)},
                    {"plane", static_cast<int>(seen.plane)},
                    {"duty", static_cast<int>(seen.duty)},
                    {"saw", seen.saw}});
  }
  return list;
}

void read_observations(Members& members, std::vector<Observation>& into) {
  const json* list = members.list("observations", 4096);
  if (list == nullptr) return;
  for (const json& one : *list) {
    Members parts(one);
    Observation& seen = into.emplace_back();
    parts.number("watch", 1, kWatchNames.size() - 1, seen.watch);
    parts.number("plane", 0, kPlanes - 1, seen.plane);
    parts.number("duty", 1, kDuties.size(), seen.duty);
    parts.text("saw", seen.saw);
    if (!parts.ok()) return members.fail("observations");
  }
}

json tree_of(const Execution& execution) {
  const Probe& probe = execution.probe;
  return {{"ask", static_cast<int>(probe.ask)},
          {"payload", static_cast<int>(probe.payload)},
          {"round", probe.round},
          {"shift", probe.shift},
          {"poison", probe.poison},
          {"placement", static_cast<int>(probe.placement)},
          {"explicit_strides", probe.explicit_strides},
          {"byte_offset", probe.byte_offset},
          {"null_if_empty", probe.null_if_empty},
          {"status", static_cast<int>(execution.status)},
          {"message", execution.message},
          {"elements", execution.elements.size()},
          {"as_placed", execution.as_placed},
          {"observations", tree_of(execution.observations)}};
}

// Takes the elements off the front of `raw`.
bool read_execution(const json& tree, std::string_view& raw, Execution& into) {
  Members members(tree);
  Probe& probe = into.probe;
  std::size_t size = 0;
  members.number("ask", 0, static_cast<int>(Probe::Ask::overlap), probe.ask);
  members.number("payload", 0, static_cast<int>(Payload::zeros), probe.payload);
  members.number("round", 0, 64, probe.round);
  members.number("shift", INT64_MIN, INT64_MAX, probe.shift);
  members.number("poison", 0, 255, probe.poison);
  members.number("placement", 0, static_cast<int>(Probe::Placement::odd), probe.placement);
  members.flag("explicit_strides", probe.explicit_strides);
  members.flag("byte_offset", probe.byte_offset);
  members.flag("null_if_empty", probe.null_if_empty);
  members.number("status", 0, static_cast<int>(Status::unknown), into.status);
  members.text("message", into.message);
  members.number("elements", 0, static_cast<std::int64_t>(raw.size()), size);
  members.flag("as_placed", into.as_placed);
  read_observations(members, into.observations);
  if (!members.ok()) return false;
  const auto* bytes = reinterpret_cast<const std::byte*>(raw.data());
  into.elements.assign(bytes, bytes + size);
  raw.remove_prefix(size);
  return true;
}

void read_shape(Members& members, Shape& into) {
  const json* list = members.list("shape", kMostSizes);
  if (list == nullptr) return;
  for (const json& value : *list) {
    std::int64_t size = 0;
    if (!Members::integer(value, size) || size < 0) return members.fail("shape");
    into.append(size);
  }
}

}  // namespace

std::string encode_greeting(const Result<Capabilities>& greeting) {
  if (greeting) return with_raw(json{{"capabilities", tree_of(*greeting)}});
  return with_raw(json{{"error", greeting.error().message}, {"where", greeting.error().where}});
}

Result<Capabilities> decode_greeting(std::string_view message) {
  const Result<Parts> parts = parts_of(message);
  if (!parts) return parts.error();
  if (const auto found = parts->tree.find("capabilities"); found != parts->tree.end()) {
    return capabilities_of(*found);
  }
  Error error;
  Members members(parts->tree);
  members.text("error", error.message);
  members.text("where", error.where);
  return members.ok() ? error : members.error();
}

std::string encode_ask(const std::string& line) { return with_raw(json::object(), line); }

Result<std::string> decode_ask(std::string_view message) {
  const Result<Parts> parts = parts_of(message);
  if (!parts) return parts.error();
  return std::string(parts->raw);
}

std::string encode_command(const HostCommand& command) {
  std::string raw;
  // Each line ends in a newline, so that an empty one is there, too.
  for (const std::string& line : command.lines) raw += line + '\n';
  return with_raw(json{{"times", command.times},
                       {"milliseconds", command.milliseconds},
                       {"reload", command.reload},
                       {"lasting", command.lasting},
                       {"hardship", command.hardship ? static_cast<int>(*command.hardship) : -1}},
                  raw);
}

Result<HostCommand> decode_command(std::string_view message) {
  const Result<Parts> parts = parts_of(message);
  if (!parts) return parts.error();
  HostCommand command;
  for (std::string_view rest = parts->raw; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    command.lines.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (parts->tree.empty()) return command;
  Members members(parts->tree);
  members.number("times", 0, 1 << 20, command.times);
  members.number("milliseconds", 0, 1 << 30, command.milliseconds);
  members.flag("reload", command.reload);
  if (parts->tree.contains("lasting")) members.number("lasting", 0, 255, command.lasting);
  int hardship = -1;
  if (parts->tree.contains("hardship")) {
    members.number("hardship", -1, static_cast<int>(Hardship::no_memory), hardship);
  }
  if (hardship >= 0) command.hardship = static_cast<Hardship>(hardship);
  return members.ok() ? Result<HostCommand>(std::move(command))
                      : Result<HostCommand>(members.error());
}

std::string encode_answer(const Outcome& outcome, Answer answer) {
  json executions = json::array();
  std::string raw;
  for (const Execution& execution : outcome.executions) {
    executions.push_back(tree_of(execution));
    raw.append(reinterpret_cast<const char*>(execution.elements.data()), execution.elements.size());
  }
  std::vector<std::int64_t> shape(outcome.shape.begin(), outcome.shape.end());
  return with_raw({{"last", answer == Answer::last},
                   {"kind", static_cast<int>(outcome.kind)},
                   {"shape", std::move(shape)},
                   {"message", outcome.message},
                   {"during", outcome.during},
                   {"cut_short", outcome.cut_short},
                   {"observations", tree_of(outcome.observations)},
                   {"executions", std::move(executions)}},
                  raw);
}

Result<AnswerRead> decode_answer(std::string_view message) {
  const Result<Parts> parts = parts_of(message);
  if (!parts) return parts.error();
  Outcome outcome;
  bool last = true;
  std::string_view raw = parts->raw;
  Members members(parts->tree);
  members.flag("last", last);
  members.number("kind", 0, static_cast<int>(Outcome::Kind::malformed), outcome.kind);
  read_shape(members, outcome.shape);
  members.text("message", outcome.message);
  members.text("during", outcome.during);
  members.flag("cut_short", outcome.cut_short);
  read_observations(members, outcome.observations);
  if (const json* list = members.list("executions", 4096)) {
    for (const json& one : *list) {
      if (read_execution(one, raw, outcome.executions.emplace_back())) continue;
      members.fail("executions");
      break;
    }
  }
  if (!raw.empty()) members.fail("elements");
  if (!members.ok()) return members.error();
  return AnswerRead{std::move(outcome), last ? Answer::last : Answer::interim};
}

}  // namespace reshape::conformance
