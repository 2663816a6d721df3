#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/adapter/process/last_words.h"
#include "conformance/adapter/process/own_process.h"
#include "conformance/adapter/process/time_to_answer.h"
#include "conformance/adapter/process/watchers.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// A running program that answers each line with a line. It runs in the working directory of this
// program, below a supervisor (see supervisor.h). Destroying this ends it and everything that it
// started.
class LineProcess {
 public:
  // The first word is the program, searched in PATH. The error says that the machine lacks a
  // resource for another process.
  static Result<std::unique_ptr<LineProcess>> start(const std::vector<std::string>& words);
  ~LineProcess();
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  enum class Reply {
    answered,
    died,     // it ended, or closed one of its pipes: see death()
    late,     // no line in the time for it
    flooded,  // more than the longest line, and no end of it
    spoke,    // a line before it was asked, or before it had read the whole question
  };

  // Sends `question` and a line end (null: only listens) and waits for one line of at most
  // `longest` bytes. Unless the reply is `answered`, the process has been ended.
  Reply exchange(const std::string* question, std::size_t longest, TimeToAnswer& time,
                 std::string& line);

  // Closes its input, at which it is to end, and waits for that. How it ended, in words, where it
  // did not end with exit(0), not in time, or said more. It has been ended then. Nothing, too, where
  // this kernel does not tell when a process ends.
  std::optional<std::string> leave(TimeToAnswer& time);

  // Whether there is output behind the last answer.
  bool says_more() const { return !heard_.empty(); }
  // True when the process ended although nothing was asked of it.
  bool gone();

  // After `died`, or gone(): how, in words. "died of SIGSEGV (...)", "ended with exit(0)",
  // "closed its standard output". Empty where the program could not be run at all: see not_run().
  const std::string& death() const { return death_; }
  // After `died`: whether it closed its connection and was still there some time after that.
  bool outlived() const { return outlived_; }
  // After `died`: the limit of the shell or the container that ended it, in words, or nothing.
  const std::string& limit() const { return limit_; }
  // The code that it ended with, or nothing where it was ended or died of a signal.
  std::optional<int> exit_code() const { return exit_code_; }
  // Why the program could not be run, or nothing.
  const std::string& not_run() const { return not_run_; }
  // Whether the machine refused to run it for lack of a resource.
  bool refused() const { return refused_; }
  std::string last_words() const { return last_words_.line(); }

 private:
  LineProcess() = default;
  bool take_line(std::string& line);
  bool send_some(std::string_view& rest);
  bool read_some();  // false: it closed its output
  void end(End how, const char* unless_ended = "was ended");
  bool ended_for_stopping();  // who watches it

  pid_t process_ = -1;
  int input_ = -1;    // what it reads
  int output_ = -1;   // what it answers
  int printed_ = -1;  // its standard error
  int leash_ = -1;    // on which the supervisor says why the program cannot be run
  int watch_ = -1;    // becomes readable when the process ends; -1: not available
  std::string heard_;
  std::size_t searched_ = 0;  // bytes of heard_ known to have no line end
  Watchers watchers_;
  LastWords last_words_;
  std::string death_;
  bool outlived_ = false;
  std::string limit_;
  std::uint64_t ended_before_ = 0;
  std::optional<int> exit_code_;
  std::string not_run_;
  bool refused_ = false;
};

}  // namespace reshape::conformance
