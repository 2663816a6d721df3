// The reader of baseline files: any text gives an error that names the file, or usable entries.
#include "conformance/run/baseline.h"

#include <cstdint>
#include <set>
#include <span>
#include <string>

#include "fuzz/targets/memory_file.h"
#include "fuzz/targets/text_finding.h"

namespace reshape::fuzz {

void test(std::span<const std::uint8_t> bytes) {
  static MemoryFile file("baseline");
  about_to_read("baseline");
  if (!file.hold(as_text(bytes))) return;
  const Result<conformance::Baseline> read = conformance::load_baseline(file.path());
  if (!read) {
    if (read.error().message.empty() || !read.error().where.starts_with(file.path())) {
      report_text("baseline", "error", "a sentence and the file", read.error().text());
    }
    return;
  }
  std::set<std::string> ids;
  for (const conformance::KnownFailure& known : read->known) {
    if (known.id.empty() || known.reason.empty() || !ids.insert(known.id).second) {
      report_text("baseline", "entry", "an id of its own and a reason", known.id);
    }
  }
}

}  // namespace reshape::fuzz
