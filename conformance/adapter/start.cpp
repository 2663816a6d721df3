#include "conformance/adapter/child/command_words.h"
#include "conformance/adapter/ways.h"

namespace reshape::conformance {

std::vector<Outcome> Adapter::ask_together(const std::vector<Request>&, int) { return {}; }
std::vector<Outcome> Adapter::ask_in_turn(const std::vector<Request>&, int) { return {}; }

std::optional<Outcome> Adapter::ask_under(const Request&, Hardship) { return std::nullopt; }

std::optional<Outcome> Adapter::ask_swept(const std::vector<Request>&) { return std::nullopt; }

StartAdapter held_to(const Capabilities& first, const StartAdapter& start) {
  if (!start) return start;
  return [first, start] {
    Result<std::unique_ptr<Adapter>> adapter = start();
    if (adapter) (*adapter)->hold_to(first);
    return adapter;
  };
}

std::optional<Error> Adapter::reload() {
  return Error{"this way of reaching it cannot unload it", ""};
}

Result<std::unique_ptr<Adapter>> start_adapter(const AdapterOptions& options) {
  if (names_child(options.library)) return start_child(options);
  return options.in_process ? start_in_process(options) : start_host_process(options);
}

}  // namespace reshape::conformance
