#include "conformance/adapter/process/message.h"

#include <utility>

#include "conformance/adapter/examine/growth_suspicions.h"
#include "conformance/adapter/process/message_parts.h"
#include "conformance/adapter/process/probe_fields.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kMostListed = 4096;  // dialects, executions, observations of one of them
constexpr std::size_t kMostLines = std::size_t{1} << 20;
constexpr std::int64_t kAllTypes = (std::int64_t{1} << kAllElementTypes.size()) - 1;

// The values of each structure in the order in which they are sent. `Way` is a ValueWriter or a
// ValueReader, and what is written is const.

template <typename Way, typename Types>
void types(Way& way, const char* name, Types& all) {
  std::uint32_t mask = all.mask();
  way.number(name, 0, kAllTypes, mask);
  if constexpr (Way::kReads) all = ElementTypes::from_mask(mask);
}

template <typename Way, typename Can>
void capabilities(Way& way, Can& can) {
  way.text("name", can.name);
  way.text("version", can.version);
  way.list("dialects", kMostListed, can.dialects, [&](auto& one) { way.text("dialects", one); });
  types(way, "element_types", can.element_types);
  types(way, "pattern_types", can.pattern_types);
  way.number("max_rank", 0, INT32_MAX, can.max_rank);
  way.number("alignment", 0, 4096, can.alignment);
  way.number("max_elements", 0, INT64_MAX, can.max_elements);
  way.number("max_size", 0, INT64_MAX, can.max_size);
  each_flag(can, [&](const char* name, auto& value) { way.flag(name, value); });
}

template <typename Way, typename List>
void observations(Way& way, List& all) {
  constexpr const char* kName = "observations";
  way.list(kName, kMostListed, all, [&](auto& seen) {
    way.number(kName, 1, kWatchNames.size() - 1, seen.watch);
    way.number(kName, 0, kPlanes - 1, seen.plane);
    way.number(kName, 1, kDuties.size(), seen.duty);
    way.text(kName, seen.saw);
  });
}

template <typename Way, typename One>
void execution(Way& way, One& one) {
  constexpr const char* kName = "executions";
  each_field(one.probe, [&](auto& value, std::int64_t low, std::int64_t high) {
    way.number(kName, low, high, value);
  });
  way.number(kName, 0, static_cast<int>(Status::unknown), one.status);
  way.text(kName, one.message);
  way.raw(kName, one.elements);
  way.flag(kName, one.as_placed);
  observations(way, one.observations);
}

template <typename Way, typename Sizes>
void shape(Way& way, Sizes& sizes) {
  std::vector<std::int64_t> all(sizes.begin(), sizes.end());
  way.list("shape", kMostSizes, all, [&](auto& size) { way.number("shape", 0, INT64_MAX, size); });
  if constexpr (Way::kReads) sizes = Shape(std::move(all));
}

template <typename Way, typename One>
void outcome(Way& way, One& one) {
  way.number("kind", 0, static_cast<int>(Outcome::Kind::not_asked), one.kind);
  shape(way, one.shape);
  way.text("message", one.message);
  way.text("during", one.during);
  way.flag("cut_short", one.cut_short);
  observations(way, one.observations);
  way.list("executions", kMostListed, one.executions, [&](auto& each) { execution(way, each); });
}

template <typename Way, typename One>
void command(Way& way, One& one) {
  way.list("lines", kMostLines, one.lines, [&](auto& line) { way.raw("lines", line); });
  way.number("times", 0, 1 << 20, one.times);
  way.flag("in_turn", one.in_turn);
  way.number("milliseconds", 0, 1 << 30, one.milliseconds);
  way.flag("reload", one.reload);
  way.flag("sweep", one.sweep);
  way.number("lasting", 0, all_sites(), one.lasting);
  int hardship = one.hardship ? static_cast<int>(*one.hardship) : -1;
  way.number("hardship", -1, static_cast<int>(Hardship::executed_first), hardship);
  if constexpr (Way::kReads) {
    if (hardship >= 0) one.hardship = static_cast<Hardship>(hardship);
  }
}

template <typename T>
Result<T> read_to_the_end(ValueReader& reader, T value) {
  reader.end();
  return reader.ok() ? Result<T>(std::move(value)) : Result<T>(reader.error());
}

}  // namespace

std::string encode_greeting(const Result<Capabilities>& greeting) {
  ValueWriter writer;
  writer.flag("loaded", greeting.ok());
  if (greeting) {
    capabilities(writer, *greeting);
  } else {
    writer.text("error", greeting.error().message);
    writer.text("where", greeting.error().where);
  }
  return std::move(writer).take();
}

Result<Capabilities> decode_greeting(std::string_view message) {
  ValueReader reader(message);
  bool loaded = false;
  reader.flag("loaded", loaded);
  if (!loaded) {
    Error error;
    reader.text("error", error.message);
    reader.text("where", error.where);
    reader.end();
    return reader.ok() ? error : reader.error();
  }
  Capabilities can;
  capabilities(reader, can);
  if ((can.alignment & (can.alignment - 1)) != 0) reader.fail("alignment");
  return read_to_the_end(reader, std::move(can));
}

std::string encode_command(const HostCommand& asked) {
  ValueWriter writer;
  command(writer, asked);
  return std::move(writer).take();
}

Result<HostCommand> decode_command(std::string_view message) {
  ValueReader reader(message);
  HostCommand read;
  command(reader, read);
  return read_to_the_end(reader, std::move(read));
}

std::string encode_answer(const Outcome& told, Answer answer) {
  ValueWriter writer;
  writer.flag("last", answer == Answer::last);
  outcome(writer, told);
  return std::move(writer).take();
}

Result<AnswerRead> decode_answer(std::string_view message) {
  ValueReader reader(message);
  bool last = true;
  Outcome read;
  reader.flag("last", last);
  outcome(reader, read);
  return read_to_the_end(reader,
                         AnswerRead{std::move(read), last ? Answer::last : Answer::interim});
}

}  // namespace reshape::conformance
