#pragma once

#include <string_view>

namespace reshape::conformance {

// The page of html/ with its styles, scripts and libraries, made by the build (html/embed_page.cmake): what
// stands before the report's JSON, and what stands behind it.
extern const std::string_view kPageBeforeData;
extern const std::string_view kPageAfterData;

}  // namespace reshape::conformance
