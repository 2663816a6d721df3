#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
  std::string kind;     // "published example", "document", "derived", "public issue"
  std::string section;  // of the document, or empty
  std::string link;     // of the public issue, or empty
};

// Stands in an id before each type that the request has instead of the written one.
inline constexpr char kInstead = '~';
// An id, or a pattern of ids, without these types and what stands before them.
inline std::string_view written_part(std::string_view id) {
  return id.substr(0, id.find(kInstead));
}

// One request and the expected answer.
struct Case {
  std::string id;  // "openvino-reshape-1/copy-then-infer", unique and stable
  std::vector<std::string> clauses;
  Source source;
  Request request;
  Ruling expect;
  std::optional<std::vector<std::uint64_t>> expect_elements;  // written-out bits, row-major
  // No rule of the document is at stake: run for only one of the documents that a library declares.
  bool once = false;
  std::string file;  // "cases/zero.yaml"
  int line = 0;

  // The id without its dialect, which names the same request in every document.
  std::string_view name() const { return std::string_view(id).substr(id.find('/') + 1); }
  // The id of the suite's case. It is another one where that is asked in other types than it is
  // written in, see run/other_types.h: "openvino-reshape-1/copy-first" of ".../copy-first~i8".
  std::string_view written_id() const { return written_part(id); }
  bool in_other_types() const { return written_id().size() != id.size(); }
  // Drawn by a seed and in no file: "generated/2000001/17".
  bool generated() const { return id.starts_with("generated/"); }
  // In no file either way: generated, or of a bounded-exhaustive run ("exhaustive/...").
  bool in_no_file() const { return generated() || id.starts_with("exhaustive/"); }
  // As the suite has it, word for word.
  bool as_written() const { return !in_no_file() && !in_other_types(); }
};

// The name without the types that end it, which the cases of one line of a file share: "count-65" of
// "count-65.f32" and of "count-65.f32~i8".
std::string_view stem(std::string_view name);

// The cases of a document, possibly built lazily, at the first access: a suite has many more than
// one run asks. Copies share the list; reading is thread-safe.
class CaseList {
 public:
  CaseList() = default;
  CaseList(std::vector<Case> cases);  // NOLINT(google-explicit-constructor)
  explicit CaseList(std::function<std::vector<Case>()> make);

  const std::vector<Case>& list() const;
  // The list for changes (copy on write: other copies do not see them).
  std::vector<Case>& edit();
  auto begin() const { return list().begin(); }
  auto end() const { return list().end(); }
  std::size_t size() const { return list().size(); }
  bool empty() const { return list().empty(); }
  const Case& front() const { return list().front(); }
  const Case& operator[](std::size_t index) const { return list()[index]; }

 private:
  struct Made;
  std::shared_ptr<Made> made_;
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
  std::string file;                   // "dialects/openvino-reshape-1.yaml"
  std::vector<std::string> sections;  // the parts of the document that its clauses name
  std::vector<Clause> clauses;
  CaseList cases;

  // Null where the document has no such clause.
  const Clause* clause(std::string_view id) const;
};

// All documents and their cases, ordered by name.
struct Suite {
  std::string version;  // of the case suite, from specs/suite.yaml
  std::vector<Document> documents;

  const Document* document(const std::string& dialect) const;
};

}  // namespace reshape::conformance
