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
#include "reference/tensor/result.h"

namespace reshape::conformance {

// A program that reads lines and answers each with a line, from its start to its end. It runs in the
// folder of this program, below a supervisor (see supervisor.h). When this is destroyed it ends, with
// all that it started.
class LineProcess {
 public:
  // The first word is the program, looked for as a shell looks for it. The error is the machine's, which has no
  // room for another process, or not for what one needs.
  static Result<std::unique_ptr<LineProcess>> start(const std::vector<std::string>& words);
  ~LineProcess();
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  enum class Reply {
    answered,
    died,     // it ended, or closed one of its pipes: see death()
    late,     // no line in the time for it
    flooded,  // more than the longest line, and no end of it
    spoke,    // a line before it had been asked, or had read all of the question
  };

  // Sends `question` and the end of its line (null: only listens) and waits for one line, of `longest`
  // bytes at most. The process is still there after `answered` only.
  Reply exchange(const std::string* question, std::size_t longest, TimeToAnswer& time,
                 std::string& line);

  // There is more behind the line that was answered last.
  bool says_more() const { return !heard_.empty(); }
  // True when the process ended although nothing was asked of it.
  bool gone();

  // After `died`, or gone(): how, in words. "died of SIGSEGV (...)", "ended with exit(0)",
  // "closed its standard output". Empty where the program could not be run at all: see not_run().
  const std::string& death() const { return death_; }
  // After `died`: the limit of the shell or the container that ended it, in words, or nothing.
  const std::string& limit() const { return limit_; }
  // The code that it ended with, or nothing where it was ended or died of a signal.
  std::optional<int> exit_code() const { return exit_code_; }
  // Why the program could not be run, or nothing.
  const std::string& not_run() const { return not_run_; }
  // It was the machine that refused to run it, for want of room.
  bool refused() const { return refused_; }
  std::string last_words() const { return last_words_.line(); }

 private:
  LineProcess() = default;
  bool take_line(std::string& line);
  bool send_some(std::string_view& rest);
  bool read_some();  // false: it closed its output
  void end(End how, const char* unless_ended = "was ended");

  pid_t process_ = -1;
  int input_ = -1;    // what it reads
  int output_ = -1;   // what it answers
  int printed_ = -1;  // its standard error
  int leash_ = -1;    // of the supervisor, which says here why the program cannot be run
  int watch_ = -1;    // becomes readable when the process ends; -1: not available
  std::string heard_;
  std::size_t searched_ = 0;  // of heard_, without a line end
  LastWords last_words_;
  std::string death_;
  std::string limit_;
  std::uint64_t ended_before_ = 0;
  std::optional<int> exit_code_;
  std::string not_run_;
  bool refused_ = false;
};

}  // namespace reshape::conformance
