#include "conformance/performance/history.h"

#include <sqlite3.h>

#include <filesystem>

#include "conformance/performance/statistics.h"

namespace reshape::conformance::performance {
namespace {

constexpr int kPatienceMilliseconds = 5000;

// The triggers make the file append-only for every program.
constexpr const char* kSchema = R"sql(
CREATE TABLE IF NOT EXISTS result (
  id INTEGER PRIMARY KEY, commit_id TEXT NOT NULL, commit_time INTEGER NOT NULL,
  machine TEXT NOT NULL, library TEXT NOT NULL, UNIQUE (commit_id, machine));
CREATE TABLE IF NOT EXISTS figure (
  result INTEGER NOT NULL REFERENCES result (id), workload TEXT NOT NULL, unit TEXT NOT NULL,
  value REAL NOT NULL, repetitions INTEGER NOT NULL, UNIQUE (result, workload));
CREATE TRIGGER IF NOT EXISTS result_stays BEFORE UPDATE ON result
  BEGIN SELECT RAISE(ABORT, 'a history is only added to'); END;
CREATE TRIGGER IF NOT EXISTS result_is_kept BEFORE DELETE ON result
  BEGIN SELECT RAISE(ABORT, 'a history is only added to'); END;
CREATE TRIGGER IF NOT EXISTS figure_stays BEFORE UPDATE ON figure
  BEGIN SELECT RAISE(ABORT, 'a history is only added to'); END;
CREATE TRIGGER IF NOT EXISTS figure_is_kept BEFORE DELETE ON figure
  BEGIN SELECT RAISE(ABORT, 'a history is only added to'); END;
)sql";

// Only figures in the unit of a workload's latest one: others would look like a change of the
// library.
const std::string kLatestUnit =
    " AND unit = (SELECT latest.unit FROM figure AS latest JOIN result AS of ON latest.result = "
    "of.id WHERE of.machine = result.machine AND latest.workload = figure.workload ORDER BY "
    "of.commit_time DESC, of.id DESC LIMIT 1)";

std::string column(sqlite3_stmt* row, int at) {
  const unsigned char* text = sqlite3_column_text(row, at);
  return text == nullptr ? std::string() : reinterpret_cast<const char*>(text);
}

void bind(sqlite3_stmt* statement, int at, const std::string& text) {
  sqlite3_bind_text(statement, at, text.c_str(), -1, SQLITE_TRANSIENT);
}
void bind(sqlite3_stmt* statement, int at, std::int64_t number) {
  sqlite3_bind_int64(statement, at, number);
}
void bind(sqlite3_stmt* statement, int at, double number) {
  sqlite3_bind_double(statement, at, number);
}

}  // namespace

struct History::State {
  sqlite3* file = nullptr;
  std::string path;
  ~State() { sqlite3_close(file); }
  Error error() const { return {sqlite3_errmsg(file), path}; }
  bool run(const char* sql) {
    return sqlite3_exec(file, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
  }

  // One prepared statement, with the values of its "?"; `each` is called for every row.
  template <typename Each, typename... Values>
  bool ask(const std::string& sql, const Each& each, const Values&... values) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(file, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) return false;
    int at = 0;
    (bind(statement, ++at, values), ...);
    int step = SQLITE_ROW;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) each(statement);
    sqlite3_finalize(statement);
    return step == SQLITE_DONE;
  }
};

History::History(std::unique_ptr<State> state) : state_(std::move(state)) {}
History::~History() = default;

Result<std::unique_ptr<History>> History::open(const std::string& path, bool must_exist) {
  // What SQLite takes for a database in memory, or another one.
  if (path.empty() || path.starts_with(':') || path.ends_with('/')) {
    return Error{"a history is a file, and its name begins with no ':' and ends with no '/'", path};
  }
  std::error_code wrong;
  const bool was_there = std::filesystem::exists(path, wrong);
  if (wrong) return Error{wrong.message(), path};
  if (must_exist && !was_there) return Error{"there is no such history", path};
  auto state = std::make_unique<State>();
  state->path = path;
  // Writable for a reader, too: what a killed writer left has to be rolled back.
  const int how = SQLITE_OPEN_READWRITE | (must_exist ? 0 : SQLITE_OPEN_CREATE);
  if (sqlite3_open_v2(path.c_str(), &state->file, how, nullptr) != SQLITE_OK) return state->error();
  sqlite3_busy_timeout(state->file, kPatienceMilliseconds);
  bool is_empty = true;
  const bool is_read = state->ask("SELECT name FROM sqlite_master LIMIT 1",
                                  [&](sqlite3_stmt*) { is_empty = false; });
  if (!is_read) return state->error();
  // Neither who reads nor who adds must make a history of what another program keeps.
  if (must_exist || !is_empty) {
    if (state->run("SELECT commit_id, machine FROM result LIMIT 1") &&
        state->run("SELECT value, unit FROM figure LIMIT 1")) {
      return std::unique_ptr<History>(new History(std::move(state)));
    }
    const bool is_database = sqlite3_errcode(state->file) == SQLITE_ERROR;  // without such a table
    return is_database ? Error{"is no history: it holds no results", path} : state->error();
  }
  // All at once: another program may add to the same file.
  if (!state->run("BEGIN IMMEDIATE") || !state->run(kSchema) || !state->run("COMMIT")) {
    Error error = state->error();
    // A full disk leaves an empty file, which the next command would take for a history.
    if (!was_there) std::filesystem::remove(path, wrong);
    return error;
  }
  return std::unique_ptr<History>(new History(std::move(state)));
}

Result<int> History::add(const std::string& commit, std::int64_t time, const ResultFile& result) {
  if (!state_->run("BEGIN IMMEDIATE")) return state_->error();
  const auto failed = [&] {
    Error error = state_->error();
    if (sqlite3_extended_errcode(state_->file) == SQLITE_CONSTRAINT_UNIQUE) {
      error.message = "commit " + commit + " has a result on this machine already";
    }
    state_->run("ROLLBACK");
    return error;
  };
  const auto none = [](sqlite3_stmt*) {};
  if (!state_->ask(
          "INSERT INTO result (commit_id, commit_time, machine, library) VALUES (?, ?, ?, ?)", none,
          commit, time, result.machine, result.library)) {
    return failed();
  }
  const std::int64_t id = sqlite3_last_insert_rowid(state_->file);
  for (const auto& [workload, figure] : result.figures) {
    const bool added = state_->ask(
        "INSERT INTO figure (result, workload, unit, value, repetitions) VALUES (?, ?, ?, ?, ?)",
        none, id, workload, figure.unit, median(figure.values), std::ssize(figure.values));
    if (!added) return failed();
  }
  if (!state_->run("COMMIT")) return failed();
  return static_cast<int>(result.figures.size());
}

Result<std::vector<std::string>> History::machines() {
  std::vector<std::string> found;
  if (!state_->ask("SELECT machine FROM result GROUP BY machine ORDER BY COUNT(*) DESC, machine",
                   [&](sqlite3_stmt* row) { found.push_back(column(row, 0)); })) {
    return state_->error();
  }
  return found;
}

Result<std::vector<HistoryEntry>> History::entries(const std::string& machine) {
  std::vector<HistoryEntry> found;
  sqlite3_int64 last = -1;
  if (!state_->ask(
          "SELECT result.id, commit_id, commit_time, workload, value FROM result JOIN figure ON "
          "figure.result = result.id WHERE machine = ?" +
              kLatestUnit + " ORDER BY commit_time, result.id, workload",
          [&](sqlite3_stmt* row) {
            if (sqlite3_column_int64(row, 0) != last) {
              last = sqlite3_column_int64(row, 0);
              found.push_back({column(row, 1), sqlite3_column_int64(row, 2), machine, {}});
            }
            found.back().values[column(row, 3)] = sqlite3_column_double(row, 4);
          },
          machine)) {
    return state_->error();
  }
  return found;
}

Result<std::map<std::string, std::string>> History::units(const std::string& machine) {
  std::map<std::string, std::string> found;
  if (!state_->ask(
          "SELECT DISTINCT workload, unit FROM figure JOIN result ON result.id = figure.result "
          "WHERE machine = ?" +
              kLatestUnit,
          [&](sqlite3_stmt* row) { found[column(row, 0)] = column(row, 1); }, machine)) {
    return state_->error();
  }
  return found;
}

}  // namespace reshape::conformance::performance
