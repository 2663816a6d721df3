#include "conformance/spec/oracle.h"

namespace reshape::conformance {

Ruling oracle(const Dialect& dialect, const Request& request, reference::Derivation* derivation) {
  const reference::Question question{request.data_type, request.data, request.pattern,
                                     request.special_zero};
  return reference::resolve(dialect, question, derivation);
}

std::string known_dialects(const Suite& suite) {
  std::string names;
  for (std::size_t i = 0; i < suite.documents.size(); ++i) {
    if (i != 0) names += i + 1 == suite.documents.size() ? " and " : ", ";
    names += suite.documents[i].dialect.name;
  }
  return names;
}

}  // namespace reshape::conformance
