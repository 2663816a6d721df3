#include "conformance/adapter/process/message.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "conformance/adapter/process/message_parts.h"

namespace reshape::conformance {
namespace {

using nlohmann::json;

constexpr std::size_t kMostListed = 4096;  // sizes, executions, observations of one of them
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

void write(ValueWriter& writer, const std::vector<Observation>& observations) {
  writer.number(static_cast<std::int64_t>(observations.size()));
  for (const Observation& seen : observations) {
    writer.number(static_cast<int>(seen.watch));
    writer.number(static_cast<int>(seen.plane));
    writer.number(static_cast<int>(seen.duty));
    writer.text(seen.saw);
  }
}

void read(ValueReader& reader, std::vector<Observation>& into) {
  constexpr const char* kName = "observations";
  for (std::size_t left = reader.count(kName, kMostListed); left > 0 && reader.ok(); --left) {
    Observation& seen = into.emplace_back();
    reader.number(kName, 1, kWatchNames.size() - 1, seen.watch);
    reader.number(kName, 0, kPlanes - 1, seen.plane);
    reader.number(kName, 1, kDuties.size(), seen.duty);
    reader.text(kName, seen.saw);
  }
}

void write(ValueWriter& writer, const Execution& execution) {
  const Probe& probe = execution.probe;
  writer.number(static_cast<int>(probe.ask));
  writer.number(static_cast<int>(probe.payload));
  writer.number(probe.round);
  writer.number(probe.shift);
  writer.number(probe.poison);
  writer.number(static_cast<int>(probe.placement));
  writer.flag(probe.explicit_strides);
  writer.flag(probe.byte_offset);
  writer.flag(probe.null_if_empty);
  writer.flag(probe.one_allocation);
  writer.number(static_cast<int>(execution.status));
  writer.text(execution.message);
  writer.number(static_cast<std::int64_t>(execution.elements.size()));
  writer.flag(execution.as_placed);
  write(writer, execution.observations);
}

// Takes the elements off the front of `raw`.
void read(ValueReader& reader, std::string_view& raw, Execution& into) {
  constexpr const char* kName = "executions";
  Probe& probe = into.probe;
  std::size_t size = 0;
  reader.number(kName, 0, static_cast<int>(Probe::Ask::overlap), probe.ask);
  reader.number(kName, 0, static_cast<int>(Payload::zeros), probe.payload);
  reader.number(kName, 0, 64, probe.round);
  reader.number(kName, INT64_MIN, INT64_MAX, probe.shift);
  reader.number(kName, 0, 255, probe.poison);
  reader.number(kName, 0, static_cast<int>(Probe::Placement::odd), probe.placement);
  reader.flag(kName, probe.explicit_strides);
  reader.flag(kName, probe.byte_offset);
  reader.flag(kName, probe.null_if_empty);
  reader.flag(kName, probe.one_allocation);
  reader.number(kName, 0, static_cast<int>(Status::unknown), into.status);
  reader.text(kName, into.message);
  reader.number(kName, 0, static_cast<std::int64_t>(raw.size()), size);
  reader.flag(kName, into.as_placed);
  read(reader, into.observations);
  if (!reader.ok()) return;
  const auto* bytes = reinterpret_cast<const std::byte*>(raw.data());
  into.elements.assign(bytes, bytes + size);
  raw.remove_prefix(size);
}

void read(ValueReader& reader, Shape& into) {
  constexpr const char* kName = "shape";
  std::vector<std::int64_t> sizes(reader.count(kName, kMostListed));
  for (std::int64_t& size : sizes) reader.number(kName, 0, INT64_MAX, size);
  into = Shape(std::move(sizes));
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
                       {"in_turn", command.in_turn},
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
  members.flag("in_turn", command.in_turn);
  members.flag("reload", command.reload);
  if (parts->tree.contains("lasting")) members.number("lasting", 0, 255, command.lasting);
  int hardship = -1;
  if (parts->tree.contains("hardship")) {
    members.number("hardship", -1, static_cast<int>(Hardship::first_calls), hardship);
  }
  if (hardship >= 0) command.hardship = static_cast<Hardship>(hardship);
  return members.ok() ? Result<HostCommand>(std::move(command))
                      : Result<HostCommand>(members.error());
}

std::string encode_answer(const Outcome& outcome, Answer answer) {
  std::size_t raw_size = 0;
  for (const Execution& execution : outcome.executions) raw_size += execution.elements.size();
  ValueWriter writer(raw_size);
  writer.flag(answer == Answer::last);
  writer.number(static_cast<int>(outcome.kind));
  writer.number(static_cast<std::int64_t>(outcome.shape.rank()));
  for (const std::int64_t size : outcome.shape) writer.number(size);
  writer.text(outcome.message);
  writer.text(outcome.during);
  writer.flag(outcome.cut_short);
  write(writer, outcome.observations);
  writer.number(static_cast<std::int64_t>(outcome.executions.size()));
  for (const Execution& execution : outcome.executions) write(writer, execution);
  writer.end_head();
  for (const Execution& execution : outcome.executions) {
    writer.raw(execution.elements.data(), execution.elements.size());
  }
  return std::move(writer).take();
}

Result<AnswerRead> decode_answer(std::string_view message) {
  const Result<RawParts> parts = raw_parts_of(message);
  if (!parts) return parts.error();
  Outcome outcome;
  bool last = true;
  std::string_view raw = parts->raw;
  ValueReader reader(parts->head);
  reader.flag("last", last);
  reader.number("kind", 0, static_cast<int>(Outcome::Kind::not_asked), outcome.kind);
  read(reader, outcome.shape);
  reader.text("message", outcome.message);
  reader.text("during", outcome.during);
  reader.flag("cut_short", outcome.cut_short);
  read(reader, outcome.observations);
  const std::size_t executions = reader.count("executions", kMostListed);
  outcome.executions.reserve(executions);
  while (reader.ok() && outcome.executions.size() < executions) {
    read(reader, raw, outcome.executions.emplace_back());
  }
  if (!raw.empty()) reader.fail("elements");
  if (!reader.at_end()) reader.fail("an end");
  if (!reader.ok()) return reader.error();
  return AnswerRead{std::move(outcome), last ? Answer::last : Answer::interim};
}

}  // namespace reshape::conformance
