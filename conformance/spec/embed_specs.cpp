// embed_specs SPECS DIALECTS.CPP SUITE.CPP
//
// Run by the build: writes the declarations of the dialects of a folder like specs/, and the texts
// of its files, as C++. Every problem of a document is printed with file and line, and nothing is
// written. Cases are not read here: the program reads them as it reads any folder.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include "conformance/spec/read_suite.h"
#include "reference/tensor/dialect_questions.h"

namespace reshape::conformance {
namespace {

// As C++ string literals, a line each.
void write_literals(std::ostream& out, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    out << '"';
    for (const char c : text.substr(at, end - at)) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '\n') {
        out << "\\n";
      } else if (c == '"' || c == '\\') {
        out << '\\' << c;
      } else if (byte < 0x20 || byte >= 0x7f) {
        char octal[5];
        std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned>(byte));
        out << octal;
      } else {
        out << c;
      }
    }
    out << "\"\n";
    at = end;
  }
}

std::string dialects_source(const Suite& suite) {
  std::ostringstream out;
  out << "// Generated from specs/ by embed_specs.\nnamespace reshape {\n"
         "extern const char* const kBuiltInDeclarations;\n"
         "const char* const kBuiltInDeclarations = \"\"\n";
  for (const Document& document : suite.documents) {
    write_literals(out, declaration(document.dialect) + '\n');
  }
  out << ";\n}  // namespace reshape\n";
  return out.str();
}

std::string suite_source(const std::vector<SpecFile>& files) {
  constexpr std::size_t kPiece = 30000;
  std::ostringstream out;
  out << "// Generated from specs/ by embed_specs.\n"
         "#include \"conformance/spec/embedded_specs.h\"\n\n"
         "namespace reshape::conformance {\nnamespace {\n\n";
  for (std::size_t i = 0; i < files.size(); ++i) {
    out << "const char* const kPieces" << i << "[] = {\n";
    for (std::size_t at = 0; at < files[i].text.size(); at += kPiece) {
      write_literals(out, files[i].text.substr(at, kPiece));
      out << ",\n";
    }
    out << "nullptr};\n";
  }
  out << "\nconst EmbeddedSpec kFiles[] = {\n";
  for (std::size_t i = 0; i < files.size(); ++i) {
    out << "    {\"" << files[i].path << "\", kPieces" << i << "},\n";
  }
  out << "};\n\n}  // namespace\n\n"
         "const std::span<const EmbeddedSpec> kEmbeddedSpecs = kFiles;\n\n"
         "}  // namespace reshape::conformance\n";
  return out.str();
}

bool write(const char* path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) std::cerr << path << ": cannot be written\n";
  return static_cast<bool>(stream);
}

int embed(const char* folder, const char* dialects, const char* suite) {
  const Result<std::vector<SpecFile>> files = read_spec_files(folder);
  if (!files) {
    std::cerr << files.error().text() << '\n';
    return 2;
  }
  const DocumentsReading reading = read_documents(*files, folder);
  for (const Error& problem : reading.problems) std::cerr << problem.text() << '\n';
  if (!reading.problems.empty()) return 2;
  const bool written =
      write(dialects, dialects_source(reading.suite)) && write(suite, suite_source(*files));
  return written ? 0 : 2;
}

}  // namespace
}  // namespace reshape::conformance

int main(int count, char** arguments) {
  if (count != 4) {
    std::cerr << "usage: embed_specs SPECS DIALECTS.CPP SUITE.CPP\n";
    return 2;
  }
  return reshape::conformance::embed(arguments[1], arguments[2], arguments[3]);
}
