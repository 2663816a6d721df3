#include "conformance/adapter/process/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>

#include "conformance/adapter/memory/memory_left.h"
#include "conformance/adapter/not_tried.h"
#include "conformance/adapter/process/fault_handler.h"
#include "conformance/adapter/process/host_exit.h"
#include "conformance/adapter/process/own_folder.h"
#include "conformance/adapter/process/process_tree.h"
#include "conformance/adapter/process/signal_name.h"
#include "conformance/model/refused.h"

namespace reshape::conformance {
namespace {

constexpr int kChannelInHost = 3;

std::string death_of_host(int status) {
  if (WIFSIGNALED(status)) return death_words(status);
  if (WEXITSTATUS(status) == kHostLostChannel) {
    return "lost its connection: files that are not the implementation's own were closed or used";
  }
  return death_words(status) + " instead of answering";
}

// What a host was refused that exits so before it loads anything.
std::string refusal_by(int exit_code) {
  if (exit_code == kHostRefused) return refused("another process", EAGAIN);
  if (exit_code != kHostLacksMemory) return {};
  return refused(std::to_string(kTakenBesides >> 20) + " MiB of memory (see ulimit -d and -v)",
                 ENOMEM);
}

}  // namespace

Result<std::unique_ptr<Child>> Child::start(const std::string& library) {
  const auto failed = [&](const char* what) {
    return Error{std::string(kNoHost) + what + ": " + std::strerror(errno), library};
  };
  const auto making = making_own_folder();
  const Result<std::string> folder = make_own_folder();
  if (!folder) return Error{kNoHost + folder.error().message, library};
  std::unique_ptr<Child> child(new Child);
  child->folder_ = *folder;
  child->ended_before_ = ended_for_memory();
  if (!child->note_.create()) return failed("shared memory");
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return failed("a socket");
  child->channel_ = sockets[0];
  int theirs = sockets[1];
  int pipes[2];
  if (pipe2(pipes, O_CLOEXEC) != 0) {
    close_if_open(theirs);
    return failed("a pipe");
  }
  child->printed_ = pipes[0];
  int output = moved_up(pipes[1]);
  int channel = moved_up(theirs);
  int error = EMFILE;
  if (output >= 0 && channel >= 0) {
    error = spawn_self({"reshape-conformance", "host", "--library", absolute_path(library),
                        "--channel", std::to_string(kChannelInHost)},
                       {-1, output, output, channel}, child->folder_, child->process_);
  }
  close_if_open(output);
  close_if_open(channel);
  if (error != 0) {
    child->process_ = -1;
    errno = error;
    return failed("the program");
  }
  fcntl(child->printed_, F_SETFL, O_NONBLOCK);
  child->watch_ = open_pidfd(child->process_);
  child->watchers_.begin(child->process_);
  // EPIPE: the process is gone already, and its exit status says why.
  if (!send_descriptor(child->channel_, child->note_.file()) && errno != EPIPE) {
    return failed("its note");
  }
  child->note_.close_file();
  fcntl(child->channel_, F_SETFL, O_NONBLOCK);
  return child;
}

Child::~Child() {
  end(End::in_peace);
  close_if_open(channel_);
  close_if_open(printed_);
  close_if_open(watch_);
  remove_own_folder(folder_);
}

bool Child::gone() {
  pollfd files[] = {{channel_, POLLIN, 0}, {watch_, POLLIN, 0}};
  if (poll(files, 2, 0) <= 0) return false;
  const bool ended = (files[1].revents & POLLIN) != 0 || (files[0].revents & POLLHUP) != 0;
  if (ended) end(End::dying);
  return ended;
}

Child::Reply Child::exchange(std::uint32_t number, const std::string* question, std::size_t longest,
                             TimeToAnswer& time, std::string& answer) {
  frames_.expect(number, longest);
  std::string message;
  std::string_view rest;  // of it, to be sent
  if (question != nullptr) {
    last_words_.forget();
    message = frame_head(number, question->size()) + *question;
    rest = message;
    // Usually the socket takes all of it. A host that is gone is noticed below.
    static_cast<void>(send_some(rest));
  }
  while (true) {
    if (std::optional<Frame> frame = frames_.next()) {
      answer = std::move(frame->bytes);
      // Of the process that started it the host itself tells that it was stopped.
      if (ended_for_stopping(Watchers::Which::above)) return Reply::died;
      return Reply::answered;
    }
    if (frames_.garbled()) {
      end(End::by_force);
      return Reply::garbled;
    }
    if (time.was_over()) {
      let_note_where_it_hangs();
      end(End::by_force);
      return Reply::late;
    }
    const auto sending = static_cast<short>(rest.empty() ? 0 : POLLOUT);
    pollfd files[] = {{channel_, static_cast<short>(POLLIN | sending), 0},
                      {printed_, POLLIN, 0},
                      {watch_, POLLIN, 0}};
    const int ready = poll(files, 3, time.milliseconds_to_look());
    if (ready < 0 && errno != EINTR) return Reply::garbled;
    // Even if the time is over, what has arrived is read first.
    time.is_over([this] { return thread_times_below(process_); });
    if (ready == 0 && ended_for_stopping(Watchers::Which::both)) return Reply::died;
    if (ready <= 0) continue;
    if (files[1].revents != 0 && !last_words_.read_from(printed_)) close_if_open(printed_);
    bool open = true;
    if ((files[0].revents & POLLOUT) != 0) open = send_some(rest);
    if ((files[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) open = receive_some() && open;
    // The process may have ended with its last answer still in the socket, or just read.
    if (frames_.whole()) continue;
    if (no_room_) {
      end(End::by_force);
      limit_ = "this program has no memory for its answer";
      return Reply::died;
    }
    if (!open || ((files[2].revents & POLLIN) != 0 && (files[0].revents & POLLIN) == 0)) {
      end(End::dying);
      return Reply::died;
    }
  }
}

bool Child::send_some(std::string_view& rest) {
  const ssize_t sent = send(channel_, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0) return errno == EAGAIN || errno == EINTR;
  rest.remove_prefix(static_cast<std::size_t>(sent));
  return true;
}

bool Child::receive_some() {
  static constexpr std::size_t kPiece = 256 * 1024;
  thread_local std::unique_ptr<char[]> piece(new char[kPiece]);
  const ssize_t got = recv(channel_, piece.get(), kPiece, MSG_DONTWAIT);
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  try {
    frames_.take({piece.get(), static_cast<std::size_t>(got)});
  } catch (const std::bad_alloc&) {
    frames_ = {};
    no_room_ = true;
  }
  return got > 0 && !no_room_;
}

bool Child::ended_for_stopping(Watchers::Which which) {
  const char* const how = watchers_.stopped(which);
  if (how == nullptr) return false;
  end(End::by_force);
  death_ = how;
  ended_badly_ = true;
  return true;
}

void Child::let_note_where_it_hangs() {
  constexpr int kMostMilliseconds = 200;  // it may be deaf, or lack a processor
  // Below the supervisor, which has the host's orphans as later children.
  const std::vector<pid_t> supervisors = living_children(process_);
  if (supervisors.empty()) return;
  const std::vector<pid_t> hosts = living_children(supervisors.front());
  if (hosts.empty()) return;
  sigval asked = {};
  asked.sival_int = kWhereItHangs;
  if (sigqueue(hosts.front(), SIGABRT, asked) != 0) return;
  pollfd watched = {watch_, POLLIN, 0};
  poll(&watched, 1, kMostMilliseconds);
}

void Child::end(End how) {
  if (process_ <= 0) return;
  if (how == End::in_peace) close_if_open(channel_);
  const Ended ended = end_process(process_, watch_, how, ended_before_, {&printed_},
                                  [this](int file) { return last_words_.read_from(file); });
  death_ =
      ended.status ? death_of_host(*ended.status) : "closed its connection instead of answering";
  limit_ = ended.limit;
  ended_badly_ = ended.status && *ended.status != 0;
  const bool exited = ended.status && WIFEXITED(*ended.status);
  if (exited && note_.get()->stage == HostNote::Stage::starting) {
    refusal_ = refusal_by(WEXITSTATUS(*ended.status));
  }
  if (printed_ >= 0) last_words_.read_rest(printed_);
  process_ = -1;
}

}  // namespace reshape::conformance
