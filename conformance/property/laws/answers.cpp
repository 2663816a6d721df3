#include "conformance/property/laws/answers.h"

#include <algorithm>

#include "reference/tensor/tensor_view.h"

namespace reshape::conformance::laws {

bool produced(const Outcome& outcome) {
  return outcome.kind == Outcome::Kind::produced &&
         std::ranges::all_of(outcome.executions, [](const Execution& execution) {
           const Probe& probe = execution.probe;
           return execution.status == Status::ok || probe.asks_view() ||
                  probe.asks_another_shape() || probe.ask == Probe::Ask::wrong_volume;
         });
}

std::optional<std::string> without_execute(const Capabilities& capabilities) {
  if (capabilities.shape_only) return "there is no execute";
  return std::nullopt;
}

std::optional<std::string> without_strides(const Capabilities& capabilities) {
  if (capabilities.shape_only) return "there is no execute";
  if (!capabilities.strided_input) return "strides of the data are not promised";
  return std::nullopt;
}

std::optional<std::string> without_threads(const Capabilities& capabilities) {
  if (!capabilities.in_memory) return "a child answers one request after the other";
  return std::nullopt;
}

std::optional<std::string> without_contract(const Capabilities& capabilities) {
  if (!capabilities.in_memory) return "a child is asked nothing that it does not declare";
  return std::nullopt;
}

std::optional<std::string> without_views(const Capabilities& capabilities) {
  if (!capabilities.views) return "views are not promised";
  return std::nullopt;
}

Request with_one_payload(Request request) {
  if (!request.elements && !request.payload) request.payload = Payload::distinct;
  return request;
}

bool writable(const Request& request) {
  const auto count = element_count(request.data);
  return !request.shape_only && count && *count <= 2048;
}

std::optional<std::vector<std::uint64_t>> elements_of(const Outcome& outcome, ElementType type) {
  const auto count = element_count(outcome.shape);
  if (outcome.executions.empty() || !count) return std::nullopt;
  const std::vector<std::byte>& bytes = outcome.executions.front().elements;
  if (static_cast<std::int64_t>(bytes.size()) != bytes_for(type, *count)) return std::nullopt;
  std::vector<std::uint64_t> elements;
  for (std::int64_t at = 0; at < *count; ++at) {
    elements.push_back(load_element(type, bytes.data(), at));
  }
  return elements;
}

std::optional<std::string> difference(const Outcome& before, const Outcome& after) {
  if (before.kind != after.kind || before.shape != after.shape) {
    return text(before) + ", and then " + text(after);
  }
  // Executions with a wrong volume only test the memory, and are not made everywhere: not compared.
  const auto of_wrong_volume = [](const Outcome& outcome) {
    return !outcome.executions.empty() &&
           outcome.executions.front().probe.ask == Probe::Ask::wrong_volume;
  };
  if (of_wrong_volume(before) || of_wrong_volume(after)) return std::nullopt;
  if (before.executions.size() != after.executions.size()) {
    return std::to_string(before.executions.size()) + " executions, and then " +
           std::to_string(after.executions.size());
  }
  for (std::size_t at = 0; at < before.executions.size(); ++at) {
    const Execution& one = before.executions[at];
    const Execution& other = after.executions[at];
    if (one.status != other.status) {
      return "execution (" + probe_in_words(text(one.probe)) + ") answered " + name(one.status) +
             ", and then " + name(other.status);
    }
    if (one.elements != other.elements) {
      return "other elements than before (" + probe_in_words(text(one.probe)) + ")";
    }
  }
  return std::nullopt;
}

std::string told_by(const Outcome& outcome) {
  return outcome.message.empty() ? text(outcome) : outcome.message;
}

std::string text_of_pattern(const Request& request) {
  return text(request.pattern).substr(name(request.pattern.type).size());
}

}  // namespace reshape::conformance::laws
