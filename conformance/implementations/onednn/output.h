#pragma once

// What the partition is told of its output when it is compiled. output.cpp defines it for each library.
namespace onednn_way {

enum class Output {
  unknown,  // nothing but its type: sizes and strides come from the library
  given,    // sizes and strides, as the caller has them
  any,      // layout any: the library chooses where the elements lie
};

extern const char* const kName;
extern const Output kOutput;

}  // namespace onednn_way
