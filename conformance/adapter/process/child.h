#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "conformance/adapter/process/channel.h"
#include "conformance/adapter/process/host_note.h"
#include "conformance/adapter/process/last_words.h"
#include "conformance/adapter/process/own_process.h"
#include "conformance/adapter/process/time_to_answer.h"
#include "conformance/adapter/process/watchers.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// A running host process with its socket, the pipe for its output, its shared note, and its working
// directory. Destroying this ends the process and everything that it started, and removes the
// directory.
class Child {
 public:
  // The error says that the machine lacks a resource for another process.
  static Result<std::unique_ptr<Child>> start(const std::string& library);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  enum class Reply { answered, died, late, garbled };

  // Sends `question` (null: only listens) and waits for the frame with this number, of at most
  // `longest` bytes. Unless the reply is `answered`, the process has been ended.
  Reply exchange(std::uint32_t number, const std::string* question, std::size_t longest,
                 TimeToAnswer& time, std::string& answer);

  // True when the process ended although nothing was asked of it.
  bool gone();

  // After `died`: how, in words. "died of SIGSEGV (...)", "ended with exit(0) instead of
  // answering".
  std::string death() const { return death_; }
  // After `died`: of a signal that no limit and nobody here sent, or with another exit code than 0.
  bool ended_badly() const { return ended_badly_ && limit_.empty(); }
  // After `died`: what the machine refused before anything could be loaded, in words, or nothing.
  const std::string& refusal() const { return refusal_; }
  // After `died`: the limit of the shell, the container or this program for which it was ended, in
  // words, or nothing.
  const std::string& limit() const { return limit_; }
  // The last line that it printed, quoted in a sentence, or nothing.
  std::string last_words() const { return last_words_.line(); }
  const HostNote& note() const { return *note_.get(); }

 private:
  Child() = default;
  bool send_some(std::string_view& rest);
  bool receive_some();  // false: the socket was closed, or no_room_ is set
  void end(End how);
  // Lets the host note the frame that it hangs in, and end. Returns soon, whether it has or not.
  void let_note_where_it_hangs();
  // Ends it where it has stopped who watches it.
  bool ended_for_stopping(Watchers::Which which);

  pid_t process_ = -1;
  int channel_ = -1;
  int printed_ = -1;
  int watch_ = -1;      // becomes readable when the process ends; -1: not available
  std::string folder_;  // its working directory
  SharedNote note_;
  FrameReader frames_;
  Watchers watchers_;
  LastWords last_words_;
  std::string death_;
  std::string limit_;
  bool ended_badly_ = false;  // by a signal, or with another code than 0
  std::uint64_t ended_before_ = 0;
  std::string refusal_;
  bool no_room_ = false;  // in this program, for what it answers
};

}  // namespace reshape::conformance
