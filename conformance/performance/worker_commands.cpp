#include "conformance/performance/worker_commands.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "conformance/performance/yardsticks.h"
#include "conformance/text/line.h"
#include "conformance/text/printable.h"

namespace reshape::conformance::performance {
namespace {

using nlohmann::json;
constexpr const char* kWhat[] = {"load", "prepare", "turn", "yardsticks", "count"};

constexpr double kShortest = 1e-12;  // seconds, of a call

void check(double seconds) {
  if (!std::isfinite(seconds) || seconds < kShortest) {
    throw std::domain_error("a time of less than a picosecond");
  }
}

void check(const std::vector<double>& times) {
  for (const double seconds : times) check(seconds);
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Answer, why, wrong, seconds, blocks, yardsticks, allocations,
                                   allocated_bytes, counted, nonce)

std::string line_of(const WorkerCommand& command) {
  json made = {{"do", kWhat[static_cast<std::size_t>(command.what)]},
               {"calls", command.calls},
               {"blocks", command.blocks},
               {"nonce", command.nonce}};
  if (command.what == WorkerCommand::Do::prepare) {
    made["call"] = name(command.workload.call);
    made["ask"] = print_line(command.workload.request);
    made["seed"] = command.seed;
    made["thorough"] = command.thorough;
    made["threads"] = command.workload.threads;
    made["callers"] = command.workload.callers;
  }
  return made.dump();
}

std::string line_of(const Answer& answer) {
  return json(answer).dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<WorkerCommand> command_of(const std::string& line) {
  try {
    const json given = json::parse(line);
    WorkerCommand command;
    const std::string what = given.at("do");
    std::size_t at = 0;
    while (at < std::size(kWhat) && what != kWhat[at]) ++at;
    if (at == std::size(kWhat)) return Error{"there is no command '" + what + "'"};
    command.what = static_cast<WorkerCommand::Do>(at);
    command.calls = given.at("calls");
    command.blocks = given.at("blocks");
    command.nonce = given.at("nonce");
    if (command.what != WorkerCommand::Do::prepare) return command;
    command.workload.call = call_named(given.at("call")).value_or(Call::execute);
    Result<Request> request = parse_line(given.at("ask").get<std::string>());
    if (!request) return request.error();
    command.workload.request = *std::move(request);
    command.seed = given.at("seed");
    command.thorough = given.at("thorough");
    command.workload.threads = given.at("threads");
    command.workload.callers = given.at("callers");
    return command;
  } catch (const std::exception& wrong) {
    return Error{std::string("a command cannot be read: ") + wrong.what()};
  }
}

Result<Answer> answer_of(const std::string& line, const std::string& nonce) {
  constexpr std::size_t kLongestWhy = 2000;
  const json given = json::parse(line, nullptr, false);
  if (!given.is_object() || given.value("nonce", json()) != nonce) {
    return Error{
        "a line came from it that answers nothing: it writes to files that are not its own"};
  }
  try {
    Answer answer = given;
    answer.why = printable(answer.why, kLongestWhy);
    if (answer.seconds != 0) check(answer.seconds);
    check(answer.blocks);
    for (const auto& [name, times] : answer.yardsticks) {
      if (!is_yardstick(name)) throw std::domain_error("there is no such yardstick");
      check(times);
    }
    return answer;
  } catch (const std::exception& wrong) {
    return Error{std::string("an answer cannot be read: ") + wrong.what()};
  }
}

}  // namespace reshape::conformance::performance
