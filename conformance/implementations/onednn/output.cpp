#include "output.h"

namespace onednn_way {

const char* const kName = NAME;
const Output kOutput = Output::OUTPUT;

}  // namespace onednn_way
