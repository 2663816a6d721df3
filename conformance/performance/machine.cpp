#include "conformance/performance/machine.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

namespace reshape::conformance::performance {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name") && line.find(": ") != std::string::npos) {
      return line.substr(line.find(": ") + 2);
    }
  }
  return "unknown";
}

std::string cache_sizes() {
  std::string sizes;
  for (int index = 0; index < 8; ++index) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    const std::string level = first_line(folder + "level"), type = first_line(folder + "type");
    if (level.empty() || type == "Instruction") continue;
    sizes += fmt::format("{}L{}{} {}", sizes.empty() ? "" : ", ", level, type == "Data" ? "d" : "",
                         first_line(folder + "size"));
  }
  return sizes.empty() ? "unknown" : sizes;
}

double stolen_time() {
  std::istringstream line(first_line("/proc/stat"));
  std::string word;
  line >> word;
  double all = 0, stolen = 0, value = 0;
  for (int column = 0; column < 8 && line >> value; ++column) {
    all += value;
    if (column == 7) stolen = value;
  }
  return all > 0 ? stolen / all : 0;
}

}  // namespace

Machine this_machine() {
  Machine machine;
  machine.processor = processor_name();
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) machine.processors = CPU_COUNT(&allowed);
  machine.governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (machine.governor.empty()) machine.governor = "unknown";
  machine.caches = cache_sizes();
  utsname system = {};
  if (uname(&system) == 0) machine.kernel = std::string(system.sysname) + " " + system.release;
  double load[1] = {0};
  if (getloadavg(load, 1) == 1) machine.load = load[0];
  machine.stolen = stolen_time();
  return machine;
}

std::string identity(const Machine& machine) {
  return fmt::format("{} x{}, {}", machine.processor, machine.processors, machine.caches);
}

std::string setting_text() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view one(*variable);
    if (one.starts_with("RESHAPE_") || one.starts_with("OMP_")) variables.emplace_back(one);
  }
  std::ranges::sort(variables);
  return fmt::to_string(fmt::join(variables, " "));
}

std::vector<std::pair<std::string, std::string>> facts(const Machine& machine) {
  return {{"processor", machine.processor},
          {"processors", std::to_string(machine.processors)},
          {"governor", machine.governor},
          {"caches", machine.caches},
          {"kernel", machine.kernel},
          {"load", fmt::format("{:.2f}", machine.load)},
          {"stolen", fmt::format("{:.4f}", machine.stolen)}};
}

}  // namespace reshape::conformance::performance
