#include "conformance/oracle/ruling_of.h"

namespace reshape::conformance {

Ruling ruling_of(const Dialect& dialect, const Request& request,
                 reference::Derivation* derivation) {
  return reference::resolve(
      dialect, {request.data_type, request.data, request.pattern, request.special_zero},
      derivation);
}

}  // namespace reshape::conformance
