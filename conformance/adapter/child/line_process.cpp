#include "conformance/adapter/child/line_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "conformance/adapter/adapter.h"
#include "conformance/adapter/memory/memory_left.h"
#include "conformance/adapter/not_tried.h"
#include "conformance/adapter/process/patience.h"
#include "conformance/adapter/process/signal_name.h"
#include "conformance/model/refused.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

constexpr int kPipeBytes = 1 << 20;      // fewer system calls for large tensors
constexpr std::size_t kPiece = 1 << 18;  // bytes read at once

// Makes a pipe whose end on our side does not block; the other end is moved to a high descriptor,
// so that the child can give it any number.
bool make_pipe(int& read_end, int& write_end, bool we_read) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  int& ours = we_read ? ends[0] : ends[1];
  int& theirs = we_read ? ends[1] : ends[0];
  fcntl(ours, F_SETFL, O_NONBLOCK);
  fcntl(ours, F_SETPIPE_SZ, kPipeBytes);
  theirs = moved_up(theirs);
  read_end = ends[0];
  write_end = ends[1];
  return theirs >= 0;
}

// The child's descriptors: three streams, and the supervisor's leash (a pipe to the runner).
struct ChildFiles {
  int input = -1;
  int output = -1;
  int printed = -1;
  int leash = -1;
  ~ChildFiles() {
    for (int* file : {&input, &output, &printed, &leash}) close_if_open(*file);
  }
};

// Writes with SIGPIPE suppressed: a pipe without a reader gives an error.
ssize_t write_without_signal(int file, std::string_view bytes) {
  sigset_t pipe_signal;
  sigset_t before;
  sigset_t waiting;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&waiting);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const ssize_t sent = write(file, bytes.data(), bytes.size());
  const int failure = errno;
  if (sent < 0 && failure == EPIPE && sigismember(&waiting, SIGPIPE) == 0) {
    const timespec at_once = {0, 0};
    sigtimedwait(&pipe_signal, nullptr, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = failure;
  return sent;
}

}  // namespace

Result<std::unique_ptr<LineProcess>> LineProcess::start(const std::vector<std::string>& words) {
  std::unique_ptr<LineProcess> child(new LineProcess);
  child->ended_before_ = ended_for_memory();
  ChildFiles files;
  int sockets[2];
  bool made = make_pipe(files.input, child->input_, false) &&
              make_pipe(child->output_, files.output, true) &&
              make_pipe(child->printed_, files.printed, true) &&
              socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0;
  if (made) {
    child->leash_ = sockets[0];
    files.leash = moved_up(sockets[1]);
    made = files.leash >= 0;
  }
  if (made) {
    // This program again, as the supervisor of the words.
    std::vector<std::string> all_words = {"reshape-conformance", kSuperviseCommand};
    all_words.insert(all_words.end(), words.begin(), words.end());
    if (const int error = spawn_self(std::move(all_words),
                                     {files.input, files.output, files.printed, files.leash}, "",
                                     child->process_);
        error != 0) {
      child->process_ = -1;
      errno = error;
      made = false;
    }
  }
  if (!made) return Error{std::string(kNoChild) + std::strerror(errno)};
  child->watch_ = open_pidfd(child->process_);
  child->watchers_.begin(child->process_);
  return child;
}

LineProcess::~LineProcess() {
  end(End::in_peace);
  for (int* file : {&input_, &output_, &printed_, &leash_, &watch_}) close_if_open(*file);
}

bool LineProcess::gone() {
  pollfd files[] = {{output_, 0, 0}, {watch_, POLLIN, 0}};
  if (poll(files, 2, 0) <= 0) return false;
  if ((files[0].revents & POLLHUP) == 0 && (files[1].revents & POLLIN) == 0) return false;
  end(End::dying, "closed its standard output");
  return true;
}

LineProcess::Reply LineProcess::exchange(const std::string* question, std::size_t longest,
                                         TimeToAnswer& time, std::string& line) {
  std::string asked;
  if (question != nullptr) {
    last_words_.forget();
    read_some();
    if (says_more()) {
      end(End::by_force);
      return Reply::spoke;
    }
    asked = *question + '\n';
  }
  std::string_view rest = asked;
  while (true) {
    const bool whole = take_line(line);
    if (whole && line.size() <= longest) {
      if (ended_for_stopping()) return Reply::died;
      if (rest.empty()) return Reply::answered;
      end(End::by_force);
      return Reply::spoke;
    }
    if (whole || heard_.size() > longest) {
      end(End::by_force);
      return Reply::flooded;
    }
    if (time.was_over()) {
      end(End::by_force);
      return Reply::late;
    }
    pollfd files[] = {{output_, POLLIN, 0},
                      {rest.empty() ? -1 : input_, POLLOUT, 0},
                      {printed_, POLLIN, 0},
                      {watch_, POLLIN, 0}};
    const int ready = poll(files, 4, time.milliseconds_to_look());
    // Even if the time is over, what has arrived is read first.
    time.is_over([this] { return thread_times_below(process_); });
    if (ready == 0 && ended_for_stopping()) return Reply::died;
    if (ready <= 0) continue;
    if (files[2].revents != 0 && !last_words_.read_from(printed_)) close_if_open(printed_);
    const bool reads = files[1].revents == 0 || send_some(rest);
    const bool writes = files[0].revents == 0 || read_some();
    // The process may have ended with its last answer still in the pipe, or just read.
    if (heard_.find('\n', searched_) != std::string::npos) continue;
    if (writes && reads && ((files[3].revents & POLLIN) == 0 || files[0].revents != 0)) continue;
    end(End::dying, writes ? "closed its standard input" : "closed its standard output");
    return Reply::died;
  }
}

std::optional<std::string> LineProcess::leave(TimeToAnswer& time) {
  close_if_open(input_);
  if (watch_ < 0) {  // its end cannot be waited for, and how it is ended here says nothing of it
    end(End::in_peace);
    return std::nullopt;
  }
  bool ended = false;
  while (!ended && !says_more() && !time.was_over()) {
    pollfd files[] = {{output_, POLLIN, 0}, {printed_, POLLIN, 0}, {watch_, POLLIN, 0}};
    const int ready = poll(files, 3, time.milliseconds_to_look());
    time.is_over([this] { return thread_times_below(process_); });
    if (ready <= 0) continue;
    if (files[1].revents != 0 && !last_words_.read_from(printed_)) close_if_open(printed_);
    if (files[0].revents != 0 && !read_some()) close_if_open(output_);
    ended = (files[2].revents & POLLIN) != 0;
  }
  const bool spoke = says_more();
  end(ended ? End::in_peace : End::by_force);
  if (spoke) return "wrote a line behind its last answer";
  if (!ended) return "had not ended after " + seconds_text(time.seconds());
  return exit_code_ == 0 ? std::nullopt : std::optional(death_);
}

bool LineProcess::take_line(std::string& line) {
  const std::size_t end = heard_.find('\n', searched_);
  searched_ = heard_.size();
  if (end == std::string::npos) return false;
  line.assign(heard_, 0, end);
  heard_.erase(0, end + 1);
  searched_ = 0;
  return true;
}

bool LineProcess::send_some(std::string_view& rest) {
  const ssize_t sent = write_without_signal(input_, rest);
  if (sent < 0) return errno == EAGAIN || errno == EINTR;
  rest.remove_prefix(static_cast<std::size_t>(sent));
  return true;
}

bool LineProcess::read_some() {
  thread_local std::unique_ptr<char[]> piece(new char[kPiece]);
  const ssize_t got = read(output_, piece.get(), kPiece);
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  heard_.append(piece.get(), static_cast<std::size_t>(got));
  return got > 0;
}

bool LineProcess::ended_for_stopping() {
  const char* const how = watchers_.stopped(Watchers::Which::both);
  if (how == nullptr) return false;
  end(End::by_force);
  death_ = how;
  return true;
}

void LineProcess::end(End how, const char* unless_ended) {
  if (process_ <= 0) return;
  // End of input asks it to exit.
  if (how == End::in_peace) close_if_open(input_);
  const Ended ended =
      end_process(process_, watch_, how, ended_before_, {&printed_, &output_}, [this](int file) {
        if (file == printed_) return last_words_.read_from(file);
        heard_.clear();
        return read_some();
      });
  death_ = ended.status ? death_words(*ended.status) : unless_ended;
  outlived_ = !ended.status && how == End::dying;
  limit_ = ended.limit;
  if (ended.status && WIFEXITED(*ended.status)) exit_code_ = WEXITSTATUS(*ended.status);
  char why[2000];
  const ssize_t said = recv(leash_, why, sizeof why, MSG_DONTWAIT);
  if (said > 0) not_run_ = printable({why, static_cast<std::size_t>(said)});
  refused_ = not_run_.starts_with(kRefused);
  if (printed_ >= 0) last_words_.read_rest(printed_);
  heard_.clear();
  searched_ = 0;
  process_ = -1;
}

}  // namespace reshape::conformance
