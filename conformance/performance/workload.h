#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/model/request.h"
#include "reference/tensor/result.h"

namespace reshape::conformance::performance {

// Which function of the C contract is timed.
enum class Call : std::uint8_t { execute, infer, view };
const char* name(Call call);

// One thing worth timing. `request` is asked again and again with the same buffers.
struct Workload {
  std::string name;  // "layout/02 transpose 4096x4096 f32"; unique
  Call call = Call::execute;
  Request request;
  bool gate =
      false;  // small enough for many rounds, so that `compare` asks it unless told otherwise
  friend bool operator==(const Workload&, const Workload&) = default;
};

// The kind of a request that times are fitted for: "infer", "view", "dense copy", "strided copy".
std::string kind_of(const Workload& workload);

// Bytes of the output's elements.
std::int64_t output_bytes(const Workload& workload);

// Reads workloads from YAML:
//
//   workloads:
//     - {name: small/one element, call: execute, gate: true, ask: "openvino-reshape-1 f32[1] ..."}
//   drawn:
//     - {seed: 7, count: 6, call: infer, gate: true, dialect: openvino-reshape-1}
//
// Drawn requests are valid ones of the generator; the same seed gives the same requests. `where` names
// the text in errors, which say the line: an unknown key, a name given twice, a line that does not
// parse, a request that its document does not answer with a shape.
Result<std::vector<Workload>> read_workloads(std::string_view yaml, const std::string& where);

// Those of workloads.yaml, built into the program.
Result<std::vector<Workload>> built_in_workloads();

}  // namespace reshape::conformance::performance
