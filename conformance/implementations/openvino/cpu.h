#pragma once

// How the CPU plug-in is used. kCpu is defined for each library in cpu_configuration.cpp.
namespace openvino_way {

struct CpuWay {
  bool sizes_known;       // when the model is compiled
  bool pattern_is_input;  // false: it is a Constant
  bool asynchronous;      // start_async() and wait(); false: infer()
  int threads;
};

extern const CpuWay kCpu;

}  // namespace openvino_way
