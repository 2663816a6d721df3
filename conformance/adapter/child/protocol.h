#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"
#include "reference/tensor/result.h"
#include "reference/tensor/shape.h"

namespace reshape::conformance {

// The lines of CHILD_PROTOCOL.md, without line ends. The readers accept any line: the result is a
// value within the model's ranges, or an Error that says in one sentence what is wrong.

inline constexpr int kChildProtocol = 1;
inline constexpr std::size_t kLongestHello = std::size_t{1} << 16;

// The hello that a child sends before the first question.
Result<Capabilities> read_hello(std::string_view line);

// `data`: the elements, row-major and packed; absent where the shape alone is asked.
std::string question_line(std::int64_t id, const Request& request,
                          std::optional<std::span<const std::byte>> data);

// A child's answer to one question.
struct ChildAnswer {
  Outcome::Kind kind = Outcome::Kind::produced;  // or rejected, or unsupported
  Shape shape;                                   // produced
  // Produced: the output's elements, row-major and packed. Absent where no data was sent, and where
  // the shape has another volume than the data.
  std::optional<std::vector<std::byte>> data;
  std::string message;  // of the others
};
Result<ChildAnswer> read_answer(std::string_view line, std::int64_t id, const Request& request,
                                bool data_was_sent);

// The longest valid answer, in bytes, to this much data.
std::size_t longest_answer(std::size_t bytes_sent);

}  // namespace reshape::conformance
