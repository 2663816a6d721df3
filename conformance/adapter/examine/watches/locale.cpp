#include <locale.h>

#include <array>
#include <clocale>
#include <locale>
#include <string>
#include <utility>

#include "conformance/adapter/examine/watches/watch.h"

namespace reshape::conformance {
namespace {

struct Part {
  int of;
  const char* name;
};
constexpr std::array kParts = {Part{LC_CTYPE, "LC_CTYPE"},       Part{LC_NUMERIC, "LC_NUMERIC"},
                               Part{LC_TIME, "LC_TIME"},         Part{LC_COLLATE, "LC_COLLATE"},
                               Part{LC_MONETARY, "LC_MONETARY"}, Part{LC_MESSAGES, "LC_MESSAGES"}};

std::string locale_now(int of = LC_ALL) {
  const char* name = std::setlocale(of, nullptr);
  return name != nullptr ? name : "";
}

// Duty C14: the process's locale, that of C++, and this thread's own one, if any.
class Locale : public Watch {
 public:
  void before(const CallSite&) override {
    process_ = locale_now();
    for (std::size_t at = 0; at < kParts.size(); ++at) parts_[at] = locale_now(kParts[at].of);
    thread_ = uselocale(nullptr);
    streams_ = std::locale();
  }

  void after(const CallSite&, Status, std::vector<Observation>& seen) override {
    const bool changed = locale_now() != process_, streams = std::locale() != streams_;
    const auto saw = [&](std::string what) {
      seen.push_back({CaughtBy::locale, Plane::memory, Duty::C14, std::move(what)});
    };
    if (changed) saw(what_changed());
    if (streams) {
      saw("the locale of C++ (std::locale::global) was replaced");
      std::locale::global(streams_);  // sets that of the process as well
    }
    if (changed || streams) std::setlocale(LC_ALL, process_.c_str());
    if (uselocale(nullptr) != thread_) {
      saw("the thread was given another locale");
      uselocale(thread_);
    }
  }

 private:
  // The name of all is long where its parts are not the same.
  std::string what_changed() const {
    for (std::size_t at = 0; at < kParts.size(); ++at) {
      const std::string now = locale_now(kParts[at].of);
      if (now == parts_[at]) continue;
      return std::string("the locale changed: ") + kParts[at].name + " from " + parts_[at] +
             " to " + now;
    }
    return "the locale changed from " + process_ + " to " + locale_now();
  }

  std::string process_;
  std::array<std::string, kParts.size()> parts_;
  locale_t thread_ = nullptr;
  std::locale streams_;
};

}  // namespace

WatchPtr watch_locale() { return std::make_unique<Locale>(); }

}  // namespace reshape::conformance
