#include <gtest/gtest.h>

#include "conformance/spec/load.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

void expect_same(const Dialect& built_in, const Dialect& read) {
  EXPECT_EQ(built_in.name, read.name);
  EXPECT_EQ(built_in.pattern_given_as, read.pattern_given_as);
  EXPECT_EQ(built_in.pattern_types, read.pattern_types);
  EXPECT_EQ(built_in.pattern_not_one_dimensional, read.pattern_not_one_dimensional);
  EXPECT_EQ(built_in.data_types, read.data_types);
  EXPECT_EQ(built_in.data_types_unspecified, read.data_types_unspecified);
  EXPECT_EQ(built_in.scalar_data, read.scalar_data);
  EXPECT_EQ(built_in.empty_pattern, read.empty_pattern);
  EXPECT_EQ(built_in.zero, read.zero);
  EXPECT_EQ(built_in.flag_missing, read.flag_missing);
  EXPECT_EQ(built_in.zero_past_rank, read.zero_past_rank);
  EXPECT_EQ(built_in.literal_zero_with_minus_one, read.literal_zero_with_minus_one);
  EXPECT_EQ(built_in.minus_one_beside_copied_zero, read.minus_one_beside_copied_zero);
  EXPECT_EQ(built_in.volume_beyond_int64, read.volume_beyond_int64);
}

void expect_same(const Clause& built_in, const Clause& read) {
  EXPECT_EQ(built_in.id, read.id);
  EXPECT_EQ(built_in.level, read.level);
  EXPECT_EQ(built_in.section, read.section);
  EXPECT_EQ(built_in.says, read.says);
  EXPECT_EQ(built_in.because, read.because);
  EXPECT_EQ(built_in.breakable, read.breakable);
  EXPECT_EQ(built_in.line, read.line);
}

void expect_same(const Case& built_in, const Case& read) {
  EXPECT_EQ(built_in.id, read.id);
  EXPECT_EQ(built_in.clauses, read.clauses);
  EXPECT_EQ(built_in.source.kind, read.source.kind);
  EXPECT_EQ(built_in.source.section, read.source.section);
  EXPECT_EQ(built_in.source.link, read.source.link);
  EXPECT_EQ(print_line(built_in.request), print_line(read.request));
  EXPECT_EQ(built_in.request, read.request);
  EXPECT_EQ(built_in.expect, read.expect);
  EXPECT_EQ(built_in.expect_elements, read.expect_elements);
  EXPECT_EQ(built_in.file, read.file);
  EXPECT_EQ(built_in.line, read.line);
}

// What the build wrote down is what the reader reads, to the last line number.
TEST(BuiltInSuite, IsTheFolderThatItWasBuiltFrom) {
  const Result<Suite> read = load_suite(RESHAPE_SPECS);
  ASSERT_TRUE(read.ok()) << read.error().text();
  const Suite& built_in = built_in_suite();
  EXPECT_EQ(built_in.version, read->version);
  ASSERT_EQ(built_in.documents.size(), read->documents.size());
  for (std::size_t i = 0; i < read->documents.size(); ++i) {
    const Document& ours = built_in.documents[i];
    const Document& theirs = read->documents[i];
    expect_same(ours.dialect, theirs.dialect);
    EXPECT_EQ(ours.title, theirs.title);
    EXPECT_EQ(ours.versioned_name, theirs.versioned_name);
    EXPECT_EQ(ours.publisher, theirs.publisher);
    EXPECT_EQ(ours.version, theirs.version);
    EXPECT_EQ(ours.address, theirs.address);
    EXPECT_EQ(ours.licence, theirs.licence);
    EXPECT_EQ(ours.file, theirs.file);
    ASSERT_EQ(ours.clauses.size(), theirs.clauses.size());
    for (std::size_t j = 0; j < theirs.clauses.size(); ++j) {
      expect_same(ours.clauses[j], theirs.clauses[j]);
    }
    ASSERT_EQ(ours.cases.size(), theirs.cases.size());
    for (std::size_t j = 0; j < theirs.cases.size(); ++j)
      expect_same(ours.cases[j], theirs.cases[j]);
  }
}

TEST(BuiltInSuite, EveryDocumentIsABuiltInDialectInTheOrderOfNames) {
  const Suite& suite = built_in_suite();
  ASSERT_EQ(built_in_dialects().size(), suite.documents.size());
  for (std::size_t i = 0; i < suite.documents.size(); ++i) {
    expect_same(built_in_dialects()[i], suite.documents[i].dialect);
    EXPECT_EQ(built_in_dialect(suite.documents[i].dialect.name), &built_in_dialects()[i]);
    EXPECT_FALSE(suite.documents[i].cases.empty());
  }
  EXPECT_EQ(built_in_dialect("no-such-dialect"), nullptr);
  EXPECT_EQ(built_in_dialect(""), nullptr);
}

}  // namespace
}  // namespace reshape::conformance
