// The fast walk through small worlds: the only place besides the adapters that calls a table.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include "conformance/abi/dlpack_types.h"
#include "conformance/adapter/plugin_library.h"
#include "conformance/adapter/thrown.h"
#include "conformance/property/small_worlds.h"
#include "reference/resolve.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {
namespace {

constexpr std::uint64_t kChunk = 2048;  // requests that a job takes at a time
constexpr std::uint32_t kMostKept = 64;
constexpr int kMostJobs = 64;
constexpr int kCapacity = 16;  // more than any answer of a small world needs
constexpr int kCannotLoad = 70;

// Dialects whose rules agree on all requests of a small world: one ruling serves them.
struct Group {
  const Dialect* rules = nullptr;
  std::vector<std::string> names;
  std::unique_ptr<World> world;
};

bool same_rules(const Dialect& a, const Dialect& b) {
  return a.scalar_data == b.scalar_data && a.empty_pattern == b.empty_pattern && a.zero == b.zero &&
         a.flag_missing == b.flag_missing && a.zero_past_rank == b.zero_past_rank &&
         a.literal_zero_with_minus_one == b.literal_zero_with_minus_one &&
         a.minus_one_beside_copied_zero == b.minus_one_beside_copied_zero &&
         a.volume_beyond_int64 == b.volume_beyond_int64;
}

struct Place {
  std::uint32_t group = 0;
  std::uint32_t dialect = 0;  // in the group
  std::uint64_t number = 0;
};

// What a job is at, written by it and read by the runner when it died.
struct Slot {
  std::atomic<std::uint32_t> group{0};
  std::atomic<std::uint32_t> dialect{0};
  std::atomic<std::uint64_t> number{0};
  std::atomic<std::uint64_t> end{0};  // of its chunk; number == end: between chunks
  std::atomic<std::uint64_t> beats{0};
  std::atomic<bool> calling{false};
};

struct Shared {
  std::atomic<std::uint64_t> next{0};  // chunk, counted over all groups
  std::atomic<std::uint64_t> wrong{0};
  std::atomic<std::uint32_t> kept{0};
  Place places[kMostKept];
  Slot slots[kMostJobs];

  void note(const Place& place) {
    ++wrong;
    const std::uint32_t at = kept++;
    if (at < kMostKept) places[at] = place;
  }
};

std::uint64_t chunks(const World& world) { return (world.size() + kChunk - 1) / kChunk; }

DLTensor tensor(ElementType type) {
  DLTensor made{};
  made.device = DLDevice{kDLCPU, 0};
  made.dtype = dl_type_of(type);
  return made;
}

// Calls infer_shape of one library, request by request, without anything in between.
class Walker {
 public:
  Walker(const reshape_plugin& table, const std::vector<Group>& groups, Shared& shared, Slot& slot)
      : table_(table), groups_(groups), shared_(shared), slot_(slot) {}

  void walk() {
    if (slot_.number < slot_.end) finish_chunk();  // what a job before this one left
    while (next_chunk()) finish_chunk();
  }

 private:
  bool next_chunk() {
    std::uint64_t chunk = shared_.next++;
    for (std::uint32_t at = 0; at < groups_.size(); ++at) {
      const World& world = *groups_[at].world;
      if (chunk >= chunks(world)) {
        chunk -= chunks(world);
        continue;
      }
      slot_.group = at;
      slot_.dialect = 0;
      slot_.number = chunk * kChunk;
      slot_.end = std::min(world.size(), (chunk + 1) * kChunk);
      return true;
    }
    return false;
  }

  void finish_chunk() {
    const Group& group = groups_[slot_.group];
    take(group);
    for (; slot_.number < slot_.end; ++slot_.number) {
      const std::uint64_t number = slot_.number;
      set(*group.world, number);
      const Ruling ruling = reference::resolve(*group.rules, question_);
      for (; slot_.dialect < group.names.size(); ++slot_.dialect) {
        const std::uint32_t dialect = slot_.dialect;
        ++slot_.beats;
        if (!answered_rightly(group.names[dialect], ruling)) {
          shared_.note({slot_.group, dialect, number});
        }
      }
      slot_.dialect = 0;
    }
  }

  void take(const Group& group) {
    const World& world = *group.world;
    data_ = tensor(world.data_type());
    pattern_ = tensor(world.pattern_type());
    pattern_.ndim = 1;
    pattern_.shape = &length_;
    question_.data_type = world.data_type();
    question_.pattern.type = world.pattern_type();
    shape_at_ = pattern_at_ = ~std::size_t{0};
  }

  void set(const World& world, std::uint64_t number) {
    if (const std::size_t at = world.shape_of(number); at != shape_at_) {
      shape_at_ = at;
      sizes_ = world.shapes()[at];
      question_.data = Shape(sizes_);
      data_.ndim = static_cast<int>(sizes_.size());
      data_.shape = sizes_.data();
    }
    if (const std::size_t at = world.pattern_of(number); at != pattern_at_) {
      pattern_at_ = at;
      const std::vector<std::int64_t>& values = world.patterns()[at];
      question_.pattern.values.assign(values.begin(), values.end());
      length_ = static_cast<std::int64_t>(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        store_element(world.pattern_type(), bytes_, static_cast<std::int64_t>(i),
                      static_cast<std::uint64_t>(values[i]));
      }
      pattern_.data = bytes_;
    }
    question_.special_zero.reset();
    flag_ = RESHAPE_FLAG_MISSING;
    if (const bool* flag = world.flag_of(number)) {
      question_.special_zero = *flag;
      flag_ = *flag ? RESHAPE_FLAG_TRUE : RESHAPE_FLAG_FALSE;
    }
  }

  bool answered_rightly(const std::string& dialect, const Ruling& ruling) {
    reshape_request request{};
    request.struct_size = sizeof request;
    request.special_zero = flag_;
    request.dialect = dialect.c_str();
    request.data = &data_;
    request.pattern = &pattern_;
    std::fill(std::begin(answer_), std::end(answer_), kPoison);
    reshape_shape shape{kCapacity, -1, answer_};
    int status = RESHAPE_FAILED;
    slot_.calling = true;
    const auto thrown =
        thrown_by([&] { status = static_cast<int>(table_.infer_shape(&request, &shape, &why_)); });
    slot_.calling = false;
    if (thrown) return false;
    if (status == RESHAPE_REJECTED) return ruling.permits_rejecting();
    if (status != RESHAPE_OK || shape.rank < 0 || shape.rank > kCapacity) return false;
    std::vector<std::int64_t> sizes(answer_, answer_ + shape.rank);
    if (std::any_of(sizes.begin(), sizes.end(), [](auto size) { return size < 0; })) return false;
    return ruling.permits(Shape(std::move(sizes)));
  }

  static constexpr std::int64_t kPoison = -0x5a5a5a5a5a5a5a5b;

  const reshape_plugin& table_;
  const std::vector<Group>& groups_;
  Shared& shared_;
  Slot& slot_;
  reference::Question question_;
  std::vector<std::int64_t> sizes_;
  std::size_t shape_at_ = 0;
  std::size_t pattern_at_ = 0;
  DLTensor data_{};
  DLTensor pattern_{};
  std::int64_t length_ = 0;
  alignas(16) std::byte bytes_[128] = {};
  std::int64_t answer_[kCapacity] = {};
  std::int32_t flag_ = 0;
  reshape_message why_{};
};

[[noreturn]] void be_a_job(const std::string& library, const std::vector<Group>& groups,
                           Shared& shared, Slot& slot, pid_t runner) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != runner) _exit(0);
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  const auto loaded = PluginLibrary::load(library);
  if (!loaded) _exit(kCannotLoad);
  Walker((*loaded)->table(), groups, shared, slot).walk();
  _exit(0);
}

// One job, started again after each death until its share is done.
class Job {
 public:
  Job(const WorldOptions& options, const std::vector<Group>& groups, Shared& shared, Slot& slot)
      : options_(options), groups_(groups), shared_(shared), slot_(slot) {}

  void start() {
    const pid_t runner = getpid();
    process_ = fork();
    if (process_ == 0) be_a_job(options_.library, groups_, shared_, slot_, runner);
    if (process_ < 0) stopped_ = "no process could be started";
    beats_ = slot_.beats;
    since_ = std::chrono::steady_clock::now();
  }

  // False when it is done, or gave up.
  bool look() {
    if (process_ <= 0) return false;
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) == process_) {
      process_ = -1;
      if (WIFEXITED(status) && WEXITSTATUS(status) == kCannotLoad) {
        stopped_ = "the library could not be loaded again";
        return false;
      }
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !slot_.calling) return false;
      return carry_on();
    }
    if (slot_.beats != beats_) {
      beats_ = slot_.beats;
      since_ = std::chrono::steady_clock::now();
      return true;
    }
    const std::chrono::duration<double> still = std::chrono::steady_clock::now() - since_;
    if (slot_.calling && still.count() > options_.deadline_seconds) kill(process_, SIGKILL);
    return true;
  }

  const std::string& stopped() const { return stopped_; }

 private:
  // The request at hand killed it: that answer is wrong, and the next one is asked in a new process.
  bool carry_on() {
    if (++deaths_ > options_.most_deaths) {
      stopped_ = "a job died " + std::to_string(deaths_) + " times";
      return false;
    }
    if (slot_.calling) {
      shared_.note({slot_.group, slot_.dialect, slot_.number});
      slot_.calling = false;
      if (++slot_.dialect >= groups_[slot_.group].names.size()) {
        slot_.dialect = 0;
        ++slot_.number;
      }
    }
    start();
    return process_ > 0;
  }

  const WorldOptions& options_;
  const std::vector<Group>& groups_;
  Shared& shared_;
  Slot& slot_;
  pid_t process_ = -1;
  int deaths_ = 0;
  std::uint64_t beats_ = 0;
  std::chrono::steady_clock::time_point since_;
  std::string stopped_;
};

std::vector<Group> groups_of(const Suite& suite, const std::vector<std::string>& dialects,
                             const Capabilities& capabilities, const WorldBound& bound) {
  std::vector<Group> groups;
  for (const std::string& name : dialects) {
    const Dialect& rules = suite.document(name)->dialect;
    auto world = std::make_unique<World>(bound, rules, capabilities);
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      // The types are ones that both dialects know, so they decide nothing; their range may.
      return same_rules(*group.rules, rules) && group.world->size() == world->size() &&
             group.world->data_type() == world->data_type() &&
             group.world->pattern_type() == world->pattern_type();
    });
    if (known != groups.end()) {
      known->names.push_back(name);
    } else {
      groups.push_back({&rules, {name}, std::move(world)});
    }
  }
  return groups;
}

}  // namespace

WorldAsked ask_small_world(const Suite& suite, const std::vector<std::string>& dialects,
                           const Capabilities& capabilities, const WorldOptions& options) {
  WorldAsked asked;
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
  std::vector<Job> jobs;
  for (int at = 0; at < std::clamp(options.jobs, 1, kMostJobs); ++at) {
    jobs.emplace_back(options, groups, shared, shared.slots[at]);
    jobs.back().start();
  }
  for (bool some = true; some;) {
    some = false;
    for (Job& job : jobs) some = job.look() || some;
    if (some) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  asked.counts.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  for (const Job& job : jobs) {
    if (asked.counts.stopped.empty()) asked.counts.stopped = job.stopped();
  }
  for (const Slot& slot : shared.slots) asked.counts.requests += slot.beats;
  std::uint64_t planned = 0;
  for (const Group& group : groups) {
    planned += group.world->size() * group.names.size();
    for (const std::string& name : group.names) asked.counts.asked[name] = group.world->size();
  }
  // No request is left out in silence.
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
    one.request = group.world->request(place.number);
    one.request.dialect = group.names[place.dialect];
    one.id = "exhaustive/" + one.request.dialect + "/" + std::to_string(place.number);
    one.source = {"derived", "every small shape", ""};
    one.expect = reference::resolve(*group.rules, {one.request.data_type, one.request.data,
                                                   one.request.pattern, one.request.special_zero});
    one.clauses = {one.expect.kind == Ruling::Kind::produces ? "output.shape" : one.expect.clause};
  }
  munmap(page, sizeof(Shared));
  return asked;
}

}  // namespace reshape::conformance
