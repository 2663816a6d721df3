#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "conformance/oracle/ruling_of.h"
#include "conformance/spec/express_case.h"
#include "conformance/spec/load.h"
#include "conformance/spec/read_suite.h"
#include "reference/tensor/declared_dialects.h"
#include "reference/tensor/dialect_questions.h"

namespace reshape::conformance {
namespace {

auto fields_of(const Document& one) {
  return std::tie(one.dialect, one.title, one.versioned_name, one.publisher, one.version,
                  one.address, one.licence, one.file);
}

auto fields_of(const Clause& one) {
  return std::tie(one.id, one.level, one.section, one.says, one.because, one.breakable, one.line);
}

auto fields_of(const Case& one) {
  return std::tie(one.id, one.clauses, one.source.kind, one.source.section, one.source.link,
                  one.request, one.expect, one.expect_elements, one.file, one.line);
}

// The embedded suite equals the folder it was built from, line numbers included.
TEST(BuiltInSuite, IsTheFolderThatItWasBuiltFrom) {
  const Result<Suite> read = load_suite(RESHAPE_SPECS);
  ASSERT_TRUE(read.ok()) << read.error().text();
  const Suite& built_in = built_in_suite();
  EXPECT_EQ(built_in.version, read->version);
  ASSERT_EQ(built_in.documents.size(), read->documents.size());
  for (std::size_t i = 0; i < read->documents.size(); ++i) {
    const Document& ours = built_in.documents[i];
    const Document& theirs = read->documents[i];
    EXPECT_EQ(fields_of(ours), fields_of(theirs));
    ASSERT_EQ(ours.clauses.size(), theirs.clauses.size());
    for (std::size_t j = 0; j < theirs.clauses.size(); ++j) {
      EXPECT_EQ(fields_of(ours.clauses[j]), fields_of(theirs.clauses[j]));
    }
    ASSERT_EQ(ours.cases.size(), theirs.cases.size());
    for (std::size_t j = 0; j < theirs.cases.size(); ++j) {
      EXPECT_EQ(fields_of(ours.cases[j]), fields_of(theirs.cases[j]));
    }
  }
}

TEST(BuiltInSuite, EveryDocumentIsADeclaredDialect) {
  for (const Document& document : built_in_suite().documents) {
    const Dialect* declared = declared_dialect(document.dialect.name);
    ASSERT_NE(declared, nullptr) << document.dialect.name;
    EXPECT_EQ(*declared, document.dialect);
    EXPECT_FALSE(document.cases.empty());
    const Result<Dialect> read = parse_declaration(declaration(document.dialect));
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(*read, document.dialect);
  }
  EXPECT_EQ(declared_dialect("no-such-dialect"), nullptr);
  EXPECT_EQ(declared_dialect(""), nullptr);
}

// A published document with one question answered differently, and the clauses to match. It gets
// the cases of specs/, with nothing added.
std::optional<Document> answering(const Document& published, const DialectQuestion& question,
                                  const DialectAnswer& answer) {
  Document document = published;
  document.dialect.name = "another-reshape";
  question.set(document.dialect, answer.value);
  for (const DialectQuestion& other : dialect_questions()) {
    for (const DialectAnswer& one : other.answers) {
      if (other.key != "zero") {
        std::erase_if(document.clauses,
                      [&](const Clause& clause) { return clause.id == one.clause; });
      }
    }
  }
  for (const DialectQuestion& other : dialect_questions()) {
    if (!other.inapplicable(document.dialect).empty()) continue;
    const DialectAnswer& given = other.answer(document.dialect);
    if (given.clause.empty() || document.clause(given.clause) != nullptr) continue;
    const bool open = given.form == ClauseForm::open;
    document.clauses.push_back({std::string(given.clause), open ? Level::silent : Level::must, "",
                                "", "", given.form == ClauseForm::breakable, 0});
  }
  return document;
}

TEST(BuiltInSuite, HoldsOfADocumentThatAnswersOtherwise) {
  const Result<std::vector<SpecFile>> files = read_spec_files(RESHAPE_SPECS);
  ASSERT_TRUE(files.ok());
  const SuiteReading reading = read_suite(*files, RESHAPE_SPECS);
  ASSERT_TRUE(reading.problems.empty());
  std::size_t documents = 0;
  std::set<std::string> seen;
  for (const Document& published : reading.suite.documents) {
    // One of those that only differ in their types.
    std::string answers;
    for (const DialectQuestion& question : dialect_questions()) {
      answers += question.answer(published.dialect).word;
    }
    if (!seen.insert(answers).second) continue;
    for (const DialectQuestion& question : dialect_questions()) {
      for (const DialectAnswer& answer : question.answers) {
        const std::optional<Document> other = answering(published, question, answer);
        if (!other || other->dialect == published.dialect) continue;
        ++documents;
        std::size_t wrong = 0;
        for (const Case& one : cases_of(reading.written, *other)) {
          const Ruling right = ruling_of(other->dialect, one.request);
          if (right == one.expect || ++wrong > 3) continue;
          ADD_FAILURE() << published.dialect.name << " with " << question.key << ": " << answer.word
                        << "\n  " << one.file << ':' << one.line << ": " << one.id << " expects "
                        << text(one.expect) << ", and the rules answer " << text(right);
        }
      }
    }
  }
  EXPECT_GT(documents, 50u);
}

}  // namespace
}  // namespace reshape::conformance
