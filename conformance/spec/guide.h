#pragma once

#include <string>

#include "conformance/spec/trace.h"

namespace reshape::conformance {

// A document as a page of Markdown: what it is, how it answers the questions that every Reshape has to answer, and
// each clause with its level, section, words, ruling, count of cases and the first case of each sort. Everything in
// it is read from the suite, so that it says what is asked.
std::string guide_to(const DocumentTrace& traced, const std::string& suite_version);

}  // namespace reshape::conformance
