#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/performance/result_file.h"

namespace reshape::conformance::performance {

// One result as the history holds it.
struct HistoryEntry {
  std::string commit;
  std::int64_t time = 0;  // of the commit, in seconds since 1970
  std::string machine;
  std::map<std::string, double> values;  // median by workload
};

// Results keyed by commit and machine, in an SQLite file that is append-only: its triggers reject
// changes and deletions.
class History {
 public:
  // Makes the file where there is none, unless `must_exist`. The error names the file.
  static Result<std::unique_ptr<History>> open(const std::string& path, bool must_exist);
  ~History();
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  // Adds all of the result or nothing, and returns the number of workloads. Errors: this commit
  // already has a result on this machine, or the file cannot be written.
  Result<int> add(const std::string& commit, std::int64_t time, const ResultFile& result);

  // The machines, those with most results first.
  Result<std::vector<std::string>> machines();
  // The results of one machine, by the commits' time. For a workload whose unit has changed, only
  // those in its latest unit.
  Result<std::vector<HistoryEntry>> entries(const std::string& machine);
  // Units by workload.
  Result<std::map<std::string, std::string>> units(const std::string& machine);

 private:
  struct State;
  explicit History(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// A change that Otava found: `commit` is the first with the new mean.
struct ChangePoint {
  std::string workload;
  std::string commit;
  double percent = 0;  // of the mean; above 0 is slower
};

// The CSV that Otava reads, one line an entry, and the configuration that tells it how.
std::string history_csv(const std::vector<HistoryEntry>& entries);
std::string otava_config(const std::vector<HistoryEntry>& entries, const std::string& csv_path);

// What `otava analyze reshape --output json` printed.
Result<std::vector<ChangePoint>> read_change_points(std::string_view json,
                                                    const std::string& where);

// A self-contained page: a plot for each workload with its change points, and everything as a text
// table.
std::string history_page(const std::string& machine, const std::vector<HistoryEntry>& entries,
                         const std::map<std::string, std::string>& units,
                         const std::vector<ChangePoint>& changes);
std::string history_table(const std::vector<HistoryEntry>& entries,
                          const std::map<std::string, std::string>& units,
                          const std::vector<ChangePoint>& changes);

}  // namespace reshape::conformance::performance
