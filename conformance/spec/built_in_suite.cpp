#include "conformance/spec/load.h"
#include "conformance/spec/read_suite.h"

namespace reshape::conformance {

const Suite& built_in_suite() {
  // The build has read the same texts with the same reader and stopped at any problem.
  static const Suite suite = read_suite(built_in_spec_files(), "specs").suite;
  return suite;
}

}  // namespace reshape::conformance
