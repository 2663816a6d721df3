#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "conformance/self/spoil.h"

// The words of mutants that get the bytes wrong: which element went where.
namespace reshape::conformance::self {

// A tensor as a walk sees it: where its elements lie, and by what number and index they are counted.
class Walk {
 public:
  explicit Walk(const DLTensor& tensor);

  ElementType type() const { return type_; }
  std::int64_t width() const { return bits(type_); }  // of an element, in bits
  std::int64_t count() const { return count_; }
  std::int64_t bytes() const { return count_ * width() / 8; }  // of the elements alone
  std::size_t rank() const { return layout_.shape.rank(); }
  std::int64_t size(std::size_t axis) const { return layout_.shape[axis]; }
  std::int64_t stride(std::size_t axis) const { return layout_.strides[axis]; }
  const Layout& layout() const { return layout_; }

  // The size and the stride from the end: last(0) is the innermost axis. 1 and 0 where there is none.
  std::int64_t last_size(std::size_t from_end) const;
  std::int64_t last_stride(std::size_t from_end) const;

  std::vector<std::int64_t> index(std::int64_t number) const;
  // Of an index that may have run over its sizes: such entries begin again.
  std::int64_t number(std::vector<std::int64_t> index) const;
  std::int64_t position(std::int64_t number) const;

  bool dense() const { return is_row_major_dense(layout_); }
  bool any_stride(const std::function<bool(std::int64_t)>& is) const;  // of axes larger than 1
  bool backwards() const;
  bool repeats() const;   // some stride is 0
  bool permuted() const;  // an axis has a smaller stride than one behind it
  bool gaps() const;      // more positions than elements

 private:
  ElementType type_;
  Layout layout_;
  std::int64_t count_;
};

// The start of the first element.
std::uintptr_t address_of(const DLTensor& tensor);
bool in_place(const reshape_request& request, const DLTensor& output);

// The elements of a tensor in row-major order, and back.
std::vector<std::uint64_t> collect(const DLTensor& tensor);
void put(DLTensor& tensor, const std::vector<std::uint64_t>& elements);

// One execution: what was asked, and both tensors as walks.
struct Copy {
  Copy(const reshape_request& asked, DLTensor& written)
      : request(asked), output(written), data(*asked.data), out(written) {}

  const reshape_request& request;
  DLTensor& output;
  Walk data, out;
};

// The places of both, from the first to the last of each, meet.
bool overlapping(const Copy& copy);

// Lengths that a loop does not expect: so much behind blocks, of those above `beyond`.
using Length = std::function<bool(std::int64_t)>;
inline Length tail(std::int64_t block, std::int64_t rest, std::int64_t beyond = 0) {
  return [=](std::int64_t length) { return length > beyond && length % block == rest; };
}
inline Length behind(std::int64_t block, std::int64_t rest) { return tail(block, rest, block); }
inline Length whole(std::int64_t block) { return tail(block, 0); }
inline Length exactly(std::int64_t length) { return tail(INT64_MAX, length); }
inline Length at_least(std::int64_t length) { return tail(1, 0, length - 1); }

// Which executions are done wrongly, and what is wrong with element n of the output.
using Where = std::function<bool(const Copy&)>;
using Which = std::function<bool(const Copy&, std::int64_t)>;
// Where wrong layouts alone decide.
using WhereData = std::function<bool(const Walk&)>;

// Executes rightly; then the n-th element of the output becomes the one of the data at
// source(copy, n). A negative source leaves it.
Steps takes_another(Where wrong, std::function<std::int64_t(const Copy&, std::int64_t)> source);

// The data is read over an index that another way of counting comes to.
Steps reads_at_another_index(WhereData wrong,
                             std::function<void(const Walk&, std::vector<std::int64_t>&)> change);

// Leaves the elements of the output as they were for which keeps(copy, n) is true.
Steps leaves(Where wrong, Which keeps);

// Executes rightly; then change(the elements of the output).
Steps spoils_where(Where wrong, std::function<void(Elements&)> change);

// Of the following no list of all elements is made, so that they can be asked of tensors of any size.
std::uint64_t element_at(const Walk& walk, const DLTensor& tensor, std::int64_t number);
void set_element(const Walk& walk, const DLTensor& tensor, std::int64_t number, std::uint64_t bits);

using Numbers = std::vector<std::int64_t>;
// The elements of [begin, count), and of those at most 4096: enough to be seen.
Numbers from_to_end(std::int64_t begin, std::int64_t count);

// Leaves the elements of the output that lost(copy) names as they were.
Steps loses(Where wrong, std::function<Numbers(const Copy&)> lost);
Steps loses_the_first(Where wrong);
Steps loses_the_last(Where wrong);

// Executes rightly; then the elements of the output that moved(copy) names, as pairs of what is
// written and what is read, are those of the data that it names.
using Moves = std::vector<std::pair<std::int64_t, std::int64_t>>;
Steps moves(Where wrong, std::function<Moves(const Copy&)> moved);
// The last element is the one before it.
Steps repeats_before_the_last(Where wrong);
// From `begin` on, each is the one `back` before it.
Moves shifted(std::int64_t begin, std::int64_t count, std::int64_t back);
// The last element of each row, and the one before it in its place.
Moves ends_of_rows(std::int64_t row, std::int64_t count);

// Two axes, the inner one dense, with a gap behind each row; or the outer one dense: transposed.
bool rows_with_gaps(const Walk& walk);
bool lies_turned(const Walk& walk);
// Of any rank, the last two axes lie transposed.
bool turned(const Walk& walk);

}  // namespace reshape::conformance::self
