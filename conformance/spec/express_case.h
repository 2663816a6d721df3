#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/model/clause.h"
#include "conformance/spec/case_sweep.h"

namespace reshape::conformance {

// The case in the words of `document`; nothing where the document cannot express it or has no
// clause about it:
//  - P is the type of its patterns: i64 where it takes that, else its first one that holds the values;
//  - a type of the data or of the pattern that it does not take is asked only where the answer is to
//    refuse it, or to refuse something that is read before it;
//  - without a flag, a flag is left out where the pattern has no 0, or its 0 means the same;
//  - a pattern tensor of a shape of its own is for documents whose pattern is a tensor;
//  - a -1 is for documents that infer it;
//  - the answer refuses or opens a clause only where the document's clause does, and one of the
//    case's clauses at least is a clause of the document.
std::optional<Case> express(const WrittenCase& written, const Document& document);

// All cases of the document. A case whose request equals an earlier one's, once the flag and the
// pattern's type are filled in, is left out; `twice` is called for those that were also written
// alike.
using WrittenTwice = std::function<void(const WrittenCase& one, const WrittenCase& first)>;
std::vector<Case> cases_of(std::span<const WrittenCase> written, const Document& document,
                           const WrittenTwice& twice = nullptr);

}  // namespace reshape::conformance
