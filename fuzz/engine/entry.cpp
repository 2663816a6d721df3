#include "fuzz/engine/finding.h"

// Where the fuzzing engine comes in.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    reshape::fuzz::test({data, size});
  } catch (const reshape::fuzz::KnownFinding&) {
  }
  return 0;
}
