#include "conformance/performance/judged.h"

#include <algorithm>

#include "conformance/adapter/adapter.h"
#include "conformance/model/judge.h"
#include "conformance/run/oracle.h"
#include "conformance/spec/load.h"

namespace reshape::conformance::performance {
namespace {

// Bytes; above this the probes of a conformance run would take longer than the measurement.
constexpr std::int64_t kLargestJudged = 16 << 20;

std::optional<std::string> why_not(const Request& request, const Capabilities& capabilities) {
  const Result<Expectation> expected = oracle(built_in_suite(), request);
  if (!expected) return expected.error().text();
  if (expected->ruling.kind != Ruling::Kind::produces) return "its document has no shape for it";
  return why_unsupported(request, *expected, capabilities);
}

// What the judge passes only where a view of dense data may be declined.
bool declines_a_view(const Outcome& outcome) {
  return std::ranges::any_of(outcome.executions, [](const Execution& one) {
    return one.probe.ask == Probe::Ask::view && one.status == Status::unsupported;
  });
}

}  // namespace

Selected promised(const std::vector<Workload>& workloads, const Capabilities& capabilities) {
  Selected selected;
  for (const Workload& workload : workloads) {
    std::optional<std::string> why = why_not(workload.request, capabilities);
    Workload one = workload;
    for (std::size_t at = 0; why && at < capabilities.dialects.size(); ++at) {
      one.request.dialect = capabilities.dialects[at];
      if (!why_not(one.request, capabilities)) why.reset();
    }
    if (!why && one.call == Call::view && !capabilities.views) why = "views are not promised";
    if (!why && one.call == Call::execute && capabilities.shape_only)
      why = "only shapes are promised";
    if (why) {
      selected.left_out.push_back({workload.name, *why});
    } else {
      selected.workloads.push_back(std::move(one));
    }
  }
  return selected;
}

Result<Selected> judged(const std::vector<Workload>& workloads, const std::string& library,
                        double deadline_seconds) {
  AdapterOptions options;
  options.library = library;
  options.deadline_seconds = deadline_seconds;
  const Result<std::unique_ptr<Adapter>> adapter = start_adapter(options);
  if (!adapter) return adapter.error();
  const Capabilities& capabilities = (*adapter)->capabilities();
  Selected selected = promised(workloads, capabilities);
  std::vector<Workload> right;
  for (Workload& workload : selected.workloads) {
    Request request = workload.request;
    request.payload = Payload::distinct;
    if (output_bytes(workload) > kLargestJudged) request.shape_only = true;
    const Result<Expectation> expected = oracle(built_in_suite(), request);
    if (!expected) continue;  // promised() has asked it
    const Outcome outcome = (*adapter)->ask(request);
    if (outcome.kind == Outcome::Kind::not_asked) return Error{text(outcome), library};
    const Verdict verdict = judge(request, *expected, capabilities, outcome);
    if (verdict.kind == Verdict::Kind::fail) {
      std::string why = "the judge fails the answer";
      if (!verdict.faults.empty()) {
        why += std::string(": ") + reshape::conformance::name(verdict.faults.front().plane) +
               " plane, expected " + verdict.faults.front().expected + ", answered " +
               verdict.faults.front().answered;
      }
      selected.left_out.push_back({workload.name, why, true});
    } else if (workload.call == Call::view && declines_a_view(outcome)) {
      selected.left_out.push_back(
          {workload.name, "only some views are promised, and not this one"});
    } else {
      right.push_back(std::move(workload));
    }
  }
  selected.workloads = std::move(right);
  return selected;
}

}  // namespace reshape::conformance::performance
