#include "conformance/performance/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "conformance/adapter/memory/memory_left.h"
#include "conformance/adapter/process/own_folder.h"
#include "conformance/adapter/process/own_process.h"
#include "conformance/adapter/process/signal_name.h"
#include "conformance/adapter/process/watchers.h"
#include "conformance/performance/turn.h"

namespace reshape::conformance::performance {
namespace {

constexpr std::size_t kLongestAnswer = 1 << 20;
constexpr double kLook = 0.1;  // seconds between two looks at the supervisor

// 16 digits, so that every worker has the same allocations.
std::string drawn_nonce() {
  std::uint64_t drawn = 0;
  while (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn) {
  }
  std::string digits;
  for (int digit = 0; digit < 16; ++digit, drawn >>= 4) digits += "0123456789abcdef"[drawn & 15];
  return digits;
}

// The longest time of a call that it tells.
double longest(const Answer& answer) {
  double seconds = answer.seconds;
  for (const double block : answer.blocks) seconds = std::max(seconds, block);
  for (const auto& [name, blocks] : answer.yardsticks) {
    for (const double block : blocks) seconds = std::max(seconds, block);
  }
  return seconds;
}

}  // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const Options& options) {
  const std::string& library = options.start.library;
  const auto failed = [&](const std::string& why) {
    return Error{"a worker cannot be started: " + why, library};
  };
  std::unique_ptr<WorkerProcess> made(new WorkerProcess);
  made->deadline_seconds_ = options.deadline_seconds;
  made->library_ = library;
  made->ended_before_ = ended_for_memory();
  {
    const auto making = making_own_folder();
    const Result<std::string> folder = make_own_folder();
    if (!folder) return failed(folder.error().message);
    made->folder_ = *folder;
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
      return failed(std::strerror(errno));
    }
    made->channel_ = sockets[0];
    int channel = moved_up(sockets[1]);
    int none = moved_up(open("/dev/null", O_RDWR | O_CLOEXEC));
    WorkerStart start = options.start;
    start.library = absolute_path(library);
    std::vector<std::string> words = words_of(start);
    words.insert(words.begin(), {"reshape-conformance", "measure"});
    int error = EMFILE;
    if (channel >= 0 && none >= 0) {
      error = spawn_self(words, {none, none, none, channel}, made->folder_, made->process_);
    }
    close_if_open(channel);
    close_if_open(none);
    if (error != 0) {
      made->process_ = -1;
      return failed(std::strerror(error));
    }
  }
  made->watch_ = open_pidfd(made->process_);
  made->watchers_->begin(made->process_);
  const Answer loaded = made->ask({.what = WorkerCommand::Do::load});
  if (!loaded.why.empty()) return Error{loaded.why};
  return made;
}

WorkerProcess::WorkerProcess() : watchers_(std::make_unique<Watchers>()) {}

WorkerProcess::~WorkerProcess() {
  close_if_open(channel_);  // the worker leaves
  if (process_ > 0) end_process(process_, watch_, End::in_peace, ended_before_, {}, {});
  close_if_open(watch_);
  remove_own_folder(folder_);
}

Answer WorkerProcess::lost(const std::string& how) {
  close_if_open(channel_);
  if (process_ > 0) end_process(process_, watch_, End::by_force, ended_before_, {}, {});
  process_ = -1;
  gone_ = library_ + ": " + how;
  return {.why = gone_};
}

Answer WorkerProcess::ended() {
  const Ended ended = end_process(process_, watch_, End::dying, ended_before_, {}, {});
  process_ = -1;
  if (!ended.limit.empty()) return lost(ended.limit);
  return lost(ended.status ? "it " + death_words(*ended.status) : "it closed its connection");
}

Answer WorkerProcess::ask(WorkerCommand command) {
  if (!gone_.empty()) return {.why = gone_};
  command.nonce = drawn_nonce();
  const std::string line = line_of(command) + "\n";
  const double begin = steady_seconds();
  // Commands are far shorter than a socket's buffer, so this does not wait for room. Where it
  // fails, receive() says how the process ended.
  static_cast<void>(send(channel_, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
  Answer answer = receive(command.nonce);
  if (longest(answer) > steady_seconds() - begin) {
    return lost("it tells of a call that takes longer than all of them took together");
  }
  return answer;
}

Answer WorkerProcess::receive(const std::string& nonce) {
  const double deadline = steady_seconds() + deadline_seconds_;
  while (true) {
    if (const std::size_t end = kept_.find('\n'); end != std::string::npos) {
      const Result<Answer> answer = answer_of(kept_.substr(0, end), nonce);
      kept_.erase(0, end + 1);
      return answer ? *answer : lost(answer.error().text());
    }
    if (kept_.size() > kLongestAnswer) return lost("what it answers has no end");
    const double wait = std::clamp(deadline - steady_seconds(), 0.0, kLook);
    pollfd file{channel_, POLLIN, 0};
    const int ready = poll(&file, 1, static_cast<int>(std::ceil(1000 * wait)));
    if (ready == 0) {
      if (const char* how = watchers_->stopped(Watchers::Which::both)) {
        return lost(std::string("it ") + how);
      }
    }
    if (steady_seconds() >= deadline) {
      return lost("it did not answer within " + std::to_string(std::lround(deadline_seconds_)) +
                  " s");
    }
    if (ready <= 0) continue;
    char piece[65536];
    const ssize_t got = recv(channel_, piece, sizeof piece, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return ended();
    kept_.append(piece, static_cast<std::size_t>(got));
  }
}

}  // namespace reshape::conformance::performance
