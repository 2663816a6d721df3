#include "conformance/performance/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <random>
#include <thread>

#include "conformance/adapter/process/own_process.h"
#include "conformance/adapter/process/process_tree.h"
#include "conformance/adapter/process/signal_name.h"

extern char** environ;

namespace reshape::conformance::performance {
namespace {

using Time = std::chrono::steady_clock::time_point;
constexpr std::size_t kLongestAnswer = 1 << 20;
constexpr int kLook = 100;  // milliseconds between two checks of the processes that were started

Time after(double seconds) {
  return std::chrono::steady_clock::now() +
         std::chrono::microseconds(static_cast<std::int64_t>(seconds * 1e6));
}

int milliseconds_until(Time time) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(time - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> made;
  for (std::string& word : words) made.push_back(word.data());
  made.push_back(nullptr);
  return made;
}

// Valgrind has to be given the program by its own name.
std::string own_program() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : "/proc/self/exe";
}

// Between fork and exec: only what is safe there.
[[noreturn]] void become(char** arguments, char** environment, int channel, bool fixed_layout) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Without address-space randomization the seed decides the layout. Where that is not allowed, the
  // layout adds noise.
  if (fixed_layout) personality(ADDR_NO_RANDOMIZE);
  const int none = open("/dev/null", O_RDWR);
  for (int file = 0; file < 3; ++file) dup2(none, file);
  if (channel != kWorkerChannel) dup2(channel, kWorkerChannel);
  if (channel == kWorkerChannel) fcntl(channel, F_SETFD, 0);
  execvpe(arguments[0], arguments, environment);
  _exit(127);
}

std::string ending(int status) {
  if (WIFSIGNALED(status)) {
    return "it died of signal " + std::to_string(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) + ")";
  }
  return "it ended with exit(" + std::to_string(WEXITSTATUS(status)) + ")";
}

}  // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const Options& options) {
  const std::string& library = options.start.library;
  std::vector<std::string> words = options.before;
  words.push_back(own_program());
  words.push_back("measure");
  for (std::string& word : words_of(options.start)) words.push_back(std::move(word));

  // The environment lies above the stack, so its length moves the stack.
  // Added variables come first: of two with the same name the first counts.
  std::vector<std::string> variables = options.environment;
  for (char** variable = environ; *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  std::mt19937_64 random(options.start.seed);
  variables.push_back("RESHAPE_PADDING=" + std::string(random() % 4096, 'x'));

  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return Error{std::string("a worker cannot be started: ") + std::strerror(errno), library};
  }
  std::vector<char*> arguments = pointers(words), environment = pointers(variables);
  forbid_tracing();
  const pid_t process = fork();
  if (process == 0) {
    become(arguments.data(), environment.data(), sockets[1], options.before.empty());
  }
  close(sockets[1]);
  if (process < 0) {
    close(sockets[0]);
    return Error{std::string("a worker cannot be started: ") + std::strerror(errno), library};
  }
  std::unique_ptr<WorkerProcess> made(new WorkerProcess);
  made->process_ = process;
  made->channel_ = sockets[0];
  made->deadline_seconds_ = options.deadline_seconds;
  made->library_ = library;
  const Answer loaded = made->receive();
  if (!loaded.why.empty()) return Error{loaded.why};
  return made;
}

WorkerProcess::WorkerProcess() : growth_(std::make_unique<TreeGrowth>(getpid())) {}

WorkerProcess::~WorkerProcess() { end(); }

Answer WorkerProcess::lost(const std::string& how) {
  end();
  gone_ = library_ + ": " + how;
  Answer answer;
  answer.why = gone_;
  return answer;
}

Answer WorkerProcess::ask(const WorkerCommand& command) {
  if (!gone_.empty()) {
    Answer answer;
    answer.why = gone_;
    return answer;
  }
  const std::string line = line_of(command) + "\n";
  // Commands are far shorter than a socket's buffer, so this does not wait for room.
  if (send(channel_, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT) !=
      static_cast<ssize_t>(line.size())) {
    return receive();  // says how it ended
  }
  return receive();
}

Answer WorkerProcess::receive() {
  const Time deadline = after(deadline_seconds_);
  while (true) {
    if (const std::size_t end = kept_.find('\n'); end != std::string::npos) {
      const Result<Answer> answer = answer_of(kept_.substr(0, end));
      kept_.erase(0, end + 1);
      return answer ? *answer : lost(answer.error().text());
    }
    if (kept_.size() > kLongestAnswer) return lost("what it answers has no end");
    pollfd file{channel_, POLLIN, 0};
    const int ready = poll(&file, 1, std::min(milliseconds_until(deadline), kLook));
    const Time now = std::chrono::steady_clock::now();
    if (now >= next_look_) {
      next_look_ = now + std::chrono::milliseconds(kLook);
      if (const int bomb = growth_->too_many(); bomb != 0) return lost("it " + death_by(bomb));
    }
    if (now >= deadline) {
      return lost("it did not answer within " + std::to_string(std::lround(deadline_seconds_)) +
                  " s");
    }
    if (ready <= 0) continue;
    char piece[65536];
    const ssize_t got = recv(channel_, piece, sizeof piece, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) {
      // The process normally ends right after its socket is closed.
      int status = 0;
      for (int tries = 0; tries < 50; ++tries) {
        if (waitpid(process_, &status, WNOHANG) == process_) {
          kill(-process_, SIGKILL);
          process_ = -1;
          return lost(ending(status));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
      return lost("it closed its connection");
    }
    kept_.append(piece, static_cast<std::size_t>(got));
  }
}

void WorkerProcess::leave() {
  if (channel_ >= 0) close(channel_);
  channel_ = -1;
  const Time deadline = after(deadline_seconds_);
  while (process_ > 0 && std::chrono::steady_clock::now() < deadline) {
    if (waitpid(process_, nullptr, WNOHANG) == process_) {
      kill(-process_, SIGKILL);
      process_ = -1;
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void WorkerProcess::end() {
  if (channel_ >= 0) close(channel_);
  channel_ = -1;
  if (process_ <= 0) return;
  end_descendants(process_);
  kill(-process_, SIGKILL);
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = -1;
}

}  // namespace reshape::conformance::performance
