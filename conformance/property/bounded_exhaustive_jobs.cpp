// The processes that walk through the requests within a bound.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/adapter/process/host_exit.h"
#include "conformance/adapter/process/patience.h"
#include "conformance/adapter/process/process_tree.h"
#include "conformance/adapter/process/signal_name.h"
#include "conformance/adapter/process/supervisor.h"
#include "conformance/adapter/process/time_to_answer.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/property/bounded_exhaustive_walk.h"
#include "reference/tensor/dialect_questions.h"

namespace reshape::conformance {
namespace {

constexpr int kCannotLoad = 70, kNotStarted = 71;
constexpr const char* kNoProcess = "no process could be started";

bool same_rules(const Dialect& a, const Dialect& b) {
  const std::span<const DialectQuestion> questions = dialect_questions();
  return std::all_of(questions.begin(), questions.end(), [&](const DialectQuestion& question) {
    return question.key == "pattern_given_as" || question.key == "pattern_not_one_dimensional" ||
           question.get(a) == question.get(b);
  });
}

// A pipe that nobody writes to: the supervisors of all jobs see end of file when the runner is
// gone.
class Leash {
 public:
  Leash() {
    if (pipe2(ends_, O_CLOEXEC) != 0) ends_[0] = ends_[1] = -1;
  }
  ~Leash() {
    for (const int end : ends_) close(end);
  }
  Leash(const Leash&) = delete;
  Leash& operator=(const Leash&) = delete;

  // In a job: keeps the end to watch, and closes every other file of the runner. A kept connection
  // would hold a host alive.
  int taken() const {
    constexpr int kEnd = STDERR_FILENO + 1;
    if (ends_[0] != kEnd) dup2(ends_[0], kEnd);
    closefrom(kEnd + 1);
    return kEnd;
  }

 private:
  int ends_[2];
};

[[noreturn]] void be_a_job(const std::string& library, const std::vector<Group>& groups,
                           Shared& shared, Slot& slot, Leash& leash) {
  // A group of its own, so that a signal to the runner's group does not end the supervisor first.
  setpgid(0, 0);
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  limit_resources();
  if (!fork_supervised(leash.taken(), Files::kept)) _exit(kNotStarted);
  const auto loaded = PluginLibrary::load(library);
  if (!loaded) _exit(kCannotLoad);
  walk((*loaded)->table(), groups, shared, slot);
  _exit(0);
}

// One job, started again after each death until its share is done.
class Job {
 public:
  Job(const ExhaustiveOptions& options, const std::vector<Group>& groups, Shared& shared,
      Slot& slot, Leash& leash)
      : options_(options), groups_(groups), shared_(shared), slot_(slot), leash_(leash) {}

  void start() {
    process_ = fork();
    if (process_ == 0) be_a_job(options_.library, groups_, shared_, slot_, leash_);
    if (process_ < 0) stopped_ = kNoProcess;
    calls_again();
  }

  // Looks after the job; false when it is done or gave up.
  bool look() {
    if (process_ <= 0) return false;
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) == process_) {
      process_ = -1;
      if (WIFEXITED(status) && WEXITSTATUS(status) == kCannotLoad) {
        stopped_ = "the library could not be loaded again";
        return false;
      }
      if (WIFEXITED(status) && WEXITSTATUS(status) == kNotStarted) {
        stopped_ = kNoProcess;
        return false;
      }
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !slot_.calling) return false;
      return carry_on(status);
    }
    if (slot_.beats != beats_ || !slot_.calling) {
      calls_again();
      return true;
    }
    if (time_.is_over([this] { return thread_times_below(process_); })) end_job();
    return true;
  }

  // Ends the job before it is done.
  void give_up() {
    if (process_ <= 0) return;
    end_job();
    waitpid(process_, nullptr, 0);
    process_ = -1;
  }

  const std::string& stopped() const { return stopped_; }

 private:
  // Ends the process and everything that it started.
  void end_job() const {
    end_descendants(process_);
    kill(process_, SIGKILL);
  }

  void calls_again() {
    beats_ = slot_.beats;
    time_ = lenient_time(options_.deadline_seconds);
  }

  // The request at hand killed it: that answer is wrong, and the next one is asked in a new
  // process.
  bool carry_on(int status) {
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (signal == too_many_processes() || signal == too_many_threads()) {
      stopped_ = "a job " + death_by(signal);
    } else if (++deaths_ > options_.most_deaths) {
      stopped_ = "a job died " + std::to_string(deaths_) + " times";
    }
    if (slot_.calling) {
      shared_.note({slot_.group, slot_.dialect, slot_.number});
      slot_.calling = false;
      if (++slot_.dialect >= groups_[slot_.group].names.size()) {
        slot_.dialect = 0;
        ++slot_.number;
      }
    }
    if (!stopped_.empty()) return false;
    start();
    return process_ > 0;
  }

  const ExhaustiveOptions& options_;
  const std::vector<Group>& groups_;
  Shared& shared_;
  Slot& slot_;
  Leash& leash_;
  pid_t process_ = -1;
  int deaths_ = 0;
  std::uint64_t beats_ = 0;
  TimeToAnswer time_ = lenient_time(0);
  std::string stopped_;
};

std::vector<Group> groups_of(const Suite& suite, const std::vector<std::string>& dialects,
                             const Capabilities& capabilities, const ExhaustiveBound& bound) {
  std::vector<Group> groups;
  for (const std::string& name : dialects) {
    const Dialect& rules = suite.document(name)->dialect;
    auto bounded = std::make_unique<BoundedRequests>(bound, rules, capabilities);
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      // Both dialects know the types in use, so only the range of the pattern's type matters.
      return same_rules(*group.rules, rules) && group.bounded->size() == bounded->size() &&
             group.bounded->data_type() == bounded->data_type() &&
             group.bounded->pattern_type() == bounded->pattern_type();
    });
    if (known != groups.end()) {
      known->names.push_back(name);
    } else {
      groups.push_back({&rules, {name}, std::move(bounded)});
    }
  }
  return groups;
}

}  // namespace

ExhaustiveRun ask_exhaustively(const Suite& suite, const std::vector<std::string>& dialects,
                               const Capabilities& capabilities, const ExhaustiveOptions& options) {
  ExhaustiveRun asked;
  asked.counts.bound = text(options.bound);
  const std::vector<Group> groups = groups_of(suite, dialects, capabilities, options.bound);
  void* page =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) {
    asked.counts.stopped = "no memory could be shared";
    return asked;
  }
  Shared& shared = *new (page) Shared;
  const auto began = std::chrono::steady_clock::now();
  Leash leash;
  std::vector<Job> jobs;
  for (int at = 0; at < std::clamp(options.jobs, 1, kMostJobs); ++at) {
    jobs.emplace_back(options, groups, shared, shared.slots[at], leash);
    jobs.back().start();
  }
  for (bool some = true; some;) {
    some = false;
    for (Job& job : jobs) some = job.look() || some;
    if (const auto why = some && options.stop ? options.stop() : std::nullopt) {
      for (Job& job : jobs) job.give_up();
      asked.counts.stopped = *why;
      break;
    }
    if (some) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  asked.counts.seconds = elapsed_seconds(began);
  for (const Job& job : jobs) {
    if (asked.counts.stopped.empty()) asked.counts.stopped = job.stopped();
  }
  for (const Slot& slot : shared.slots) asked.counts.requests += slot.beats;
  std::uint64_t planned = 0;
  for (const Group& group : groups) {
    planned += group.bounded->size() * group.names.size();
    for (const std::string& name : group.names) asked.counts.asked[name] = group.bounded->size();
  }
  // A missing request must not go unnoticed.
  if (asked.counts.stopped.empty() && asked.counts.requests != planned) {
    asked.counts.stopped = std::to_string(asked.counts.requests) + " of " +
                           std::to_string(planned) + " requests were asked";
  }
  asked.counts.faults = shared.wrong;
  const std::size_t kept =
      std::min({static_cast<std::size_t>(shared.kept), std::size_t{kMostKept}, options.most_wrong});
  for (std::size_t at = 0; at < kept; ++at) {
    const Place& place = shared.places[at];
    const Group& group = groups[place.group];
    Case& one = asked.wrong.emplace_back();
    one.request = group.bounded->request(place.number);
    one.request.dialect = group.names[place.dialect];
    one.id = "exhaustive/" + one.request.dialect + "/" + std::to_string(place.number);
    one.source = {"derived", "every small shape", ""};
    one.expect = ruling_of(*group.rules, one.request);
    one.clauses = {one.expect.kind == Ruling::Kind::produces ? "output.shape" : one.expect.clause};
  }
  munmap(page, sizeof(Shared));
  return asked;
}

}  // namespace reshape::conformance
