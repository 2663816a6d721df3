#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/model/request.h"

namespace reshape::conformance {

// The parts in which two requests differ: "the data's strides", "the pattern's type".
std::vector<std::string> differing_parts(const Request& one, const Request& other);

// Makes `other` as similar to `request` as possible, part by part, while `holds` is true of it.
// Precondition: holds(other). Tries only requests that can be written as a line; `enough()` ends
// the search.
Request made_alike(const Request& other, const Request& request,
                   const std::function<bool(const Request&)>& holds,
                   const std::function<bool()>& enough);

// "that is the same", "that differs from it only in the data's strides"; "" where they differ in
// more than three parts.
std::string how_alike(const Request& one, const Request& other);

}  // namespace reshape::conformance
