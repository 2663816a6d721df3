#include "conformance/spec/digest.h"

#include <cstdint>
#include <cstdio>
#include <map>

#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

struct Entry {
  std::size_t cases = 0;
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a

  void add(const Case& one) {
    ++cases;
    take(one.id);
    take(print_line(one.request));
    take(text(one.expect));
    for (const std::string& clause : one.clauses) take(clause);
    take(one.once ? "once" : "");
  }

  void take(const std::string& word) {
    for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    hash = (hash ^ 0xff) * 0x100000001b3u;  // no text holds this byte
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
    char line[160];
    std::snprintf(line, sizeof line, "%-58s %6zu  %016llx\n", file.c_str(), entry.cases,
                  static_cast<unsigned long long>(entry.hash));
    lines += line;
  }
  return lines;
}

}  // namespace reshape::conformance
