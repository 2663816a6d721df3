#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "conformance/self/displace.h"
#include "reference/tensor/tensor_view.h"

// The words of mutants that get few elements of many wrong: no list of all elements is made, so that
// they can be asked of tensors of any size.
namespace reshape::conformance::self {

inline std::uint64_t element_at(const Walk& walk, const DLTensor& tensor, std::int64_t number) {
  return load_element(walk.type(), start_of(tensor), walk.position(number));
}

inline void set_element(const Walk& walk, const DLTensor& tensor, std::int64_t number,
                        std::uint64_t bits) {
  store_element(walk.type(), start_of(tensor), walk.position(number), bits);
}

using Numbers = std::vector<std::int64_t>;

// The elements of [begin, count), and of those at most 4096: enough to be seen.
inline Numbers from_to_end(std::int64_t begin, std::int64_t count) {
  Numbers numbers;
  for (std::int64_t at = begin; at < count && at < begin + 4096; ++at) numbers.push_back(at);
  return numbers;
}
inline Numbers the_last(const Walk& out) { return {out.count() - 1}; }

// Leaves the elements of the output that lost(data, output) names as they were; asked only where
// wrong(data, output) says so.
template <typename Wrong, typename Lost>
void loses(reshape_plugin& table, Wrong, Lost) {
  table.execute = [](const reshape_request* request, DLTensor* out, reshape_message* why) {
    const Walk data(*request->data), output(*out);
    std::vector<std::pair<std::int64_t, std::uint64_t>> before;
    if (out->data != nullptr && output.count() > 0 && Wrong{}(data, output)) {
      for (std::int64_t at : Lost{}(data, output)) {
        before.emplace_back(at, element_at(output, *out, at));
      }
    }
    const reshape_status status = right().execute(request, out, why);
    if (status != RESHAPE_OK) return status;
    for (const auto& [at, bits] : before) set_element(output, *out, at, bits);
    return status;
  };
}

// Executes rightly; then the elements of the output that moved(data, output) names, as pairs of what
// is written and what is read, are those of the data that it names.
using Moves = std::vector<std::pair<std::int64_t, std::int64_t>>;
template <typename Wrong, typename Moved>
void moves(reshape_plugin& table, Wrong, Moved) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    const Walk data(*request.data), output(out);
    if (output.count() == 0 || !Wrong{}(data, output)) return;
    std::vector<std::pair<std::int64_t, std::uint64_t>> after;
    for (const auto& [to, from] : Moved{}(data, output)) {
      after.emplace_back(to, element_at(data, *request.data, from));
    }
    for (const auto& [at, bits] : after) set_element(output, out, at, bits);
  });
}

// Two axes, the inner one dense, with a gap behind each row; or the outer one dense: transposed.
inline bool rows_with_gaps(const Walk& walk) {
  return walk.rank() == 2 && walk.stride(1) == 1 && walk.stride(0) > walk.size(1);
}

inline bool lies_turned(const Walk& walk) {
  return walk.rank() == 2 && walk.stride(0) == 1 && walk.stride(1) > 1;
}

// The last element of each row, and the one before it in its place.
inline Moves ends_of_rows(std::int64_t row, std::int64_t count) {
  Moves wrong;
  for (std::int64_t at = row - 1; at < count; at += row) {
    if (row > 1) wrong.emplace_back(at, at - 1);
  }
  return wrong;
}

}  // namespace reshape::conformance::self
