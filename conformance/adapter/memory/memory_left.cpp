#include "conformance/adapter/memory/memory_left.h"

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace reshape::conformance {
namespace {

namespace fs = std::filesystem;

// The number behind `word` in a file of lines with a word and a number.
std::optional<std::uint64_t> number_behind(const fs::path& path, std::string_view word) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  for (std::string name; file >> name;) {
    if (name == word && file >> number) return number;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number_in(const fs::path& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;  // "max"
}

// The files of control groups, version 1 or 2.
struct Version {
  const char* root;
  const char* limit;
  const char* used;
  const char* events;
  std::initializer_list<const char*> cached;  // in memory.stat
};

const Version kSecond = {"/sys/fs/cgroup",
                         "memory.max",
                         "memory.current",
                         "memory.events",
                         {"active_file", "inactive_file"}};
const Version kFirst = {"/sys/fs/cgroup/memory",
                        "memory.limit_in_bytes",
                        "memory.usage_in_bytes",
                        "memory.oom_control",
                        {"total_active_file", "total_inactive_file"}};

struct Group {
  const Version& version;
  fs::path folder;
};

// This process's control group for memory. A container may show only the root of its groups.
std::optional<Group> own_group() {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t name = line.find(':'), path = line.find(':', name + 1);
    if (path == std::string::npos) continue;
    const std::string controllers = ',' + line.substr(name + 1, path - name - 1) + ',';
    const bool first = controllers.find(",memory,") != std::string::npos;
    if (!first && controllers != ",,") continue;
    const Version& version = first ? kFirst : kSecond;
    const fs::path root = version.root;
    const fs::path folder = root / fs::path(line.substr(path + 1)).relative_path();
    std::error_code error;
    for (const fs::path& each : {folder, root}) {
      if (fs::exists(each / version.used, error)) return Group{version, each};
    }
  }
  return std::nullopt;
}

std::uint64_t left_in(const Version& version, const fs::path& folder) {
  constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
  const auto limit = number_in(folder / version.limit), used = number_in(folder / version.used);
  if (!limit || !used) return kAny;
  std::uint64_t held = *used;
  for (const char* word : version.cached) {
    held -= std::min(held, number_behind(folder / "memory.stat", word).value_or(0));
  }
  return *limit - std::min(*limit, held);
}

}  // namespace

std::uint64_t memory_left() {
  std::uint64_t left = number_behind("/proc/meminfo", "MemAvailable:").value_or(0) * 1024;
  const std::optional<Group> group = own_group();
  if (!group) return left;
  const fs::path root = group->version.root;
  for (fs::path folder = group->folder;; folder = folder.parent_path()) {
    left = std::min(left, left_in(group->version, folder));
    if (folder == root || !folder.has_relative_path()) return left;
  }
}

std::uint64_t memory_of_a_process() {
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const auto what : {RLIMIT_DATA, RLIMIT_AS}) {
    rlimit limit = {};
    if (getrlimit(what, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
      most = std::min<std::uint64_t>(most, limit.rlim_cur);
    }
  }
  return most;
}

std::uint64_t ended_for_memory() {
  const std::optional<Group> group = own_group();
  if (!group) return 0;
  return number_behind(group->folder / group->version.events, "oom_kill").value_or(0);
}

}  // namespace reshape::conformance
