#pragma once

#include <string>

#include "conformance/spec/trace.h"

namespace reshape::conformance {

// A document as a page of Markdown: what it is, how it answers the questions that every Reshape has
// to answer, and each clause with its level, section, words, ruling, count of cases and the first
// case of each kind. Generated from the suite alone, so that it cannot disagree with it.
std::string guide_to(const DocumentTrace& traced, const std::string& suite_version);

}  // namespace reshape::conformance
