#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "conformance/adapter/watches/watch.h"

namespace reshape::conformance {
namespace {

std::vector<int> open_now() {
  std::vector<int> files;
  DIR* folder = opendir("/proc/self/fd");
  if (folder == nullptr) return files;
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] == '.') continue;
    const int file = std::atoi(entry->d_name);
    if (file != dirfd(folder)) files.push_back(file);
  }
  closedir(folder);
  std::sort(files.begin(), files.end());
  return files;
}

std::string what_is(int file) {
  char target[128];
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t size = readlink(link.c_str(), target, sizeof target);
  return size > 0 ? " (" + std::string(target, static_cast<std::size_t>(size)) + ")" : "";
}

void saw(std::vector<Observation>& seen, std::string what) {
  seen.push_back({"open-files", Plane::memory, "C14", std::move(what)});
}

// Duty C14. What stays open from this request is known for the next.
class OpenFiles : public Watch {
 public:
  void before(const CallSite&) override { before_ = open_now(); }

  void after(const CallSite&, Status, std::vector<Observation>& seen) override {
    const std::vector<int> now = open_now();
    for (int file : now) {
      if (std::binary_search(before_.begin(), before_.end(), file)) continue;
      saw(seen, "file " + std::to_string(file) + what_is(file) + " was left open");
      break;
    }
    for (int file : before_) {
      if (std::binary_search(now.begin(), now.end(), file)) continue;
      saw(seen, "file " + std::to_string(file) + ", which is not the library's, was closed");
      break;
    }
  }

 private:
  std::vector<int> before_;
};

}  // namespace

WatchPtr watch_open_files() { return std::make_unique<OpenFiles>(); }

}  // namespace reshape::conformance
