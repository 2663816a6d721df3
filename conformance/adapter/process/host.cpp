// The host process: the supervisor (see supervisor.h), and below it the process that loads the
// library and answers.
#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/adapter/examine/ended_threads.h"
#include "conformance/adapter/examine/examine.h"
#include "conformance/adapter/examine/further.h"
#include "conformance/adapter/examine/process_watches.h"
#include "conformance/adapter/memory/memory_left.h"
#include "conformance/adapter/process/channel.h"
#include "conformance/adapter/process/fault_handler.h"
#include "conformance/adapter/process/first_description.h"
#include "conformance/adapter/process/host_exit.h"
#include "conformance/adapter/process/host_note.h"
#include "conformance/adapter/process/message.h"
#include "conformance/adapter/process/own_folder.h"
#include "conformance/adapter/process/supervisor.h"
#include "conformance/model/refused.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

Outcome garbled(const std::string& message) {
  return malformed("inference", "the host process cannot read the request: " + message);
}

// The library and its examiner, which are replaced together.
struct Worker {
  std::unique_ptr<PluginLibrary> library;
  std::optional<Examiner> examiner;
  std::optional<Request> last;  // the last request that was examined
  // What loading it has changed of the process; the first request that is examined tells it.
  std::vector<Observation> by_loading = {};
};

// examine_together(), of which the first outcome also tells what all its calls changed of the
// process. They are asked again where something was: what only a first use changes is its own
// matter.
std::vector<Outcome> together_watched(const PluginLibrary& library,
                                      const std::vector<Request>& requests,
                                      const HostCommand& command) {
  std::vector<Observation> seen;
  const auto ask = [&](int milliseconds) {
    const std::vector<WatchPtr> watches = watch_process(library.capabilities().starts_threads);
    for (const WatchPtr& watch : watches) watch->before({});
    std::vector<Outcome> outcomes =
        examine_together(library, requests, command.times,
                         command.in_turn ? Threads::none : Threads::one_each, milliseconds);
    seen.clear();
    for (const WatchPtr& watch : watches) watch->after({}, Status::ok, seen);
    return outcomes;
  };
  const auto began = std::chrono::steady_clock::now();
  std::vector<Outcome> outcomes = ask(command.milliseconds);
  const int half = command.milliseconds / 2;
  const bool quick =
      std::chrono::steady_clock::now() - began < std::chrono::milliseconds(std::max(half, 1));
  if (seen.empty() || !quick) return outcomes;
  const std::vector<Observation> first = seen;
  ask(half);
  const char* const by = command.in_turn       ? ", by calls in a row"
                         : requests.size() > 1 ? ", by calls on several threads"
                                               : ", by calls on another thread";
  for (const Observation& one : first) {
    if (std::ranges::find(seen, one.watch, &Observation::watch) == seen.end()) continue;
    outcomes.front().observations.push_back(one);
    outcomes.front().observations.back().saw += by;
  }
  return outcomes;
}

// One outcome for each line of the command. After a reload that failed, all are errors.
std::vector<Outcome> answers(Worker& worker, const std::string& file, const CallNotes& notes,
                             HostNote& note, const std::string& message) {
  const Result<HostCommand> command = decode_command(message);
  if (!command) return {garbled(command.error().text())};
  if (command->reload) {
    std::optional<Capabilities> before;
    if (worker.library) before = worker.library->capabilities();
    worker.examiner.reset();
    look_for_frames_of({});
    {
      // A thread that outlives the library, to test that no thread-exit handler of it is left
      // behind.
      std::optional<OutlivingThread> thread;
      if (worker.library && worker.last) thread.emplace(*worker.library, *worker.last);
      worker.library.reset();
    }
    Result<std::unique_ptr<PluginLibrary>> library = PluginLibrary::load(file);
    if (!library) return {garbled(library.error().text())};
    worker.library = std::move(library).value();
    look_for_frames_of(worker.library->code());
    worker.examiner.emplace(*worker.library, Examiner::Process::own, notes);
    const Capabilities& now = worker.library->capabilities();
    Outcome done;
    done.message = declared_otherwise(before.value_or(now), now);
    if (done.message.empty()) done.kind = Outcome::Kind::produced;
    return {done};
  }
  if (!worker.library) return {garbled("the library could not be loaded again")};
  std::vector<Request> requests;
  for (const std::string& line : command->lines) {
    Result<Request> request = parse_line(line);
    if (!request) return {garbled(request.error().text())};
    requests.push_back(std::move(request).value());
  }
  if (requests.empty()) return {garbled("there is none")};
  if (command->lasting != 0) {
    return {worker.examiner->examine_growth(requests.front(), command->lasting,
                                            std::chrono::milliseconds(command->milliseconds))};
  }
  const bool examined = !command->hardship && !command->sweep && command->times == 0;
  if (examined) {
    worker.last = requests.front();
    Outcome outcome = worker.examiner->examine(requests.front());
    std::ranges::move(worker.by_loading, std::back_inserter(outcome.observations));
    worker.by_loading.clear();
    return {std::move(outcome)};
  }
  worker.examiner->disturbed();
  note.stage = HostNote::Stage::several_calls;
  if (command->sweep) {
    const std::chrono::milliseconds most(command->milliseconds);
    return {examine_sweep(*worker.library, requests, std::chrono::steady_clock::now() + most)};
  }
  if (command->hardship) {
    return {examine_under(*worker.library, requests.front(), *command->hardship,
                          command->milliseconds)};
  }
  return together_watched(*worker.library, requests, *command);
}

// All that a command is answered. Where this process has no memory for that, the runner decides
// whose doing it is: an exception would end the process, as if the library had.
std::vector<Outcome> answers_or_says_why(Worker& worker, const std::string& file,
                                         const CallNotes& notes, HostNote& note,
                                         const std::string& message) {
  constexpr std::size_t kToSaySo = std::size_t{1} << 20;
  static auto* reserve = new std::string(kToSaySo, '\0');
  try {
    return answers(worker, file, notes, note, message);
  } catch (const std::bad_alloc&) {
    delete std::exchange(reserve, nullptr);
    if (worker.examiner) worker.examiner->disturbed();
    return {malformed("inference", kNoMemoryToAsk)};
  }
}

// Whether this process can have the memory that it takes for itself. Asked before the library is
// loaded, so that the library is not to blame where it cannot, and is where it lacks later.
bool has_memory() {
  void* taken =
      mmap(nullptr, kTakenBesides, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return taken != MAP_FAILED && munmap(taken, kTakenBesides) == 0;
}

int serve(const std::string& file, int channel, HostNote& note) {
  note.stage = HostNote::Stage::loading;
  WhileLoading loading;
  Result<std::unique_ptr<PluginLibrary>> library = PluginLibrary::load(file);
  if (!library) {
    send_frame(channel, 0, encode_greeting(library.error()));
    return 0;
  }
  const Capabilities& capabilities = (*library)->capabilities();
  std::vector<Observation> by_loading = loading.seen(capabilities.starts_threads);
  if (!send_frame(channel, 0, encode_greeting(capabilities))) {
    return kHostLostChannel;
  }
  std::uint32_t asked = 0;
  CallNotes notes;
  notes.entering = [&](const Probe* probe) { note_call(note, probe); };
  notes.seen = [&](const Outcome& so_far) {
    send_frame(channel, asked, encode_answer(so_far, Answer::interim));
  };
  Worker worker{std::move(library).value(), std::nullopt, std::nullopt, std::move(by_loading)};
  worker.examiner.emplace(*worker.library, Examiner::Process::own, notes);
  look_for_frames_of(worker.library->code());
  note.stage = HostNote::Stage::idle;
  while (const std::optional<Frame> frame = receive_frame(channel)) {
    if (frame->bytes == kGoodbye) break;
    asked = frame->number;
    const std::vector<Outcome> outcomes =
        answers_or_says_why(worker, file, notes, note, frame->bytes);
    for (const Outcome& outcome : outcomes) {
      const Answer kind = &outcome == &outcomes.back() ? Answer::last : Answer::interim;
      if (!send_frame(channel, asked, encode_answer(outcome, kind))) return kHostLostChannel;
    }
    note.stage = HostNote::Stage::idle;
  }
  worker.examiner.reset();
  look_for_frames_of({});
  // The runner said goodbye or closed the connection, or it is no connection any more.
  return fcntl(channel, F_GETFD) < 0 ? kHostLostChannel : 0;
}

// For every category another locale than that of the calls (see CallersSettings, which sets that of
// numbers): a library that takes over the environment's is seen to, whatever the user's is.
void name_other_locales() {
  for (const char* category :
       {"LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_TIME"}) {
    unsetenv(category);
  }
  setenv("LANG", "C.UTF-8", 1);
  setenv("LC_NUMERIC", "C", 1);
}

}  // namespace

int serve_as_host(const std::string& library, int channel) {
  limit_resources();
  adopt_own_folder();
  if (!fork_supervised(channel, Files::kept)) {
    const int error = errno;
    remove_own_folder(own_folder());
    return is_refusal(error) ? kHostRefused : kHostLostChannel;
  }
  fcntl(channel, F_SETFD, FD_CLOEXEC);
  // It is there to the very end: what the library has to be done there may die as well, and is
  // told.
  static SharedNote* const note = new SharedNote;
  if (!note->adopt(receive_descriptor(channel))) return kHostLostChannel;
  if (!has_memory()) return kHostLacksMemory;
  install_fault_handler(note->get());
  name_other_locales();
  return serve(library, channel, *note->get());
}

}  // namespace reshape::conformance
