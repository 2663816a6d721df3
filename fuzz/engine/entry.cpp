#include "fuzz/engine/finding.h"

// Called by the fuzzing engine for each input.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    reshape::fuzz::test({data, size});
  } catch (const reshape::fuzz::KnownFinding&) {
  }
  return 0;
}
