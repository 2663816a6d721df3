#include "conformance/spec/read_suite.h"

#include <algorithm>
#include <map>
#include <utility>

#include "conformance/spec/check_case.h"
#include "conformance/spec/express_case.h"
#include "conformance/spec/load.h"
#include "reference/tensor/declared_dialects.h"

namespace reshape::conformance {
namespace {

std::vector<Dialect> dialects_of(const Suite& suite) {
  std::vector<Dialect> dialects;
  for (const Document& document : suite.documents) dialects.push_back(document.dialect);
  return dialects;
}

void conflict(Error problem, SuiteReading& reading) {
  reading.conflicts.push_back(problem);
  reading.problems.push_back(std::move(problem));
}

// Checks what needs all files of a suite: names that are used twice and the like.
void check_written(const std::string& folder, SuiteReading& reading) {
  std::map<std::string, const WrittenCase*> names;
  for (const WrittenCase& one : reading.written) {
    const std::string& dialect = one.request.dialect;
    // Cases for one document alone may share a name with those for another.
    const auto [first, fresh] = names.emplace(dialect + ' ' + one.name, &one);
    if (!fresh) {
      const bool same = one.file == first->second->file && one.line == first->second->line;
      conflict({shortened("the id " + one.name) +
                    (same ? " is made twice by this case"
                          : " is taken: " + place_of(*first->second, folder)),
                place_of(one, folder)},
               reading);
    }
    if (!dialect.empty() && reading.suite.document(dialect) == nullptr) {
      reading.problems.push_back(
          {shortened(one.name + ": unknown dialect " + dialect), place_of(one, folder)});
    }
  }
}

}  // namespace

std::vector<WrittenCase> read_written_cases(std::span<const SpecFile> files,
                                            const std::string& folder, const KnownNames& known,
                                            std::span<const Dialect> dialects,
                                            std::vector<Error>& problems) {
  std::vector<WrittenCase> written;
  std::size_t room = kMostExpanded;
  for (const SpecFile& file : files) {
    if (!is_in(file, "cases") && !is_in(file, "regressions")) continue;
    const std::optional<YamlNode> root = tree_of(file, folder, problems);
    if (!root) continue;
    Problems mine(problems, folder + '/' + file.path);
    std::vector<WrittenCase> more = read_cases(*root, file.path, known, dialects, room, mine);
    std::move(more.begin(), more.end(), std::back_inserter(written));
    if (room == 0) break;
  }
  return written;
}

SuiteReading read_suite(std::span<const SpecFile> files, const std::string& folder,
                        std::size_t most_cases) {
  DocumentsReading documents = read_documents(files, folder);
  SuiteReading reading{std::move(documents.suite), {}, std::move(documents.problems)};
  reading.written = read_written_cases(files, folder, documents.known, dialects_of(reading.suite),
                                       reading.problems);
  check_written(folder, reading);
  std::size_t left = most_cases;
  for (Document& document : reading.suite.documents) {
    std::vector<Case> cases =
        cases_of(reading.written, document, [&](const WrittenCase& one, const WrittenCase& first) {
          if (one.name == first.name) return;  // their common id is told already
          conflict({shortened(one.name + " asks the same as " + first.name) + " (" +
                        place_of(first, folder) + ')',
                    place_of(one, folder)},
                   reading);
        });
    if (cases.size() > left) {
      reading.problems.push_back({"with this case the documents have more than " +
                                      std::to_string(most_cases) + " cases together",
                                  place_of(cases[left], folder)});
      // A part of them would be blamed for what the others ask.
      for (Document& other : reading.suite.documents) other.cases = {};
      reading.written.clear();
      return reading;
    }
    left -= cases.size();
    for (const Case& one : cases) {
      for (const std::string& problem : problems_of(one, document)) {
        reading.problems.push_back({shortened(one.id + ": " + problem), place_of(one, folder)});
      }
    }
    document.cases = std::move(cases);
  }
  return reading;
}

Result<Suite> load_suite(const std::string& folder) {
  const Result<std::vector<SpecFile>> files = read_spec_files(folder);
  if (!files) return files.error();
  SuiteReading reading = read_suite(*files, folder);
  if (!reading.problems.empty()) return reading.problems.front();
  declare_dialects(dialects_of(reading.suite));
  return std::move(reading.suite);
}

}  // namespace reshape::conformance
