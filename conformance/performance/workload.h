#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/model/request.h"
#include "reference/tensor/result.h"

namespace reshape::conformance::performance {

// Which function of the C contract is timed.
enum class Call : std::uint8_t { execute, infer, view };
const char* name(Call call);
std::optional<Call> call_named(const std::string& text);

// A call to be timed: `request` is asked repeatedly with the same buffers.
struct Workload {
  std::string name;  // "layout/02 transpose 4096x4096 f32"; unique
  Call call = Call::execute;
  Request request;
  // Small enough for many rounds: `compare` includes it by default.
  bool gate = false;
  int threads = 0;  // for the library (see thread_environment); 0: not specified
  int callers = 1;  // threads that make the call at the same time, each with buffers of its own
  // What grows from one workload of a series to the next.
  enum class Grows : std::uint8_t { nothing, bytes, rank, threads, callers } grows = Grows::nothing;
  friend bool operator==(const Workload&, const Workload&) = default;
};

// The whole question in one line: two workloads with the same question are equal, whatever their
// names.
std::string question(const Workload& workload);

// The kind of a request that times are fitted for: "infer", "view", "dense copy", "strided copy".
std::string kind_of(const Workload& workload);

// The size that grows in the workload's series.
double size_of(const Workload& workload);
const char* name(Workload::Grows grows);

// The environment variables that set a library's number of threads; none for 0. The contract has no
// parameter for it: our libraries read RESHAPE_THREADS, and most others OpenMP's.
std::vector<std::string> thread_environment(int threads);

// Each workload for each of these numbers of threads, which are appended to its name ("layout/01
// .../threads:2"). Workloads with a number of their own stay as they are.
std::vector<Workload> with_threads(const std::vector<Workload>& workloads,
                                   const std::vector<int>& threads);

// Bytes of the output's elements.
std::int64_t output_bytes(const Workload& workload);

// Reads workloads from YAML:
//
//   workloads:
//     - {name: small/one element, call: execute, gate: true, ask: "openvino-reshape-1 f32[1] ..."}
//     - {name: growth/..., call: infer, callers: 4, grows: callers, ask: "..."}
//   drawn:
//     - {seed: 7, count: 6, call: infer, gate: true, dialect: openvino-reshape-1}
//
// Drawn requests are valid ones of the generator; the same seed gives the same requests. `where`
// names the text in errors, which say the line: an unknown key, a name given twice, a line that
// does not parse, a request that its document does not answer with a shape.
Result<std::vector<Workload>> read_workloads(std::string_view yaml, const std::string& where);

// Those of workloads.yaml, built into the program.
Result<std::vector<Workload>> built_in_workloads();

}  // namespace reshape::conformance::performance
