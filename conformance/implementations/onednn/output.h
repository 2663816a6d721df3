#pragma once

// What the partition knows about its output when it is compiled, and about its source before.
// kOutput is defined for each library in output.cpp.
namespace onednn_way {

enum class Output {
  unknown,  // nothing but its type: sizes and strides come from the library
  given,    // sizes and strides, as the caller has them
  any,      // layout any: the library chooses where the elements lie
  partly,   // the number of its sizes, and of them those that of_sizes_told tells
  late,     // as unknown; nothing is known about the source, either, when the operation is added
};

extern const char* const kName;
extern const Output kOutput;

}  // namespace onednn_way
