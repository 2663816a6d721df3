#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/model/clause.h"

namespace reshape::conformance {

// Most cases are about sizes, and are written for f32 and for patterns of i64 only because a request
// has to have types. Of an implementation that declares neither they are asked in types that it
// declares. The id tells: "openvino-reshape-1/copy-first~i8", or "...~i8~i32-pattern".

// The case in declared types of the document: of data the one of the nearest width, of a pattern the
// first that holds its values. Nothing where its types are declared, where they are at stake (they
// are others than those, the answer is about them, or elements are written out), or where no declared
// type serves.
std::optional<Case> in_declared_types(const Case& written, const Dialect& dialect,
                                      const Capabilities& capabilities);

// Where no case of a line of the suite is in declared types, replaces the first that can be asked in
// others. Those are added to `own`, into which `cases` then points.
void ask_in_declared_types(const Suite& suite, const Capabilities& capabilities,
                           std::vector<const Case*>& cases, std::deque<Case>& own);

// The case of an id that ends with other types. Nothing where the suite has no such case, or no
// such types can be meant.
std::optional<Case> case_in_other_types(const Suite& suite, const std::string& id);

}  // namespace reshape::conformance
