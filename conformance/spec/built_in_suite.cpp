#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "conformance/spec/embedded_specs.h"
#include "conformance/spec/express_case.h"
#include "conformance/spec/load.h"
#include "conformance/spec/read_suite.h"

namespace reshape::conformance {
namespace {

// The files that the build embedded. Read like any folder, and lazily: the documents at once, the
// cases when those of a document are first accessed.
struct BuiltIn {
  std::vector<SpecFile> files;
  KnownNames known;
  std::once_flag read;
  std::vector<WrittenCase> written;

  const std::vector<WrittenCase>& cases() {
    std::call_once(read, [this] {
      std::vector<Error> problems;
      written = read_written_cases(files, "specs", known, {}, problems);
      refuse(problems);
    });
    return written;
  }

  // Ends the program: without a valid suite it cannot continue.
  static void refuse(const std::vector<Error>& problems) {
    if (problems.empty()) return;
    std::fprintf(stderr, "the suite that was built in has a mistake: %s\n",
                 problems.front().text().c_str());
    std::abort();
  }
};

Suite make_suite() {
  static BuiltIn built_in;
  for (const EmbeddedSpec& spec : kEmbeddedSpecs) {
    built_in.files.push_back({spec.path, spec.text()});
  }
  DocumentsReading reading = read_documents(built_in.files, "specs");
  BuiltIn::refuse(reading.problems);
  built_in.known = std::move(reading.known);
  for (Document& document : reading.suite.documents) {
    // The document without its cases: all that making them needs.
    document.cases = CaseList([owner = std::make_shared<Document>(document)] {
      return cases_of(built_in.cases(), *owner);
    });
  }
  return std::move(reading.suite);
}

}  // namespace

const Suite& built_in_suite() {
  static const Suite suite = make_suite();
  return suite;
}

}  // namespace reshape::conformance
