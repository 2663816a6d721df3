#pragma once

#include <string>

namespace reshape::conformance {

// Why the loader refuses the file at `path`, and what to do about it, from what the file holds; the
// loader's own words `said` where the file does not tell.
std::string why_not_loaded(const std::string& path, const std::string& said);

// That the library at `path` has no entry symbol. If its symbol table holds one that cannot be
// found by name, says why and what to do about it.
std::string why_no_entry(const std::string& path);

}  // namespace reshape::conformance
