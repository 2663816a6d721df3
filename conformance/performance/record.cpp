#include "conformance/performance/record.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "conformance/files/plain_text.h"
#include "conformance/run/write_file.h"
#include "conformance/text/read_json.h"

namespace reshape::conformance::performance {
namespace {

using nlohmann::json;

constexpr std::size_t kLargest = std::size_t{16} << 20;  // bytes; a machine has a few lines

Result<json> read_machines(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) return json::object();
  const Result<std::string> text = read_text(path, kLargest);
  if (!text) return text.error();
  Result<json> read = read_json(*text);
  if (!read) return Error{read.error().message, path};
  if (!read->is_object()) return Error{"is not a record of plays", path};
  return read;
}

Result<Record> record_in(const json& machines, const std::string& path,
                         const std::string& machine) {
  Record record;
  try {
    if (!machines.contains(machine)) return record;
    for (const auto& [slowed, tally] : machines.at(machine).items()) {
      const Tally one{tally.at("claimed").get<int>(), tally.at("plays").get<int>()};
      if (one.claimed < 0 || one.claimed > one.plays) return Error{"has impossible plays", path};
      record[std::stoi(slowed)] = one;
    }
  } catch (const std::exception&) {
    return Error{"is not a record of plays", path};
  }
  return record;
}

std::string name_of(int key) {
  return key == 0 ? "same again" : fmt::format("{:g} % slower", key / 10.0);
}

}  // namespace

const std::vector<Promise>& promises() {
  static const std::vector<Promise> all = {{0, 0.01, 0}, {0.05, 1, 0.95}, {0.03, 1, 0.80}};
  return all;
}

int key_of(double slowed) { return static_cast<int>(std::lround(slowed * 1000)); }

std::string ruled_out(const Record& record) {
  for (const Promise& promise : promises()) {
    const auto found = record.find(key_of(promise.slowed));
    if (found == record.end()) continue;
    const auto& [claimed, plays] = found->second;
    const Interval bounds = rate_bounds(claimed, plays);
    if (bounds.lower > promise.most || bounds.upper < promise.least) {
      return fmt::format("{}: {} of {} claimed, where {} {:g} % are promised",
                         name_of(found->first), claimed, plays,
                         promise.slowed == 0 ? "at most" : "at least",
                         100 * (promise.slowed == 0 ? promise.most : promise.least));
    }
  }
  return {};
}

std::string text(const Record& record) {
  std::string lines;
  for (const auto& [key, tally] : record) {
    const Interval bounds = rate_bounds(tally.claimed, tally.plays);
    lines += fmt::format("{:<14} {:>5} of {:>5} claimed = {:5.1f} %   (95 %: {:.1f} .. {:.1f} %)\n",
                         name_of(key), tally.claimed, tally.plays,
                         tally.plays == 0 ? 0 : 100.0 * tally.claimed / tally.plays,
                         100 * bounds.lower, 100 * bounds.upper);
  }
  return lines;
}

void add(Record& to, const Record& more) {
  for (const auto& [key, tally] : more) {
    to[key].claimed += tally.claimed;
    to[key].plays += tally.plays;
  }
}

Result<Record> read_record(const std::string& path, const std::string& machine) {
  const Result<json> machines = read_machines(path);
  if (!machines) return machines.error();
  return record_in(*machines, path, machine);
}

Result<Record> append_record(const std::string& path, const std::string& machine,
                             const Record& plays) {
  Result<json> machines = read_machines(path);
  if (!machines) return machines.error();
  Result<Record> record = record_in(*machines, path, machine);
  if (!record) return record.error();
  add(*record, plays);
  json& written = (*machines)[machine] = json::object();
  for (const auto& [key, tally] : *record) {
    written[std::to_string(key)] = {{"claimed", tally.claimed}, {"plays", tally.plays}};
  }
  const Result<std::string> done = write_file(path, machines->dump(2) + "\n");
  if (!done) return done.error();
  return record;
}

}  // namespace reshape::conformance::performance
