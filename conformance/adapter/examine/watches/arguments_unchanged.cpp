#include "conformance/adapter/examine/watches/bytes_changed.h"
#include "conformance/adapter/examine/watches/watch.h"

namespace reshape::conformance {
namespace {

std::span<const std::byte> bytes_of(const Argument& argument) {
  return {static_cast<const std::byte*>(argument.at), argument.size};
}

std::string in_words(const Argument& argument) {
  const std::string name = argument.name, of = argument.of;
  return of.empty() ? name : name + " in the " + of;
}

// Duty C11. What a view sets stays, too, where none is made.
class ArgumentsUnchanged : public Watch {
 public:
  void before(const CallSite& site) override {
    before_.clear();
    for (const Argument& argument : site.arguments) {
      const auto bytes = bytes_of(argument);
      before_.insert(before_.end(), bytes.begin(), bytes.end());
    }
  }

  void after(const CallSite& site, Status answered, std::vector<Observation>& seen) override {
    std::span<const std::byte> rest(before_);
    for (const Argument& argument : site.arguments) {
      const bool may_change = argument.set_by_view && answered == Status::ok;
      if (may_change) {
        rest = rest.subspan(argument.size);
        continue;
      }
      if (const auto change = first_change(rest.first(argument.size), bytes_of(argument))) {
        seen.push_back(
            {CaughtBy::arguments_unchanged, Plane::memory, Duty::C11,
             text(*change) + " of the " + in_words(argument) +
                 (argument.set_by_view ? std::string(", and the answer was ") + name(answered)
                                       : "")});
      }
      rest = rest.subspan(argument.size);
    }
  }

 private:
  std::vector<std::byte> before_;
};

}  // namespace

WatchPtr watch_arguments_unchanged() { return std::make_unique<ArgumentsUnchanged>(); }

}  // namespace reshape::conformance
