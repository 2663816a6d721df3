#pragma once

#include <span>
#include <string_view>

#include "reference/tensor/dialect.h"

namespace reshape {

// The environment variable through which programs that a process starts learn of dialects that were
// not built in: declarations (see dialect_questions.h), a line each.
inline constexpr const char* kDeclarationsVariable = "RESHAPE_DIALECTS";

// The dialects that this process knows, in order of their names: those of specs/ when it was built,
// and those that declare_dialects() or RESHAPE_DIALECTS add, which replace built-in ones of the
// same name. A line of the variable that is no declaration is ignored.
std::span<const Dialect> declared_dialects();

// Null where no declared dialect has this name. The pointer stays valid for the life of the
// program.
const Dialect* declared_dialect(std::string_view name);

// Whether the pointer is into declared_dialects() as they are now: false after a later declaration
// replaced them. Compares addresses only.
bool is_declared(const Dialect* dialect);

// Adds these dialects for this process and, through the environment, for those that it starts. Not
// thread-safe: no other thread may read the declarations meanwhile.
void declare_dialects(std::span<const Dialect> dialects);

}  // namespace reshape
