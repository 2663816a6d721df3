#pragma once

#include <span>
#include <string>

namespace reshape::conformance {

// A file of specs/ as it was when the program was built. The text is in pieces, because compilers
// limit the length of one literal; the last piece is null.
struct EmbeddedSpec {
  const char* path;  // "cases/zero.yaml"
  const char* const* pieces;

  std::string text() const {
    std::string all;
    for (const char* const* piece = pieces; *piece != nullptr; ++piece) all += *piece;
    return all;
  }
};

// Defined by the generated file.
extern const std::span<const EmbeddedSpec> kEmbeddedSpecs;

}  // namespace reshape::conformance
