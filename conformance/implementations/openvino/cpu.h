#pragma once

// How the CPU plug-in is asked. cpu_configuration.cpp defines it for each library.
namespace openvino_way {

struct CpuWay {
  bool sizes_known;       // when the model is compiled
  bool pattern_is_input;  // or a Constant
  bool asynchronous;      // start_async() and wait(), or infer()
  int threads;
};

extern const CpuWay kCpu;

}  // namespace openvino_way
