#include <chrono>
#include <optional>
#include <utility>

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/adapter/examine/examine.h"
#include "conformance/adapter/examine/further.h"
#include "conformance/adapter/process/first_description.h"
#include "conformance/adapter/process/patience.h"
#include "conformance/adapter/ways.h"

namespace reshape::conformance {
namespace {

class InProcess : public Adapter {
 public:
  InProcess(std::unique_ptr<PluginLibrary> library, const AdapterOptions& options)
      : file_(options.library),
        watches_process_(options.alone_in_process),
        capabilities_(library->capabilities()) {
    take(std::move(library));
  }

  const Capabilities& capabilities() const override { return capabilities_; }

  Outcome ask(const Request& request) override {
    const auto begin = std::chrono::steady_clock::now();
    Outcome outcome;
    if (!library_) {
      outcome.kind = Outcome::Kind::crashed;
      outcome.during = "inference";
      outcome.message = "it could not be loaded again";
      return outcome;
    }
    outcome = (watches_process_ ? watching_ : plain_)->examine(request);
    outcome.seconds = elapsed_seconds(begin);
    settle_growth(request, false, outcome);
    return outcome;
  }

  std::vector<Outcome> ask_together(const std::vector<Request>& requests, int times) override {
    if (!library_) return {};
    std::vector<Outcome> outcomes = examine_together(*library_, requests, times, Threads::one_each);
    if (requests.size() == 1) settle_growth(requests.front(), true, outcomes.front());
    return outcomes;
  }

  std::vector<Outcome> ask_in_turn(const std::vector<Request>& requests, int times) override {
    if (!library_) return {};
    return examine_together(*library_, requests, times, Threads::none);
  }

  std::optional<Outcome> ask_under(const Request& request, Hardship hardship) override {
    constexpr int kMostMilliseconds = 5000;
    if (!library_) return std::nullopt;
    return examine_under(*library_, request, hardship, kMostMilliseconds);
  }

  std::optional<Outcome> ask_swept(const std::vector<Request>& requests) override {
    constexpr std::chrono::seconds kMost(5);
    if (!library_) return std::nullopt;
    return examine_sweep(*library_, requests, std::chrono::steady_clock::now() + kMost);
  }

  bool can_reload() const override { return true; }
  std::optional<Error> reload() override {
    watching_.reset();
    plain_.reset();
    library_.reset();
    Result<std::unique_ptr<PluginLibrary>> library = PluginLibrary::load(file_);
    if (!library) return library.error();
    take(std::move(library).value());
    const std::string otherwise = declared_otherwise(capabilities_, library_->capabilities());
    if (!otherwise.empty()) return Error{otherwise, file_};
    return std::nullopt;
  }

 private:
  void take(std::unique_ptr<PluginLibrary> library) {
    library_ = std::move(library);
    watching_.emplace(*library_, Examiner::Process::watched);
    plain_.emplace(*library_, Examiner::Process::not_watched);
  }

  // There is no other process: checking a suspicion in this one fills its caches as well.
  void settle_growth(const Request& request, bool long_use, Outcome& outcome) {
    const auto ask = [&](Sites sites, int milliseconds) -> std::optional<Outcome> {
      return plain_->examine_growth(request, sites, std::chrono::milliseconds(milliseconds));
    };
    const auto nothing = [](Sites, int) -> std::optional<Outcome> { return std::nullopt; };
    growth_.settle(outcome, long_use, ask, nothing);
  }

  GrowthSuspicions growth_;
  std::string file_;
  bool watches_process_;
  Capabilities capabilities_;
  std::unique_ptr<PluginLibrary> library_;
  std::optional<Examiner> watching_;
  std::optional<Examiner> plain_;
};

}  // namespace

Result<std::unique_ptr<Adapter>> start_in_process(const AdapterOptions& options) {
  Result<std::unique_ptr<PluginLibrary>> library = PluginLibrary::load(options.library);
  if (!library) return library.error();
  return std::unique_ptr<Adapter>(new InProcess(std::move(library).value(), options));
}

}  // namespace reshape::conformance
