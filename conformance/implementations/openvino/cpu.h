#pragma once

// How the CPU plug-in is used. kCpu is defined for each library in cpu_configuration.cpp.
namespace openvino_way {

// Where the pattern of a model comes from. kComputed: from sizes (computed_pattern.h).
enum class PatternIs { kConstant, kInput, kComputed };

struct CpuWay {
  bool sizes_known;  // when the model is compiled
  PatternIs pattern;
  bool asynchronous;  // start_async() and wait(); false: infer()
  int threads;
};

extern const CpuWay kCpu;

}  // namespace openvino_way
