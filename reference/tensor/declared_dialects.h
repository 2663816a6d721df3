#pragma once

#include <span>
#include <string_view>

#include "reference/tensor/dialect.h"

namespace reshape {

// The environment variable through which programs that a process starts learn of dialects that were
// not built in: declarations (see dialect_questions.h), a line each.
inline constexpr const char* kDeclarationsVariable = "RESHAPE_DIALECTS";

// The dialects that this process knows, in order of their names: those of specs/ when it was built,
// and those that declare_dialects() or RESHAPE_DIALECTS add. One of the same name wins over one that
// was built in. A line of the variable that is no declaration is passed over.
std::span<const Dialect> declared_dialects();

// Null where no declared dialect has this name. The pointer stays valid for the life of the program.
const Dialect* declared_dialect(std::string_view name);

// Whether the pointer is to one of declared_dialects(), and not to one that was declared anew since. Cheap.
bool is_declared(const Dialect* dialect);

// Declares these too, for this process and, by the environment, for those that it starts. Not to be
// called while another thread reads the declarations.
void declare_dialects(std::span<const Dialect> dialects);

}  // namespace reshape
