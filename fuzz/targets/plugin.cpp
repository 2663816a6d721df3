// Tests a shared library with the C interface in this process: with the answer of the reference,
// the probes and watches of a run, and the same judge. RESHAPE_IMPLEMENTATION names the library;
// unset, it is liboptimized.so, beside this program or in the folder lib beside the program's
// folder.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "conformance/adapter/adapter.h"
#include "conformance/model/judge.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/text/line.h"
#include "fuzz/engine/clause_counters.h"
#include "fuzz/engine/finding.h"
#include "fuzz/input/decode.h"
#include "reference/tensor/declared_dialects.h"

namespace reshape::fuzz {
namespace {

// Limit for one input: each is executed in dozens of ways, and small types in several rounds, as
// many as are needed to tell all elements apart.
constexpr std::int64_t kMostBytes = 32 << 10;

using conformance::Adapter;
using conformance::Request;

std::string library() {
  const char* named = std::getenv("RESHAPE_IMPLEMENTATION");
  if (named != nullptr && *named != '\0') return named;
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path here = fs::read_symlink("/proc/self/exe", failure).parent_path();
  const fs::path beside = here / "liboptimized.so";
  return fs::exists(beside, failure) ? beside : here.parent_path() / "lib" / "liboptimized.so";
}

Adapter& adapter() {
  static const std::unique_ptr<Adapter> started = [] {
    conformance::AdapterOptions options;
    options.library = library();
    options.in_process = true;
    Result<std::unique_ptr<Adapter>> adapter = start_adapter(options);
    if (!adapter) {
      std::fprintf(stderr, "fuzz plugin: %s\n", adapter.error().text().c_str());
      std::_Exit(3);
    }
    return std::move(adapter).value();
  }();
  return *started;
}

}  // namespace

void test(Bytes bytes) {
  static Request request;
  decode(bytes, request);
  if (!request.shape_only && data_bytes(request).value_or(kMostBytes + 1) > kMostBytes) return;
  const conformance::Expectation expectation{
      conformance::ruling_of(*declared_dialect(request.dialect), request), std::nullopt};
  count_clause(request, expectation.ruling);
  Adapter& asked = adapter();
  if (why_unsupported(request, expectation, asked.capabilities())) return;
  about_to_ask(asked.capabilities().name, request, expectation.ruling, "shape");
  const conformance::Outcome outcome = asked.ask(request);
  const conformance::Verdict verdict = judge(request, expectation, asked.capabilities(), outcome);
  if (verdict.kind != conformance::Verdict::Kind::fail) return;
  const conformance::Fault& fault = verdict.faults.front();
  report({judged_token(asked.capabilities().name, request, outcome, fault),
          conformance::print_line(request), fault.expected, fault.answered});
}

}  // namespace reshape::fuzz

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  reshape::fuzz::adapter();
  return 0;
}
