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
#include "reference/tensor/result.h"

namespace reshape::conformance {

// One host process, from its start to its end: the socket, the pipe that takes what it prints, the
// note that it leaves, the folder that it works in. When it is destroyed, the process ends, all that
// was started in it, and the folder.
class Child {
 public:
  // The error is the machine's: it has no room for another process, or not for what one needs.
  static Result<std::unique_ptr<Child>> start(const std::string& library);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  enum class Reply { answered, died, late, garbled };

  // Sends `question` (nothing: only listens) and waits for the frame with this number. The process is
  // still there after `answered` only.
  Reply exchange(std::uint32_t number, const std::string* question, TimeToAnswer& time,
                 std::string& answer);

  // True when the process ended although nothing was asked of it.
  bool gone();

  // Asks it to end, and waits for that. False where a signal killed it on its way out, which is told as after `died`.
  bool leave();

  // After `died`: how, in words. "died of SIGSEGV (...)", "ended with exit(0) instead of answering".
  std::string death() const { return death_; }
  // After `died`: there never was a process that could have loaded anything, because the machine refused it.
  bool refused() const { return refused_; }
  // After `died`: the limit of the shell or the container that ended it, in words, or nothing.
  const std::string& limit() const { return limit_; }
  // The last line that was printed, in quotes and in words, or nothing.
  std::string last_words() const { return last_words_.line(); }
  const HostNote& note() const { return *note_.get(); }

 private:
  Child() = default;
  bool send_some(std::string_view& rest);
  bool receive_some();  // false: the socket was closed
  void end(End how);

  pid_t process_ = -1;
  int channel_ = -1;
  int printed_ = -1;
  int watch_ = -1;      // becomes readable when the process ends; -1: not available
  std::string folder_;  // its working directory
  SharedNote note_;
  FrameReader frames_;
  LastWords last_words_;
  std::string death_;
  std::string limit_;
  bool killed_ = false;  // by a signal, and nobody here sent it
  std::uint64_t ended_before_ = 0;
  bool refused_ = false;
};

}  // namespace reshape::conformance
