// compile_specs SPECS DIALECTS.CPP SUITE.CPP
//
// Run by the build: reads a folder like specs/ and writes the declarations of its dialects, and its
// clauses and cases, as C++. Every problem of the folder is printed with file and line, and nothing
// is written.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include "conformance/spec/read_suite.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

// Generated values are written as numbers of their enums: their names live in one header only.
template <typename Enum>
std::string number(const char* type, Enum value) {
  return std::string("static_cast<") + type + ">(" + std::to_string(static_cast<int>(value)) + ")";
}

std::string types(ElementTypes set) {
  return "ElementTypes::from_mask(" + std::to_string(set.mask()) + "u)";
}

std::string dialects_source(const Suite& suite) {
  std::ostringstream out;
  out << "// Generated from specs/ by compile_specs.\n#include \"reference/tensor/dialect.h\"\n\n"
         "namespace reshape {\nnamespace {\n\nconst Dialect kDialects[] = {\n";
  for (const Document& document : suite.documents) {
    const Dialect& dialect = document.dialect;
    out << "    {.name = \"" << dialect.name << "\",\n"
        << "     .pattern_given_as = " << number("PatternSource", dialect.pattern_given_as) << ",\n"
        << "     .pattern_types = " << types(dialect.pattern_types) << ",\n"
        << "     .pattern_not_one_dimensional = "
        << number("Answer", dialect.pattern_not_one_dimensional)
        << ",\n     .data_types = " << types(dialect.data_types) << ",\n"
        << "     .data_types_unspecified = " << types(dialect.data_types_unspecified) << ",\n"
        << "     .scalar_data = " << number("Answer", dialect.scalar_data) << ",\n"
        << "     .empty_pattern = " << number("Answer", dialect.empty_pattern) << ",\n"
        << "     .zero = " << number("ZeroRule", dialect.zero) << ",\n"
        << "     .flag_missing = " << number("MissingFlag", dialect.flag_missing) << ",\n"
        << "     .zero_past_rank = " << number("ZeroPastRank", dialect.zero_past_rank) << ",\n"
        << "     .literal_zero_with_minus_one = "
        << number("LiteralZeroWithMinusOne", dialect.literal_zero_with_minus_one) << ",\n"
        << "     .minus_one_beside_copied_zero = "
        << number("Answer", dialect.minus_one_beside_copied_zero)
        << ",\n     .volume_beyond_int64 = " << number("Answer", dialect.volume_beyond_int64)
        << "},\n";
  }
  out << "};\n\n}  // namespace\n\n"
         "std::span<const Dialect> built_in_dialects() { return kDialects; }\n\n"
         "const Dialect* built_in_dialect(std::string_view name) {\n"
         "  for (const Dialect& dialect : kDialects) {\n"
         "    if (dialect.name == name) return &dialect;\n"
         "  }\n"
         "  return nullptr;\n"
         "}\n\n}  // namespace reshape\n";
  return out.str();
}

// As a C++ string literal.
std::string literal(const std::string& text) {
  std::string form = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      form += "\\n";
    } else if (c == '"' || c == '\\') {
      form += '\\';
      form += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      char octal[5];
      std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned>(byte));
      form += octal;
    } else {
      form += c;
    }
  }
  return form + '"';
}

void write_clauses(std::ostream& out, const Document& document) {
  for (const Clause& clause : document.clauses) {
    out << "    {" << literal(clause.id) << ", " << static_cast<int>(clause.level) << ", "
        << literal(clause.section) << ",\n     " << literal(clause.says) << ",\n     "
        << literal(clause.because) << ", " << (clause.breakable ? "true" : "false") << ", "
        << clause.line << "},\n";
  }
}

void write_elements(std::ostream& out, const Document& document, std::size_t number) {
  for (std::size_t i = 0; i < document.cases.size(); ++i) {
    const auto& elements = document.cases[i].expect_elements;
    if (!elements || elements->empty()) continue;
    out << "const std::uint64_t kElements" << number << '_' << i << "[] = {";
    for (const std::uint64_t element : *elements) out << element << "u, ";
    out << "};\n";
  }
}

void write_cases(std::ostream& out, const Document& document, std::size_t number) {
  for (std::size_t i = 0; i < document.cases.size(); ++i) {
    const Case& one = document.cases[i];
    std::string clauses;
    for (const std::string& clause : one.clauses) clauses += (clauses.empty() ? "" : " ") + clause;
    out << "    {" << literal(one.id) << ", " << literal(clauses) << ", "
        << literal(one.source.kind) << ", " << literal(one.source.section) << ", "
        << literal(one.source.link) << ",\n     " << literal(print_line(one.request)) << ", "
        << literal(text(one.expect)) << ", " << (one.expect_elements ? "true" : "false") << ", ";
    if (one.expect_elements && !one.expect_elements->empty()) {
      out << "kElements" << number << '_' << i;
    } else {
      out << "{}";
    }
    out << ", " << literal(one.file) << ", " << one.line << "},\n";
  }
}

std::string suite_source(const Suite& suite) {
  std::ostringstream out;
  out << "// Generated from specs/ by compile_specs.\n"
         "#include \"conformance/spec/built_in_rows.h\"\n\n"
         "namespace reshape::conformance {\nnamespace {\n\n";
  for (std::size_t i = 0; i < suite.documents.size(); ++i) {
    const Document& document = suite.documents[i];
    out << "const ClauseRow kClauses" << i << "[] = {\n";
    write_clauses(out, document);
    out << "};\n\n";
    if (document.cases.empty()) continue;
    write_elements(out, document, i);
    out << "const CaseRow kCases" << i << "[] = {\n";
    write_cases(out, document, i);
    out << "};\n\n";
  }
  out << "const DocumentRow kDocuments[] = {\n";
  for (std::size_t i = 0; i < suite.documents.size(); ++i) {
    const Document& document = suite.documents[i];
    out << "    {" << literal(document.dialect.name) << ", " << literal(document.title) << ", "
        << literal(document.versioned_name) << ", " << literal(document.publisher) << ",\n     "
        << literal(document.version) << ", " << literal(document.address) << ", "
        << literal(document.licence) << ", " << literal(document.file) << ", kClauses" << i << ", "
        << (document.cases.empty() ? "{}" : "kCases" + std::to_string(i)) << "},\n";
  }
  out << "};\n\n}  // namespace\n\n"
         "const SuiteRows kBuiltInSuite = {"
      << literal(suite.version) << ", kDocuments};\n\n}  // namespace reshape::conformance\n";
  return out.str();
}

bool write(const char* path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) std::cerr << path << ": cannot be written\n";
  return static_cast<bool>(stream);
}

int compile(const char* folder, const char* dialects, const char* suite) {
  const Result<std::vector<SpecFile>> files = read_spec_files(folder);
  if (!files) {
    std::cerr << files.error().text() << '\n';
    return 2;
  }
  const SuiteReading reading = read_suite(*files, folder);
  for (const Error& problem : reading.problems) std::cerr << problem.text() << '\n';
  if (!reading.problems.empty()) return 2;
  if (reading.suite.documents.empty()) {
    std::cerr << folder << ": no dialect has a document.yaml here\n";
    return 2;
  }
  const bool written =
      write(dialects, dialects_source(reading.suite)) && write(suite, suite_source(reading.suite));
  return written ? 0 : 2;
}

}  // namespace
}  // namespace reshape::conformance

int main(int count, char** arguments) {
  if (count != 4) {
    std::cerr << "usage: compile_specs SPECS DIALECTS.CPP SUITE.CPP\n";
    return 2;
  }
  return reshape::conformance::compile(arguments[1], arguments[2], arguments[3]);
}
