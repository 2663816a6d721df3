#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/model/request.h"
#include "reference/tensor/dialect.h"
#include "reference/tensor/ruling.h"

namespace reshape::conformance {

// How binding a clause is. derived: no sentence says it, but the sentences leave no other reading
// (with the reason). silent: the document leaves it open (with the reason).
enum class Level : std::uint8_t { must, should, may, derived, silent };
const char* name(Level level);

// One normative statement of a document, in our own words.
struct Clause {
  std::string id;  // "zero.copies", unique in its document
  Level level = Level::must;
  std::string section;  // where in the document
  std::string says;
  std::string because;    // derived, silent, and contradicted clauses: the reason of the ruling
  bool breakable = true;  // some request can break it, so that rejecting is the right answer
  int line = 0;
};

// Where a case comes from.
struct Source {
  std::string kind;     // "published example", "document", "derived", "public issue", ...
  std::string section;  // of the document, or empty
  std::string link;     // of the public issue, or empty
};

// One thing asked, one thing expected.
struct Case {
  std::string id;  // "openvino-reshape-1/copy-then-infer", unique and stable
  std::vector<std::string> clauses;
  Source source;
  Request request;
  Ruling expect;
  std::optional<std::vector<std::uint64_t>> expect_elements;  // written-out bits, row-major
  std::string file;                                           // "openvino-reshape-1/zero.yaml"
  int line = 0;
};

// A document: what it is, how it answers (the dialect), what it says (the clauses), what is asked.
struct Document {
  Dialect dialect;
  std::string title;
  std::string versioned_name;
  std::string publisher;
  std::string version;
  std::string address;  // public address, or empty
  std::string licence;
  std::string file;  // "openvino-reshape-1/document.yaml"
  std::vector<Clause> clauses;
  std::vector<Case> cases;
};

// All documents and their cases, ordered by name.
struct Suite {
  std::string version;  // of the case suite, from specs/suite.yaml
  std::vector<Document> documents;

  const Document* document(const std::string& dialect) const;
};

}  // namespace reshape::conformance
