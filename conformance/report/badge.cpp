// A badge for a README with the run's counts, in the style of shields.io.
#include <fmt/format.h>

#include <string_view>

#include "conformance/report/evidence.h"

namespace reshape::conformance {
namespace {

constexpr const char* kLabel = "reshape-conformance";
constexpr int kLetter = 7;  // pixels; slightly more than the average width of a letter at 11 px
constexpr int kMargin = 6;  // pixels at both sides of the words

struct Says {
  std::string words;
  const char* colour;
};

// White text on these colours has a contrast of at least 4.5.
Says says(Runs runs) {
  int pass = 0;
  int fail = 0;
  bool conforming = !runs.empty();
  bool asserted = !runs.empty();
  for (const Report& run : runs) {
    if (run.library_changed) return {"not judged", "#5f6368"};
    const Tally all = tallies(run).all;
    pass += all.pass;
    fail += all.fail - all.known;
    conforming = conforming && run.conforming();
    asserted = asserted && run.executed() && run.complete();
  }
  if (fail > 0) return {fmt::format("{} fail", fail), "#b3261e"};
  if (!conforming) return {"does not conform", "#b3261e"};
  if (!asserted) return {"nothing asserted", "#5f6368"};
  return {fmt::format("{} pass", pass), "#1b7837"};
}

}  // namespace

std::string badge_report(Runs runs) {
  const Says right = says(runs);
  const int left_width = static_cast<int>(std::string_view(kLabel).size()) * kLetter + 2 * kMargin;
  const int right_width = static_cast<int>(right.words.size()) * kLetter + 2 * kMargin;
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="20" role="img" aria-label="{1}: {2}">
<title>{1}: {2}</title>
<rect width="{3}" height="20" fill="#444"/>
<rect x="{3}" width="{4}" height="20" fill="{5}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="{6}" y="14">{1}</text>
<text x="{7}" y="14">{2}</text>
</g>
</svg>
)",
      left_width + right_width, kLabel, right.words, left_width, right_width, right.colour,
      left_width / 2, left_width + right_width / 2);
}

ReportForm badge_form() {
  return {"badge", "an SVG for a README: how many cases pass", badge_report};
}

}  // namespace reshape::conformance
