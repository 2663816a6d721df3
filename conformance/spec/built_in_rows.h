#pragma once

#include <cstdint>
#include <span>

namespace reshape::conformance {

// The suite in the form that the build writes it down and the program starts from: the texts of the
// YAML, read and checked, without the YAML. Reading it costs milliseconds; reading YAML of that
// size costs more than half a second.

struct ClauseRow {
  const char* id;
  int level;  // a Level
  const char* section;
  const char* says;
  const char* because;
  bool breakable;
  int line;
};

struct CaseRow {
  const char* id;
  const char* clauses;  // separated by blanks
  const char* kind;     // of the source
  const char* section;
  const char* link;
  const char* request;  // the one-line form, with its dialect
  const char* expect;
  bool has_elements;
  std::span<const std::uint64_t> elements;
  const char* file;
  int line;
};

struct DocumentRow {
  const char* dialect;  // one of built_in_dialects()
  const char* title;
  const char* versioned_name;
  const char* publisher;
  const char* version;
  const char* address;
  const char* licence;
  const char* file;
  std::span<const ClauseRow> clauses;
  std::span<const CaseRow> cases;
};

struct SuiteRows {
  const char* version;
  std::span<const DocumentRow> documents;
};

// Defined by the generated file.
extern const SuiteRows kBuiltInSuite;

}  // namespace reshape::conformance
