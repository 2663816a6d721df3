#include "conformance/run/oracle.h"

#include "conformance/oracle/ruling_of.h"

namespace reshape::conformance {

Result<Expectation> oracle(const Suite& suite, const Request& request,
                           reference::Derivation* derivation) {
  const Document* document = suite.document(request.dialect);
  if (!document) return Error{"unknown dialect '" + request.dialect + "'"};
  return Expectation{ruling_of(document->dialect, request, derivation), std::nullopt};
}

std::string last_step(const Suite& suite, const Request& request) {
  reference::Derivation derivation;
  const Result<Expectation> answer = oracle(suite, request, &derivation);
  return answer && !derivation.empty() ? derivation.back().says : std::string();
}

}  // namespace reshape::conformance
