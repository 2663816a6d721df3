#include <locale.h>

#include <clocale>
#include <string>

#include "conformance/adapter/examine/watches/watch.h"

namespace reshape::conformance {
namespace {

std::string locale_now() {
  const char* name = std::setlocale(LC_ALL, nullptr);
  return name != nullptr ? name : "";
}

// Duty C14: the process's locale, and the one that this thread may have for itself.
class Locale : public Watch {
 public:
  void before(const CallSite&) override {
    process_ = locale_now();
    thread_ = uselocale(nullptr);
  }

  void after(const CallSite&, Status, std::vector<Observation>& seen) override {
    if (const std::string now = locale_now(); now != process_) {
      seen.push_back({CaughtBy::locale, Plane::memory, Duty::C14,
                      "the locale changed from " + process_ + " to " + now});
      std::setlocale(LC_ALL, process_.c_str());
    }
    if (uselocale(nullptr) != thread_) {
      seen.push_back(
          {CaughtBy::locale, Plane::memory, Duty::C14, "the thread was given another locale"});
      uselocale(thread_);
    }
  }

 private:
  std::string process_;
  locale_t thread_ = nullptr;
};

}  // namespace

WatchPtr watch_locale() { return std::make_unique<Locale>(); }

}  // namespace reshape::conformance
