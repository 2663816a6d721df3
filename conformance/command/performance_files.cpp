#include "conformance/command/performance_files.h"

#include "conformance/command/read_ratios.h"
#include "conformance/files/plain_text.h"
#include "conformance/report/evidence.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kLargestResult = std::size_t{64} << 20;  // bytes

Result<std::size_t> place_of(const Performance& performance, const std::string& file,
                             const std::vector<std::string>& libraries) {
  for (std::size_t at = 0; at < libraries.size(); ++at) {
    const std::string digest = library_digest(libraries[at]);
    if (digest != performance.digest) continue;
    if (!digest.empty() || libraries[at] == performance.library) return at;
  }
  const std::string measured = printable(performance.library);
  if (performance.digest.empty()) {
    return Error{"has no SHA-256 of '" + measured +
                     "', and this run asks nothing of that name: a result of an older program is "
                     "to be measured again",
                 file};
  }
  return Error{"is of another library, or of another version of it: '" + measured +
                   "' was measured with the SHA-256 " + printable(performance.digest.substr(0, 64)),
               file};
}

}  // namespace

Result<std::vector<PerformanceOf>> read_performance(const std::vector<std::string>& files,
                                                    const std::vector<std::string>& libraries) {
  std::vector<PerformanceOf> made;
  for (const std::string& file : files) {
    const Result<std::string> text = read_text(file, kLargestResult);
    if (!text) return text.error();
    Result<Performance> performance = read_ratios(*text, file);
    if (!performance) return performance.error();
    const Result<std::size_t> place = place_of(*performance, file, libraries);
    if (!place) return place.error();
    made.push_back({*place, std::move(*performance)});
  }
  return made;
}

}  // namespace reshape::conformance
