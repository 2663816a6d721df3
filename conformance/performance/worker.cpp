#include "conformance/performance/worker.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define RESHAPE_TELLS_CALLGRIND true
#else
#define RESHAPE_TELLS_CALLGRIND false
#define CALLGRIND_ZERO_STATS static_cast<void>(0)
#define CALLGRIND_DUMP_STATS static_cast<void>(0)
#endif

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/adapter/process/own_folder.h"
#include "conformance/adapter/process/supervisor.h"
#include "conformance/performance/crew.h"
#include "conformance/performance/measured_call.h"
#include "conformance/performance/turn.h"
#include "conformance/performance/worker_commands.h"
#include "conformance/performance/yardsticks.h"

extern char** environ;

namespace reshape::conformance::performance {
namespace {

constexpr double kWarmSeconds = 0.0005;
// Bytes; larger outputs do not stay in the caches, so no warm-up helps.
constexpr std::int64_t kCached = 32 << 20;
constexpr std::int64_t kLoops = 16;

// The counters of a library that is preloaded where allocations are to be counted.
struct AllocationCounters {
  using Read = void (*)(std::int64_t* calls, std::int64_t* bytes);
  Read read = reinterpret_cast<Read>(dlsym(RTLD_DEFAULT, "reshape_allocations"));
  std::int64_t calls = 0, bytes = 0;
  void take() {
    if (read != nullptr) read(&calls, &bytes);
  }
};

class Worker {
 public:
  Worker(const reshape_plugin& table, std::int64_t alignment, double slowed)
      : table_(table), alignment_(alignment), slowed_(slowed) {}

  Answer answer(const WorkerCommand& command) {
    if (command.what == WorkerCommand::Do::prepare) return prepare(command);
    if (calls_.empty()) return {.why = "nothing is prepared"};
    switch (command.what) {
      case WorkerCommand::Do::turn: return turn(command);
      case WorkerCommand::Do::yardsticks: return yardsticks(command);
      case WorkerCommand::Do::count: return count(command);
      case WorkerCommand::Do::load:
      case WorkerCommand::Do::prepare: break;
    }
    return {.why = "an unknown command"};
  }

 private:
  static Answer wrong() {
    return {.why = "the answer is wrong, or nothing was done", .wrong = true};
  }

  Answer prepare(const WorkerCommand& command) {
    calls_.clear();
    source_.reset();
    workload_ = command.workload;
    thorough_ = command.thorough;
    bytes_ = output_bytes(command.workload);
    for (int caller = 0; caller < std::max(workload_.callers, 1); ++caller) {
      Result<std::unique_ptr<MeasuredCall>> made = MeasuredCall::prepare(
          table_, alignment_, workload_, command.seed + static_cast<std::uint64_t>(caller));
      if (!made) {
        calls_.clear();
        return {.why = made.error().text(),
                .wrong = made.error().message.find("wrong") != std::string::npos};
      }
      calls_.push_back(std::move(*made));
    }
    callers_ = std::make_unique<Crew>(workload_.callers);
    copiers_ = std::make_unique<Crew>(workload_.threads);
    if (thorough_ && !right_everywhere()) return wrong();
    // Warms up and estimates the time of a call: the minimum over blocks of doubled sizes.
    Answer answer;
    const double begin = steady_seconds();
    for (std::int64_t calls = 1; steady_seconds() - begin < kWarmSeconds; calls *= 2) {
      const std::vector<double> once = time_blocks({calls, 1, 0}, timed());
      if (once.empty()) return wrong();
      if (answer.seconds == 0 || once[0] < answer.seconds) answer.seconds = once[0];
    }
    if (answer.seconds == 0) answer.seconds = steady_seconds() - begin;
    return answer;
  }

  Timed timed() {
    return {[this](std::int64_t calls) {
              callers_->run([&](int caller) {
                MeasuredCall& call = *calls_[static_cast<std::size_t>(caller)];
                for (std::int64_t i = 0; i < calls; ++i) call.run();
              });
            },
            [this] {
              for (const auto& call : calls_) call->spoil();
            },
            [this] {
              return std::ranges::all_of(calls_,
                                         [](const auto& call) { return call->still_right(); });
            }};
  }

  bool right_everywhere() const {
    return std::ranges::all_of(calls_, [](const auto& call) { return call->right_everywhere(); });
  }

  Answer turn(const WorkerCommand& command) {
    Answer answer;
    // One call to refill the caches, which the previous arm has used.
    if (bytes_ < kCached) timed().run(1);
    answer.blocks = time_blocks({command.calls, command.blocks, slowed_}, timed());
    if (answer.blocks.empty()) return wrong();
    // Every element is compared once, after a timed block; spoiled places are checked after every
    // block.
    if (thorough_ && !right_everywhere()) return wrong();
    thorough_ = false;
    return answer;
  }

  Answer yardsticks(const WorkerCommand& command) {
    if (workload_.call == Call::execute) return copies(command);
    ProductLoop loop(workload_.request);
    const Timed timed{[&](std::int64_t calls) {
      for (std::int64_t i = 0; i < calls; ++i) loop.run();
    }};
    timed.run(command.calls);
    Answer answer;
    // It takes only a few nanoseconds, so more of them are timed together.
    answer.yardsticks[kProductLoop] =
        time_blocks({kLoops * command.calls, command.blocks, 0}, timed);
    return answer;
  }

  Answer copies(const WorkerCommand& command) {
    Answer answer;
    const auto bytes = static_cast<std::size_t>(bytes_);
    MeasuredCall& call = *calls_.front();
    // A broadcast's data is too small as the source of a plain copy of as many bytes.
    if (bytes > call.data().bytes() && !source_) {
      source_ = std::make_unique<PlacedMemory>(bytes, 64);
      if (source_->data() == nullptr) return {.why = "there is no memory for it"};
      std::memset(source_->data(), 1, bytes);
    }
    const std::byte* from = source_ ? source_->data() : call.data().data();
    std::byte* to = call.output().data();
    const auto time = [&](const std::string& name, const std::function<void()>& once) {
      const Timed timed{[&](std::int64_t calls) {
        for (std::int64_t i = 0; i < calls; ++i) {
          once();
          asm volatile("" : : "r"(to) : "memory");
        }
      }};
      if (bytes_ < kCached) timed.run(1);
      answer.yardsticks[name] = time_blocks({command.calls, command.blocks, 0}, timed);
    };
    for (const PlainCopy& copy : plain_copies()) {
      time(copy.name, [&] { run_shared(copy, from, to, bytes, *copiers_); });
      // Waking other threads can take longer than a copy within the caches, so one thread is timed
      // as well.
      if (workload_.threads > 1 && bytes_ < kCached) {
        time(copy.name + kAlone, [&] { copy.run(from, to, bytes); });
      }
    }
    return answer;
  }

  Answer count(const WorkerCommand& command) {
    Answer answer;
    AllocationCounters before, after;
    answer.counted = before.read != nullptr;
    MeasuredCall& call = *calls_.front();
    call.spoil();
    call.run();
    before.take();
    // Under callgrind the instructions of these calls alone are written, into its next file.
    CALLGRIND_ZERO_STATS;
    for (std::int64_t i = 0; i < command.calls; ++i) call.run();
    CALLGRIND_DUMP_STATS;
    after.take();
    if (!call.still_right()) return wrong();
    answer.allocations = after.calls - before.calls;
    answer.allocated_bytes = after.bytes - before.bytes;
    return answer;
  }

  const reshape_plugin& table_;
  std::int64_t alignment_;
  double slowed_;
  bool thorough_ = false;
  Workload workload_;
  std::vector<std::unique_ptr<MeasuredCall>> calls_;  // by caller
  std::unique_ptr<Crew> callers_, copiers_;
  std::int64_t bytes_ = 0;                // of the output's elements
  std::unique_ptr<PlacedMemory> source_;  // of plain copies, where the data is too small
};

// The next line; nothing at the end of the channel.
std::optional<std::string> next_line(int channel, std::string& kept) {
  while (true) {
    if (const std::size_t end = kept.find('\n'); end != std::string::npos) {
      std::string line = kept.substr(0, end);
      kept.erase(0, end + 1);
      return line;
    }
    char piece[4096];
    const ssize_t got = recv(channel, piece, sizeof piece, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    kept.append(piece, static_cast<std::size_t>(got));
  }
}

bool send_line(int channel, std::string line) {
  line += '\n';
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t now = send(channel, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return false;
    sent += static_cast<std::size_t>(now);
  }
  return true;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> made;
  for (std::string& word : words) made.push_back(word.data());
  made.push_back(nullptr);
  return made;
}

// Starts the supervised worker, whose memory is that of a new program. Returns only where that is
// impossible, and why.
std::string start_supervised(WorkerStart start, int channel) {
  limit_resources();
  adopt_own_folder();
  if (!fork_supervised(channel, Files::kept)) {
    return std::string("a process cannot be started: ") + std::strerror(errno);
  }
  // The environment lies above the stack, so its length moves the stack.
  // Added variables come first: of two with the same name the first counts.
  std::vector<std::string> variables = std::exchange(start.environment, {});
  for (char** variable = environ; *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  std::mt19937_64 random(start.seed);
  variables.push_back("RESHAPE_PADDING=" + std::string(random() % 4096, 'x'));

  std::vector<std::string> words = std::exchange(start.before, {});
  // Without address-space randomization the seed decides the layout. Where that is not allowed, the
  // layout adds noise.
  if (words.empty()) personality(ADDR_NO_RANDOMIZE);
  // Valgrind has to be given the program by its own name.
  std::error_code none;
  words.push_back(std::filesystem::read_symlink("/proc/self/exe", none));
  words.push_back("measure");
  start.supervised = true;
  for (std::string& word : words_of(start)) words.push_back(std::move(word));
  execvpe(words[0].c_str(), pointers(words).data(), pointers(variables).data());
  return words[0] + " cannot be started: " + std::strerror(errno);
}

}  // namespace

int serve_as_worker(const WorkerStart& start, int channel) {
  const std::string why_not = start.supervised ? "" : start_supervised(start, channel);
  fcntl(channel, F_SETFD, FD_CLOEXEC);
  // Moves the library's heap memory, differently in each round and equally for all arms of a round.
  std::mt19937_64 random(start.seed);
  const std::unique_ptr<char[]> before(new char[random() % 65536 + 16]);
  asm volatile("" : : "r"(before.get()) : "memory");

  std::unique_ptr<PluginLibrary> library;
  std::optional<Worker> worker;
  const auto load = [&] {
    if (!why_not.empty()) return Answer{.why = why_not};
    Result<std::unique_ptr<PluginLibrary>> loaded = PluginLibrary::load(start.library);
    if (!loaded) return Answer{.why = loaded.error().text()};
    library = std::move(loaded).value();
    worker.emplace(library->table(), library->capabilities().alignment, start.slowed);
    return Answer{};
  };
  std::string kept;
  while (const std::optional<std::string> line = next_line(channel, kept)) {
    const Result<WorkerCommand> command = command_of(*line);
    Answer answer;
    if (!command) {
      answer.why = command.error().text();
    } else if (command->what == WorkerCommand::Do::load) {
      answer = load();
    } else if (worker) {
      answer = worker->answer(*command);
    } else {
      answer.why = "nothing is loaded";
    }
    if (command) answer.nonce = command->nonce;
    if (!send_line(channel, line_of(answer))) break;
  }
  // No exit handlers of the library run; conformance runs test those.
  _exit(0);
}

bool tells_callgrind() { return RESHAPE_TELLS_CALLGRIND; }

std::vector<std::string> words_of(const WorkerStart& start) {
  std::vector<std::string> words = {"--library", start.library,
                                    "--seed",    std::to_string(start.seed),
                                    "--slowed",  std::to_string(start.slowed)};
  const auto add = [&](const char* name, const std::string& value) {
    words.emplace_back(name);
    words.push_back(value);
  };
  for (const std::string& word : start.before) add("--before", word);
  for (const std::string& variable : start.environment) add("--set", variable);
  if (start.supervised) add("--supervised", "yes");
  return words;
}

WorkerStart start_of(const std::vector<std::string>& words) {
  WorkerStart start;
  for (std::size_t at = 0; at + 1 < words.size(); at += 2) {
    const std::string& value = words[at + 1];
    if (words[at] == "--library") start.library = value;
    if (words[at] == "--seed") start.seed = std::strtoull(value.c_str(), nullptr, 10);
    if (words[at] == "--slowed") start.slowed = std::strtod(value.c_str(), nullptr);
    if (words[at] == "--before") start.before.push_back(value);
    if (words[at] == "--set") start.environment.push_back(value);
    if (words[at] == "--supervised") start.supervised = true;
  }
  return start;
}

}  // namespace reshape::conformance::performance
