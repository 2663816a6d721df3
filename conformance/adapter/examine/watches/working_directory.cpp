#include <limits.h>
#include <unistd.h>

#include <string>

#include "conformance/adapter/examine/watches/watch.h"
#include "conformance/adapter/process/own_folder.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

std::string directory_now() {
  char path[PATH_MAX];
  return getcwd(path, sizeof path) != nullptr ? path : "";
}

// Duty C14.
class WorkingDirectory : public Watch {
 public:
  void before(const CallSite&) override { before_ = directory_now(); }

  void after(const CallSite&, Status, std::vector<Observation>& seen) override {
    for (const std::string& name : left_in_own_folder()) {
      seen.push_back({CaughtBy::working_directory, Plane::memory, Duty::C14,
                      printable(name, kBriefly) + " was left in the working directory"});
    }
    const std::string now = directory_now();
    if (now == before_) return;
    std::string what = now.empty() ? "the working directory has no name any more"
                                   : "the working directory changed to " + now;
    if (chdir(before_.c_str()) != 0) what += ", and there is no way back";
    seen.push_back({CaughtBy::working_directory, Plane::memory, Duty::C14, what});
  }

 private:
  std::string before_;
};

}  // namespace

WatchPtr watch_working_directory() { return std::make_unique<WorkingDirectory>(); }

}  // namespace reshape::conformance
