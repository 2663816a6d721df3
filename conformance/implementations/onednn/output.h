#pragma once

// What the partition knows about its output when it is compiled. kOutput is defined for each
// library in output.cpp.
namespace onednn_way {

enum class Output {
  unknown,  // nothing but its type: sizes and strides come from the library
  given,    // sizes and strides, as the caller has them
  any,      // layout any: the library chooses where the elements lie
};

extern const char* const kName;
extern const Output kOutput;

}  // namespace onednn_way
