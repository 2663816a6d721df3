#include "cpu.h"

// Does not include OpenVINO's headers, so that each configuration compiles fast.
namespace openvino_way {

extern const char* const kName;
const char* const kName = NAME;
const CpuWay kCpu = {SIZES_KNOWN, PatternIs::PATTERN_IS, ASYNCHRONOUS, THREADS};

}  // namespace openvino_way
