#include <fmt/format.h>

#include <map>

#include "conformance/spec/suite_json.h"
#include "conformance/text/line.h"
#include "conformance/text/stable_hash.h"

namespace reshape::conformance {
namespace {

struct Entry {
  std::size_t cases = 0;
  StableHash hash;

  void add(const Case& one) {
    ++cases;
    hash.add_word(one.id);
    hash.add_word(print_line(one.request));
    hash.add_word(text(one.expect));
    for (const std::string& clause : one.clauses) hash.add_word(clause);
    hash.add_word(one.once ? "once" : "");
  }
};

}  // namespace

std::string digest_of(const Suite& suite) {
  std::map<std::string, Entry> entries;
  for (const Document& document : suite.documents) {
    Entry& own = entries[document.file];
    for (const Case& one : document.cases) {
      own.add(one);
      entries[one.file].add(one);
    }
  }
  std::string lines = "suite " + suite.version + '\n';
  for (const auto& [file, entry] : entries) {
    lines += fmt::format("{:<58} {:>6}  {:016x}\n", file, entry.cases, entry.hash.value());
  }
  return lines;
}

}  // namespace reshape::conformance
