// compile_specs SPECS DIALECTS.CPP SUITE.CPP
//
// Run by the build: reads a folder like specs/ and writes the declarations of its dialects, and its
// texts, as C++. Every problem of the folder is printed with file and line, and nothing is written.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include "conformance/spec/read_suite.h"

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
        << "     .pattern_not_one_dimensional = " << number("Answer", dialect.pattern_not_one_dimensional)
        << ",\n     .data_types = " << types(dialect.data_types) << ",\n"
        << "     .data_types_unspecified = " << types(dialect.data_types_unspecified) << ",\n"
        << "     .scalar_data = " << number("Answer", dialect.scalar_data) << ",\n"
        << "     .empty_pattern = " << number("Answer", dialect.empty_pattern) << ",\n"
        << "     .zero = " << number("ZeroRule", dialect.zero) << ",\n"
        << "     .flag_missing = " << number("MissingFlag", dialect.flag_missing) << ",\n"
        << "     .zero_past_rank = " << number("ZeroPastRank", dialect.zero_past_rank) << ",\n"
        << "     .literal_zero_with_minus_one = "
        << number("LiteralZeroWithMinusOne", dialect.literal_zero_with_minus_one) << ",\n"
        << "     .minus_one_beside_copied_zero = " << number("Answer", dialect.minus_one_beside_copied_zero)
        << ",\n     .volume_beyond_int64 = " << number("Answer", dialect.volume_beyond_int64) << "},\n";
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

// A C++ string literal, a line of it for each line of the text.
std::string literal(const std::string& text) {
  std::string form = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      form += "\\n\"\n    \"";
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

std::string suite_source(const std::vector<SpecFile>& files) {
  std::ostringstream out;
  out << "// Generated from specs/ by compile_specs.\n#include \"conformance/spec/spec_file.h\"\n\n"
         "namespace reshape::conformance {\n\n"
         "const std::vector<SpecFile>& built_in_spec_files() {\n"
         "  static const std::vector<SpecFile> files = {\n";
  for (const SpecFile& file : files) {
    out << "    {" << literal(file.path) << ",\n    " << literal(file.text) << "},\n";
  }
  out << "  };\n  return files;\n}\n\n}  // namespace reshape::conformance\n";
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
  return write(dialects, dialects_source(reading.suite)) && write(suite, suite_source(*files)) ? 0
                                                                                               : 2;
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
