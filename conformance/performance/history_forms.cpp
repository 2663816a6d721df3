#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "conformance/performance/history.h"
#include "conformance/text/printable.h"

// What a history is written as: Otava's CSV and configuration, a page, a table.
namespace reshape::conformance::performance {
namespace {

std::set<std::string> workloads_of(const std::vector<HistoryEntry>& entries) {
  std::set<std::string> names;
  for (const HistoryEntry& entry : entries) {
    for (const auto& [workload, value] : entry.values) names.insert(workload);
  }
  return names;
}

std::string time_text(std::int64_t time) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S} +0000", fmt::gmtime(static_cast<std::time_t>(time)));
}

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) made += c == '"' ? std::string("\"\"") : std::string(1, c);
  return made + "\"";
}

std::string escaped(const std::string& text) {
  std::string made;
  for (const char c : printable_lines(text)) {
    switch (c) {
      case '<': made += "&lt;"; break;
      case '>': made += "&gt;"; break;
      case '&': made += "&amp;"; break;
      case '"': made += "&quot;"; break;
      default: made += c;
    }
  }
  return made;
}

std::string short_commit(const std::string& commit) { return commit.substr(0, 10); }

constexpr double kWidth = 720, kHeight = 120, kMargin = 8;

// One workload as an SVG: a line through the commits in order, a red or green bar at each change.
std::string plot(const std::string& workload, const std::vector<HistoryEntry>& entries,
                 const std::vector<ChangePoint>& changes) {
  double least = 1e300, most = 0;
  for (const HistoryEntry& entry : entries) {
    const auto found = entry.values.find(workload);
    if (found == entry.values.end()) continue;
    least = std::min(least, found->second);
    most = std::max(most, found->second);
  }
  // A span of a tenth at least, so that noise does not look like news.
  const double middle = (least + most) / 2, half = std::max((most - least) / 2, 0.05 * middle);
  const auto x = [&](std::size_t at) {
    return kMargin + (kWidth - 2 * kMargin) * static_cast<double>(at) /
                         static_cast<double>(std::max<std::size_t>(entries.size() - 1, 1));
  };
  const auto y = [&](double value) {
    return kMargin + (kHeight - 2 * kMargin) * (middle + half - value) / (2 * half);
  };
  std::string line, dots, bars;
  for (std::size_t at = 0; at < entries.size(); ++at) {
    for (const ChangePoint& change : changes) {
      if (change.workload != workload || change.commit != entries[at].commit) continue;
      bars += fmt::format(
          "<line class=\"{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"0\" y2=\"{}\"><title>{:+.1f} % "
          "since {}</title></line><text x=\"{:.1f}\" y=\"12\">{:+.1f} %</text>",
          change.percent > 0 ? "slower" : "faster", x(at), x(at), kHeight, change.percent,
          escaped(short_commit(change.commit)), x(at) + 3, change.percent);
    }
    const auto found = entries[at].values.find(workload);
    if (found == entries[at].values.end()) continue;
    line += fmt::format("{:.1f},{:.1f} ", x(at), y(found->second));
    dots += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{} {}: {:.4g}</title></circle>", x(at),
        y(found->second), escaped(short_commit(entries[at].commit)), time_text(entries[at].time),
        found->second);
  }
  return fmt::format(
      "<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">{2}<polyline "
      "points=\"{3}\"/>{4}</svg><span class=\"scale\">{5:.4g} .. {6:.4g}</span>",
      kWidth, kHeight, bars, line, dots, least, most);
}

}  // namespace

std::string history_csv(const std::vector<HistoryEntry>& entries) {
  const std::set<std::string> workloads = workloads_of(entries);
  std::string csv = "time,commit";
  for (const std::string& workload : workloads) csv += "," + quoted(workload);
  csv += '\n';
  for (const HistoryEntry& entry : entries) {
    csv += time_text(entry.time) + "," + quoted(printable(entry.commit));
    for (const std::string& workload : workloads) {
      const auto found = entry.values.find(workload);
      csv += found == entry.values.end() ? "," : fmt::format(",{:.6g}", found->second);
    }
    csv += '\n';
  }
  return csv;
}

std::string otava_config(const std::vector<HistoryEntry>& entries, const std::string& csv_path) {
  using nlohmann::json;  // whose strings are YAML's too
  std::string yaml = "tests:\n  reshape:\n    type: csv\n    file: " + json(csv_path).dump() +
                     "\n    time_column: time\n    attributes: [commit]\n"
                     "    csv_options: {delimiter: \",\", quote_char: '\"'}\n    metrics:\n";
  for (const std::string& workload : workloads_of(entries)) {
    const std::string name = json(workload).dump();
    yaml += "      " + name + ": {column: " + name + ", direction: -1, scale: 1}\n";
  }
  return yaml;
}

Result<std::vector<ChangePoint>> read_change_points(std::string_view text,
                                                    const std::string& where) {
  using nlohmann::json;
  std::vector<ChangePoint> changes;
  try {
    const json tests = json::parse(text);
    for (const auto& [test, points] : tests.items()) {
      for (const json& point : points) {
        for (const json& change : point.at("changes")) {
          const double before = std::stod(change.at("mean_before").get<std::string>());
          const double after = std::stod(change.at("mean_after").get<std::string>());
          changes.push_back({change.at("metric"), point.at("attributes").at("commit"),
                             100 * (after / before - 1)});
        }
      }
    }
  } catch (const std::exception&) {
    return Error{"is not what 'otava analyze --output json' prints", where};
  }
  return changes;
}

std::string history_table(const std::vector<HistoryEntry>& entries,
                          const std::map<std::string, std::string>& units,
                          const std::vector<ChangePoint>& changes) {
  std::string lines = fmt::format("{:<46} {:>8} {:>10} {:>10} {:<13} {:>9}  {}\n", "workload",
                                  "results", "first", "latest", "in", "change", "change points");
  for (const std::string& workload : workloads_of(entries)) {
    std::vector<double> values;
    for (const HistoryEntry& entry : entries) {
      const auto found = entry.values.find(workload);
      if (found != entry.values.end()) values.push_back(found->second);
    }
    std::string found;
    for (const ChangePoint& change : changes) {
      if (change.workload != workload) continue;
      found += fmt::format("{}{:+.1f} % at {}", found.empty() ? "" : ", ", change.percent,
                           printable(short_commit(change.commit)));
    }
    const auto unit = units.find(workload);
    lines += fmt::format("{:<46} {:>8} {:>10.4g} {:>10.4g} {:<13} {:>+7.1f} %  {}\n",
                         printable(workload), values.size(), values.front(), values.back(),
                         unit == units.end() ? "-" : printable(unit->second),
                         100 * (values.back() / values.front() - 1), found.empty() ? "-" : found);
  }
  return lines;
}

std::string history_page(const std::string& machine, const std::vector<HistoryEntry>& entries,
                         const std::map<std::string, std::string>& units,
                         const std::vector<ChangePoint>& changes) {
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">"
      "<title>Reshape performance</title>\n"
      "<style>body{{font:15px system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;"
      "color:#222;background:#fff}}h2{{font-size:1em;margin:1.4em 0 .2em}}"
      "svg{{background:#f6f7f9;border:1px solid #d5d9de;max-width:100%;height:auto}}"
      "polyline{{fill:none;stroke:#2563a8;stroke-width:1.5}}circle{{fill:#2563a8}}"
      ".slower{{stroke:#c22;stroke-width:2}}.faster{{stroke:#18803a;stroke-width:2}}"
      "text,.scale{{font-size:12px;fill:#444;color:#555}}.scale{{display:block}}"
      "pre{{overflow-x:auto;font-size:12px}}</style>\n"
      "<h1>Reshape performance</h1>\n<p>{}</p>\n<p>{} results, {} to {}. Less is better: copies "
      "are counted in the time of the best plain copy of as many bytes, inference and views in "
      "that of a loop that multiplies the sizes. A bar marks the commit from which Apache Otava "
      "finds another mean: red is slower, green is faster.</p>\n",
      escaped(machine), entries.size(),
      entries.empty() ? "-" : escaped(short_commit(entries.front().commit)),
      entries.empty() ? "-" : escaped(short_commit(entries.back().commit)));
  for (const std::string& workload : workloads_of(entries)) {
    const auto unit = units.find(workload);
    page += fmt::format("<h2>{} <small>({})</small></h2>\n{}\n", escaped(workload),
                        unit == units.end() ? "" : escaped(unit->second),
                        plot(workload, entries, changes));
  }
  return page + "<h2>As text</h2>\n<pre>" + escaped(history_table(entries, units, changes)) +
         "</pre>\n</html>\n";
}

}  // namespace reshape::conformance::performance
