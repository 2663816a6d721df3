#include "conformance/performance/worker_commands.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "conformance/text/line.h"

namespace reshape::conformance::performance {
namespace {

using nlohmann::json;
constexpr const char* kWhat[] = {"prepare", "turn", "yardsticks", "count"};

void check_times(const std::vector<double>& times) {
  for (const double seconds : times) {
    if (!std::isfinite(seconds) || seconds < 0) throw std::domain_error("a time below 0");
  }
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Answer, why, wrong, seconds, blocks, yardsticks, allocations,
                                   allocated_bytes, counted)

std::string line_of(const WorkerCommand& command) {
  json made = {{"do", kWhat[static_cast<std::size_t>(command.what)]},
               {"calls", command.calls},
               {"blocks", command.blocks}};
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
    if (command.what != WorkerCommand::Do::prepare) return command;
    for (const Call call : {Call::execute, Call::infer, Call::view}) {
      if (given.at("call") == name(call)) command.workload.call = call;
    }
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

Result<Answer> answer_of(const std::string& line) {
  try {
    const Answer answer = json::parse(line);
    check_times(answer.blocks);
    for (const auto& [name, times] : answer.yardsticks) check_times(times);
    return answer;
  } catch (const std::exception& wrong) {
    return Error{std::string("an answer cannot be read: ") + wrong.what()};
  }
}

}  // namespace reshape::conformance::performance
