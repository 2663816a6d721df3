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

// Infers and executes one request repeatedly without any watch in between: calls that are
// microseconds apart rarely hit races of nanoseconds. Requests of few elements are executed, with any
// strides, and where overlaps are declared once more with the output over the data, and viewed where
// views are declared; larger ones, and those whose output has an offset, are only inferred.
class BareCalls {
 public:
  // `salt` varies the elements, so that concurrent calls of one request differ. Asks once, alone,
  // for the reference answer. Requests of more than `most_elements` are only inferred.
  enum class Alone { now, later };  // later: by ask_first()
  BareCalls(const PluginLibrary& library, const Request& request, unsigned salt,
            std::int64_t most_elements = 64, Alone alone = Alone::now);

  // Asks for the first time, possibly beside other threads. Calls `meet` twice: directly before
  // inferring the request, and directly before inferring and executing it.
  void ask_first(const std::function<void()>& meet);

  // Executes into `shape`, which nothing has inferred for it: before any other call.
  void execute_uninferred(const Shape& shape);
  // Whether it has inferred another shape since, or none.
  bool infers_otherwise() const;
  // How that was answered, in words, where it is wrong and asked later is right.
  std::optional<std::string> wrong_uninferred() const;

  // Both answers in words, where that to ask_first() differs from that of `other` to the same
  // request. `how` the other was asked: "alone".
  std::optional<std::string> differs_from(const BareCalls& other, const char* how) const;

  bool executes() const { return executes_; }
  // Bytes that belong to nobody, in the gaps of the output and behind its last byte, up to the next
  // page.
  std::vector<std::byte*> bytes_of_nobody();
  // Executes so often, and looks at no answer. How it threw, where it did. Precondition: executes().
  std::optional<std::string> execute(int times);

  // Asks `times` times, or until `end`. `differing`: how an answer differed from that alone, in a
  // sentence that begins with `where` ("beside other threads").
  struct Asked {
    std::optional<std::string> differing;
    int alike = 0;           // calls before it
    bool cut_short = false;  // stopped at `end`
  };
  Asked ask(const char* where, int times, std::chrono::steady_clock::time_point end);

  // Asks once while the process gets no more memory. Returns what is wrong (unless the process
  // dies): an answer that is neither the one alone nor `failed`, or an output that a failed
  // execution wrote to. Precondition: executes().
  std::optional<std::string> ask_without_memory();
  // The same in a process that can start no thread. Nothing where it throws: the C++ library throws
  // where a thread cannot be started.
  std::optional<std::string> ask_without_threads();

 private:
  struct Answer {
    int inferred = 0;
    std::vector<std::int64_t> shape;
    int executed = 0;
    int overlapped = 0;  // executed over the data
    int viewed = 0;
    bool operator==(const Answer&) const = default;
  };
  bool place_output();
  void place_over_data(const Layout& output, const Extent& extent);
  void open_view(const Shape& shape);
  // kOtherElements where it is another one than the first.
  int view();
  int executed_now();
  Answer call();
  void call(Answer& answer);
  std::string words(const Answer& answer) const;
  // With the message of the last call, whose answer it is.
  std::string words_of_last(const Answer& answer) const;
  // What is wrong with the answer to a call in need, in a sentence that begins with `where`.
  std::optional<std::string> neither_alike_nor_failed(const std::string& where,
                                                      const Answer& answer) const;

  // Where the elements of a view lie. The strides of sizes of 1 say nothing and are 0.
  struct View {
    const std::byte* first = nullptr;
    std::vector<std::int64_t> strides;
  };

  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  using Bytes = std::unique_ptr<std::byte[], Free>;
  static Bytes pages_for(std::size_t bytes);  // null where there is no memory
  void lay_out(const Request& request, std::int64_t count, unsigned salt);

  const PluginLibrary& library_;
  const reshape_plugin& table_;
  DlRequest arguments_, over_data_, viewing_;
  bool ready_ = false;
  std::optional<std::int64_t> count_;  // elements to execute; absent: only inferred
  ElementType type_;
  bool executes_ = false;
  std::optional<Strides> strides_, out_strides_;
  Extent data_extent_;
  std::size_t size_ = 0;  // bytes of the output, with its gaps
  Bytes data_, output_;
  bool views_ = false;
  std::optional<View> first_view_;
  Bytes both_;  // the data, and the output over it; null: not executed so
  std::vector<std::byte> before_, right_over_data_;  // what both_ holds before and after
  std::vector<std::byte> elements_;                  // packed
  std::vector<std::byte> right_;                     // the right output
  std::vector<std::int64_t> sizes_;
  Answer alone_;
  std::vector<std::int64_t> executed_shape_;  // by execute_uninferred()
  std::optional<std::string> uninferred_;     // how execute_uninferred() was answered, in words
};

}  // namespace reshape::conformance
