#pragma once

#include <cstddef>
#include <string>

namespace reshape::conformance {

// Whether the file ends before the parts that its headers say are to be mapped: the loader itself is
// killed by such a file.
bool is_cut_off(const std::string& path, std::size_t bytes);

// Why the loader refuses the file at `path`, and what to do about it, from what the file holds; the
// loader's own words `said` where the file does not tell.
std::string why_not_loaded(const std::string& path, const std::string& said);

// That the library at `path` has no entry symbol. If its symbol table holds one that cannot be
// found by name, says why and what to do about it.
std::string why_no_entry(const std::string& path);

}  // namespace reshape::conformance
