#include <cstring>

#include "conformance/adapter/examine/watches/watch.h"

namespace reshape::conformance {
namespace {

// The part of duty C19 about memory: the text ends within its array. The judge checks whether there
// is a text.
class MessageEnds : public Watch {
 public:
  void before(const CallSite& site) override {
    if (site.message != nullptr) before_ = *site.message;
  }
  void after(const CallSite& site, Status answered, std::vector<Observation>& seen) override {
    if (site.message == nullptr || answered == Status::ok) return;
    if (std::memchr(site.message->text, '\0', sizeof site.message->text) != nullptr) return;
    const bool as_before = std::memcmp(site.message->text, before_.text, sizeof before_.text) == 0;
    seen.push_back({CaughtBy::message, Plane::memory, Duty::C19,
                    std::string("no NUL in the message that goes with ") + name(answered) +
                        (as_before ? ": nothing was written into it" : "")});
  }

 private:
  reshape_message before_ = {};
};

}  // namespace

WatchPtr watch_message() { return std::make_unique<MessageEnds>(); }

}  // namespace reshape::conformance
