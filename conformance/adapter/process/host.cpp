// The host process: two processes, in fact. The first, the supervisor, does nothing but wait. The second
// loads the library and answers. An implementation that kills its parent kills the supervisor and not the
// runner; a runner that dies takes both along.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/adapter/examine/examine.h"
#include "conformance/adapter/examine/hardship.h"
#include "conformance/adapter/examine/together.h"
#include "conformance/adapter/memory/sanitizers.h"
#include "conformance/adapter/process/channel.h"
#include "conformance/adapter/process/fault_handler.h"
#include "conformance/adapter/process/host_exit.h"
#include "conformance/adapter/process/host_note.h"
#include "conformance/adapter/process/message.h"
#include "conformance/adapter/process/own_folder.h"
#include "conformance/adapter/process/pidfd.h"
#include "conformance/adapter/process/process_tree.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

constexpr int kGracePeriod = 1000;  // milliseconds that the host has to leave by itself

// A library that allocates without end dies of that alone, and leaves no core file behind. The
// sanitizers need more memory than any limit that would help.
void limit_resources() {
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (kSanitized) return;
  const auto physical =
      static_cast<rlim_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  const rlim_t most = std::clamp<rlim_t>(physical / 2, rlim_t{1} << 30, rlim_t{8} << 30);
  rlimit limit = {};
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = std::min(limit.rlim_cur, most);
  limit.rlim_max = std::min(limit.rlim_max, most);
  setrlimit(RLIMIT_DATA, &limit);
}

[[noreturn]] void end_like(int status) {
  if (WIFSIGNALED(status)) {
    const int signal_number = WTERMSIG(status);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    _exit(128 + signal_number);
  }
  _exit(WEXITSTATUS(status));
}

// Waits for the end of the host, ends what it left behind, and ends like it. When the runner closes the
// connection the host has a moment to leave.
[[noreturn]] void keep(pid_t host, int channel) {
  const int watch = open_pidfd(host);
  std::optional<std::chrono::steady_clock::time_point> hung_up;
  while (true) {
    int status = 0;
    if (waitpid(host, &status, WNOHANG) == host) {
      if (!WIFSTOPPED(status)) {
        end_children();
        remove_own_folder(own_folder());
        end_like(status);
      }
      // It had itself traced by its parent, who has no wish to.
      ptrace(PTRACE_DETACH, host, nullptr, WSTOPSIG(status));
    }
    const auto now = std::chrono::steady_clock::now();
    if (hung_up && now - *hung_up > std::chrono::milliseconds(kGracePeriod)) {
      // All that the host started, unless a person started it from a group of other programs.
      kill(getpgrp() == getpid() ? 0 : host, SIGKILL);
    }
    // Without the events asked for, poll still tells that the other side hung up.
    pollfd files[] = {{watch, POLLIN, 0}, {hung_up ? -1 : channel, 0, 0}};
    const int patience = watch < 0 ? 5 : hung_up ? 50 : -1;
    if (poll(files, 2, patience) > 0 && files[1].revents != 0) {
      hung_up = std::chrono::steady_clock::now();
    }
  }
}

// Returns in the host; the supervisor never returns.
bool fork_worker(int channel) {
  const pid_t supervisor = getpid();
  // What the host starts and lets go of, daemons among it, comes back to the supervisor.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t host = fork();
  if (host < 0) return false;
  if (host > 0) keep(host, channel);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return getppid() == supervisor;
}

Outcome garbled(const std::string& message) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::malformed;
  outcome.during = "inference";
  outcome.message = "the host process cannot read the request: " + message;
  return outcome;
}

// The library and the one who asks it, which are renewed together.
struct Worker {
  std::unique_ptr<PluginLibrary> library;
  std::optional<Examiner> examiner;
};

// One outcome a line. A library that could not be loaded again answers nothing any more.
std::vector<Outcome> answers(Worker& worker, const std::string& file, const CallNotes& notes,
                             const std::string& message) {
  const Result<HostCommand> command = decode_command(message);
  if (!command) return {garbled(command.error().text())};
  if (command->reload) {
    worker.examiner.reset();
    worker.library.reset();
    Result<std::unique_ptr<PluginLibrary>> library = PluginLibrary::load(file);
    if (!library) return {garbled(library.error().text())};
    worker.library = std::move(library).value();
    worker.examiner.emplace(*worker.library, true, notes);
    Outcome done;
    done.kind = Outcome::Kind::produced;
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
  if (command->hardship) {
    notes.entering(nullptr);
    return {examine_under(*worker.library, requests.front(), *command->hardship,
                          command->milliseconds)};
  }
  if (command->times == 0) return {worker.examiner->examine(requests.front())};
  notes.entering(nullptr);
  return examine_together(*worker.library, requests, command->times, command->milliseconds);
}

int serve(const std::string& file, int channel, HostNote& note) {
  note.stage = HostNote::Stage::loading;
  Result<std::unique_ptr<PluginLibrary>> library = PluginLibrary::load(file);
  if (!library) {
    send_frame(channel, 0, encode_greeting(library.error()));
    return 0;
  }
  if (!send_frame(channel, 0, encode_greeting((*library)->capabilities()))) {
    return kHostLostChannel;
  }
  std::uint32_t asked = 0;
  CallNotes notes;
  notes.entering = [&](const Probe* probe) { note_call(note, probe); };
  notes.seen = [&](const Outcome& so_far) {
    send_frame(channel, asked, encode_answer(so_far, Answer::interim));
  };
  Worker worker{std::move(library).value(), std::nullopt};
  worker.examiner.emplace(*worker.library, true, notes);
  note.stage = HostNote::Stage::idle;
  while (const std::optional<Frame> frame = receive_frame(channel)) {
    asked = frame->number;
    const std::vector<Outcome> outcomes = answers(worker, file, notes, frame->bytes);
    for (const Outcome& outcome : outcomes) {
      const Answer kind = &outcome == &outcomes.back() ? Answer::last : Answer::interim;
      if (!send_frame(channel, asked, encode_answer(outcome, kind))) return kHostLostChannel;
    }
    note.stage = HostNote::Stage::idle;
  }
  // The runner closed the connection, or it is no connection any more.
  return fcntl(channel, F_GETFD) < 0 ? kHostLostChannel : 0;
}

}  // namespace

int serve_as_host(const std::string& library, int channel) {
  limit_resources();
  adopt_own_folder();
  if (!fork_worker(channel)) return kHostLostChannel;
  fcntl(channel, F_SETFD, FD_CLOEXEC);
  SharedNote note;
  if (!note.adopt(receive_descriptor(channel))) return kHostLostChannel;
  install_fault_handler(note.get());
  return serve(library, channel, *note.get());
}

}  // namespace reshape::conformance
