#include "conformance/performance/orders.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "conformance/text/line.h"

namespace reshape::conformance::performance {
namespace {

using nlohmann::json;
constexpr const char* kWhat[] = {"prepare", "turn", "yardsticks", "count"};

std::vector<double> times_of(const json& list) {
  std::vector<double> times;
  for (const json& one : list) {
    const double seconds = one.get<double>();
    if (!std::isfinite(seconds) || seconds < 0) throw std::domain_error("a time below 0");
    times.push_back(seconds);
  }
  return times;
}

}  // namespace

std::string line_of(const Order& order) {
  json made = {{"do", kWhat[static_cast<std::size_t>(order.what)]},
               {"calls", order.calls},
               {"blocks", order.blocks}};
  if (order.what == Order::Do::prepare) {
    made["call"] = name(order.workload.call);
    made["ask"] = print_line(order.workload.request);
    made["seed"] = order.seed;
    made["thorough"] = order.thorough;
    made["threads"] = order.workload.threads;
    made["callers"] = order.workload.callers;
  }
  return made.dump();
}

std::string line_of(const Answer& answer) {
  return json({{"why", answer.why},
               {"wrong", answer.wrong},
               {"seconds", answer.seconds},
               {"blocks", answer.blocks},
               {"yardsticks", answer.yardsticks},
               {"allocations", answer.allocations},
               {"allocated_bytes", answer.allocated_bytes},
               {"counted", answer.counted}})
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<Order> order_of(const std::string& line) {
  try {
    const json given = json::parse(line);
    Order order;
    const std::string what = given.at("do");
    std::size_t at = 0;
    while (at < std::size(kWhat) && what != kWhat[at]) ++at;
    if (at == std::size(kWhat)) return Error{"there is no order '" + what + "'"};
    order.what = static_cast<Order::Do>(at);
    order.calls = given.at("calls");
    order.blocks = given.at("blocks");
    if (order.what != Order::Do::prepare) return order;
    for (const Call call : {Call::execute, Call::infer, Call::view}) {
      if (given.at("call") == name(call)) order.workload.call = call;
    }
    Result<Request> request = parse_line(given.at("ask").get<std::string>());
    if (!request) return request.error();
    order.workload.request = *std::move(request);
    order.seed = given.at("seed");
    order.thorough = given.at("thorough");
    order.workload.threads = given.at("threads");
    order.workload.callers = given.at("callers");
    return order;
  } catch (const std::exception& wrong) {
    return Error{std::string("an order cannot be read: ") + wrong.what()};
  }
}

Result<Answer> answer_of(const std::string& line) {
  try {
    const json given = json::parse(line);
    Answer answer;
    answer.why = given.at("why");
    answer.wrong = given.at("wrong");
    answer.seconds = given.at("seconds");
    answer.blocks = times_of(given.at("blocks"));
    for (const auto& [name, times] : given.at("yardsticks").items()) {
      answer.yardsticks[name] = times_of(times);
    }
    answer.allocations = given.at("allocations");
    answer.allocated_bytes = given.at("allocated_bytes");
    answer.counted = given.at("counted");
    return answer;
  } catch (const std::exception& wrong) {
    return Error{std::string("an answer cannot be read: ") + wrong.what()};
  }
}

}  // namespace reshape::conformance::performance
