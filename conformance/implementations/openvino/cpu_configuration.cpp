#include "cpu.h"

// Small and apart from what includes OpenVINO's headers, so that a configuration costs no compilation.
namespace openvino_way {

extern const char* const kName;
const char* const kName = NAME;
const CpuWay kCpu = {SIZES_KNOWN, PATTERN_IS_INPUT, ASYNCHRONOUS, THREADS};

}  // namespace openvino_way
