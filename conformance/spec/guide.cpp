#include <fmt/format.h>

#include <iterator>

#include "conformance/spec/trace.h"
#include "conformance/text/counted.h"
#include "conformance/text/line.h"
#include "reference/tensor/dialect_questions.h"

namespace reshape::conformance {
namespace {

using Out = std::back_insert_iterator<std::string>;

void print_head(Out out, const Document& document, const std::string& suite_version) {
  fmt::format_to(out, "# {}, {}\n\n", document.publisher, document.versioned_name);
  fmt::format_to(out, "`{}` is {}", document.dialect.name, document.version);
  if (!document.address.empty()) fmt::format_to(out, " ([the document]({}))", document.address);
  fmt::format_to(
      out,
      ". It is told here in our words: {} clauses, and {} cases of suite {} that ask for "
      "them.\n\n",
      document.clauses.size(), document.cases.size(), suite_version);
}

// A word as an answer, with the clause that says so.
void print_answer(Out out, std::string_view asks, const std::string& answer,
                  std::string_view clause) {
  fmt::format_to(out, "| {} | {} | {} |\n", asks, answer,
                 clause.empty() ? std::string() : fmt::format("`{}`", clause));
}

// The flag that a 0 depends on: "`allowzero`: 0 copies, 1 is a size".
std::string flag_text(const ZeroFlag& flag) {
  return fmt::format("`{}`: with {} a 0 copies, with {} it is a plain size", flag.name, flag.copies,
                     flag.literal);
}

void print_answers(Out out, const Dialect& dialect) {
  fmt::format_to(out, "## How it answers\n\n| question | answer | clause |\n|---|---|---|\n");
  for (const TypesQuestion& question : types_questions()) {
    const ElementTypes& types = dialect.*question.types;
    if (!types.empty()) print_answer(out, question.asks, types.text(), "");
  }
  for (const DialectQuestion& question : dialect_questions()) {
    if (!question.inapplicable(dialect).empty()) continue;
    const DialectAnswer& answer = question.answer(dialect);
    print_answer(out, question.asks, std::string(answer.word), answer.clause);
  }
  if (dialect.zero == ZeroRule::by_flag) {
    print_answer(out, "the flag's name and words", flag_text(dialect.flag), "");
  }
}

void print_cases(Out out, const char* bearing, const std::vector<const Case*>& cases) {
  if (cases.empty()) return;
  const Case& first = *cases.front();
  fmt::format_to(out, "- {} {}{} it, such as `{}`:\n  `{}` → {}\n", counted(cases.size(), "case"),
                 bearing, cases.size() == 1 ? "s" : "", first.id, print_line(first.request),
                 text(first.expect));
}

void print_clause(Out out, const ClauseTrace& row) {
  const Clause& clause = *row.clause;
  fmt::format_to(out, "\n### {}\n\n*{}*, {}\n\n{}\n\n", clause.id, name(clause.level),
                 clause.section, clause.says);
  if (!clause.because.empty()) fmt::format_to(out, "Ruling: {}\n\n", clause.because);
  print_cases(out, "hold", row.holds);
  print_cases(out, "break", row.breaks);
  print_cases(out, "open", row.opens);
}

}  // namespace

std::string guide_to(const DocumentTrace& traced, const std::string& suite_version) {
  std::string page;
  const Out out(page);
  print_head(out, *traced.document, suite_version);
  print_answers(out, traced.document->dialect);
  fmt::format_to(out, "\n## What it says\n");
  for (const ClauseTrace& row : traced.clauses) print_clause(out, row);
  return page;
}

}  // namespace reshape::conformance
