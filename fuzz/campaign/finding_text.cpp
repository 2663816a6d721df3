#include "fuzz/campaign/finding_text.h"

#include <cctype>
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string_view>
#include <vector>

#include "conformance/model/clause.h"
#include "conformance/spec/load.h"
#include "conformance/text/line.h"
#include "conformance/text/shell_word.h"
#include "fuzz/input/decode.h"

namespace reshape::fuzz {
namespace {

std::vector<std::string> fields_of(const std::string& token) {
  std::vector<std::string> fields;
  std::istringstream in(token);
  for (std::string field; std::getline(in, field, '|');) fields.push_back(field);
  fields.resize(5);
  return fields;
}

// Four hexadecimal digits that keep names apart whose words are equal.
std::string mark_of(std::string_view text) {
  char digits[8];
  std::snprintf(digits, sizeof digits, "%04x", unsigned{short_hash(text)});
  return digits;
}

// Converts words to the form of a case id: lower-case letters and digits, single "-" and "."
// between them.
std::string id_of(std::string_view words) {
  std::string id;
  for (const char letter : words) {
    const auto code = static_cast<unsigned char>(letter);
    const char small = static_cast<char>(std::tolower(code));
    if (code < 128 && std::isalnum(code) != 0) {
      id += small;
    } else if (!id.empty() && id.back() != '-' && id.back() != '.') {
      id += letter == '.' ? '.' : '-';
    }
  }
  while (!id.empty() && (id.back() == '-' || id.back() == '.')) id.pop_back();
  return id;
}

std::string name_of(const std::vector<std::string>& fields, std::string_view what) {
  std::string words;
  for (const std::size_t field : {0u, 2u, 3u, 4u}) {
    if (!fields[field].empty()) words += fields[field] + '-';
  }
  return id_of(words + mark_of(what));
}

std::string camel(const std::string& id) {
  std::string name;
  bool upper = true;
  for (const char letter : id) {
    const bool word = std::isalnum(static_cast<unsigned char>(letter)) != 0;
    if (word) {
      name += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
    }
    upper = !word;
  }
  return name;
}

// The clause of `document` that a case with this answer is written for.
std::string clause_for(const conformance::Document& document, const Ruling& expect) {
  if (expect.kind != Ruling::Kind::produces) return expect.clause;
  for (const char* id : {"output.shape", "volume.kept"}) {
    for (const conformance::Clause& clause : document.clauses) {
      if (clause.id == id) return id;
    }
  }
  return document.clauses.front().id;
}

std::string yaml_of(const FindingTexts& texts, const std::string& found,
                    const conformance::Request& request, const Ruling& expect) {
  const conformance::Document* document = conformance::built_in_suite().document(request.dialect);
  if (document == nullptr) return "";
  return "# Found by fuzzing: " + found + ".\n" + clause_for(*document, expect) + ":\n  " +
         texts.name + ":\n    ask: " + conformance::print_line(request) +
         "\n    expect: " + text(expect) + "\n";
}

std::string found_words(const std::vector<std::string>& fields) {
  return fields[0] + ", " + fields[3] + " plane, " + fields[4];
}

// Only the target `plugin` takes another library than the one beside it.
std::string replay_of(const std::string& target, const std::string& library) {
  const bool named = target == "plugin" && !library.empty();
  return (named ? "RESHAPE_IMPLEMENTATION=" + library + " " : "") + "replay_" + target + " input\n";
}

}  // namespace

FindingTexts texts_of_request(const std::string& token, const std::string& target,
                              const conformance::Request& request, const Ruling& expect,
                              const std::string& library) {
  const std::vector<std::string> fields = fields_of(token);
  const std::string line = conformance::print_line(request);
  const std::string lib = library.empty() ? "build/release/lib/lib" + fields[0] + ".so" : library;
  FindingTexts texts;
  texts.name = name_of(fields, line);
  texts.yaml = yaml_of(texts, found_words(fields), request, expect);
  const std::string word = conformance::shell_word(lib);
  texts.replay = "reshape-conformance replay " + conformance::shell_word(line) + " -i " + word +
                 "\n" + replay_of(target, library.empty() ? "" : word);
  texts.test = "// Found by fuzzing: " + found_words(fields) + ".\nTEST(Regression, " +
               camel(texts.name) + R"() {
  AdapterOptions options;
  options.library = ")" +
               lib + R"(";
  const auto adapter = start_adapter(options);
  ASSERT_TRUE(adapter.ok()) << adapter.error().text();
  const Request request =
      *parse_line(")" +
               line + R"(");
  const Expectation expected{*parse_ruling(")" +
               text(expect) + R"("), std::nullopt};
  const Verdict verdict = judge(request, expected, (*adapter)->capabilities(),
                                (*adapter)->ask(request));
  EXPECT_EQ(verdict.kind, Verdict::Kind::pass);
}
)";
  return texts;
}

FindingTexts texts_of_bytes(const std::string& token, const std::string& target,
                            const Input& bytes) {
  const std::vector<std::string> fields = fields_of(token);
  const std::string_view raw(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  FindingTexts texts;
  texts.name = name_of(fields, raw);
  texts.replay = replay_of(target, "");
  texts.test = "// Found by fuzzing: " + found_words(fields) + ".\nTEST(Regression, " +
               camel(texts.name) + ") {\n  constexpr std::uint8_t kInput[] = {";
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    texts.test += at % 12 == 0 ? "\n      " : " ";
    texts.test += std::to_string(bytes[at]) + ',';
  }
  texts.test += "\n  };\n  // Of targets/" + target +
                ".cpp: aborts where the promise is broken.\n"
                "  EXPECT_EQ(LLVMFuzzerTestOneInput(kInput, sizeof kInput), 0);\n}\n";
  return texts;
}

}  // namespace reshape::fuzz
