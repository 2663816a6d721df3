#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/adapter/contract/dl_request.h"
#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// One request, inferred and executed again and again with nothing watched between the calls: what threads
// do to each other within nanoseconds is seldom met by calls that lie microseconds apart. Requests of few elements, of data
// in whatever strides, are executed into a dense output; larger ones and those of a strided output are inferred only.
class BareCalls {
 public:
  // `salt` makes the elements others than those of the same request beside it. Asks once, alone.
  // Requests of more than `most_elements` are inferred only.
  enum class Alone { now, later };  // later: by ask_first()
  BareCalls(const PluginLibrary& library, const Request& request, unsigned salt,
            std::int64_t most_elements = 64, Alone alone = Alone::now);

  // Asks for the first time, whatever other threads do. `meet` is called twice: directly before the request is
  // inferred, and before it is inferred and executed.
  void ask_first(const std::function<void()>& meet);

  // Where the answer to ask_first() is not that of `other`, which was asked the same: both, in words. `how` the other was
  // asked: "alone".
  std::optional<std::string> differs_from(const BareCalls& other, const char* how) const;

  bool executes() const { return executes_; }

  // So many times, or until `end`. `differing` is what differed from the answer alone; `where` begins
  // its sentence: "beside other threads".
  struct Asked {
    std::optional<std::string> differing;
    bool cut_short = false;  // it was `end`
  };
  Asked ask(const char* where, int times, std::chrono::steady_clock::time_point end);

  // Asks once while the process gets no more memory. What is wrong then: a death aside, an answer that is
  // neither the one alone nor `failed`, or an output that a failed execution wrote to. Precondition:
  // executes().
  std::optional<std::string> ask_without_memory();

 private:
  struct Answer {
    int inferred = 0;
    std::vector<std::int64_t> shape;
    int executed = 0;
    bool operator==(const Answer&) const = default;
  };
  void lay_out(const Request& request, std::int64_t count, unsigned salt);
  Answer call();
  void call(Answer& answer);
  std::string words(const Answer& answer) const;

  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  using Bytes = std::unique_ptr<std::byte[], Free>;

  const reshape_plugin& table_;
  DlRequest arguments_;
  bool ready_ = false;
  std::optional<std::int64_t> count_;  // of the elements to execute, where they may be
  ElementType type_;
  bool executes_ = false;
  std::size_t size_ = 0;  // bytes of the elements
  Bytes data_, output_;
  std::vector<std::byte> right_;  // the elements as the output has to hold them
  std::vector<std::int64_t> sizes_;
  Answer alone_;
};

}  // namespace reshape::conformance
