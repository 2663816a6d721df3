#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/self/condition.h"
#include "conformance/self/spoil.h"

// The vocabulary of mutants that get the bytes wrong: which element goes where.
namespace reshape::conformance::self {

// A tensor as numbered elements: their positions in memory, row-major numbers and indices.
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

  // The size and the stride from the end: last(0) is the innermost axis. 1 and 0 where there is
  // none.
  std::int64_t last_size(std::size_t from_end) const;
  std::int64_t last_stride(std::size_t from_end) const;

  std::vector<std::int64_t> index(std::int64_t number) const;
  // The row-major number of an index, whose entries are taken modulo their sizes.
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

// The elements of a tensor in row-major order, and back.
std::vector<std::uint64_t> collect(const DLTensor& tensor);
void put(DLTensor& tensor, const std::vector<std::uint64_t>& elements);
// The same with other strides. What would lie outside of the tensor is read from its ends.
std::vector<std::uint64_t> collect_by(const Strides& strides, const DLTensor& tensor);

// One execution: the request, and both tensors as walks.
struct Copy {
  Copy(const reshape_request& asked, DLTensor& written)
      : request(asked), output(written), data(*asked.data), out(written) {}

  const reshape_request& request;
  DLTensor& output;
  Walk data, out;
};

// A property of a tensor, with words that follow "data" or "an output".
using Trait = Said<Walk>;
inline Trait operator&&(const Trait& one, const Trait& other) { return both(one, other, ", "); }

// Which executions are wrong: with words, and without.
using When = Said<Copy>;
using Where = Condition<Copy>;
inline When operator&&(const When& one, const When& other) { return both(one, other, " and "); }
// The same without words.
inline Trait unsaid(const Trait& trait) { return {"", trait}; }
When of_data(const Trait& trait);
When of_output(const Trait& trait);
When of_both(const Trait& trait);

// A condition on a length, a stride or another number, with its words.
class Length {
 public:
  Length(std::int64_t exactly);  // NOLINT(google-explicit-constructor): rank_is(3)
  Length(Condition<std::int64_t> holds, std::string words)
      : holds_(std::move(holds)), words_(std::move(words)) {}

  bool operator()(std::int64_t length) const { return holds_(length); }
  const std::string& words() const { return words_; }  // "8n + 4"
  std::string of(std::string_view unit) const;         // "8n + 4 rows"

 private:
  Condition<std::int64_t> holds_;
  std::string words_;
};

// Lengths above `beyond` that leave a remainder of `rest` behind full blocks.
Length tail(std::int64_t block, std::int64_t rest, std::int64_t beyond = 0);
Length behind(std::int64_t block, std::int64_t rest);  // and at least one full block
Length whole(std::int64_t block);
Length tails(std::int64_t block, std::int64_t first,
             std::int64_t last);  // behind(block, any of them)
Length at_least(std::int64_t length);
Length above(std::int64_t length);
Length below(std::int64_t length);

Trait rank_is(const Length& length);
Trait width_is(const Length& length);  // of an element, in bits
Trait count_is(const Length& length);
Trait bytes_are(const Length& length);
Trait from_kib(std::int64_t kib);  // at least
constexpr std::int64_t kMiB = 1024;
Trait type_is(ElementType type);
Trait size_is(std::size_t axis, const Length& length);  // where there is such an axis
Trait stride_is(std::size_t axis, const Length& length);
Trait last_size_is(const Length& length);  // of the innermost axis
Trait last_stride_is(const Length& length);

inline const Trait kAny{"", [](const Walk&) { return true; }};
inline const Trait kDense{"without gaps", &Walk::dense};
inline const Trait kStrided{"with strides", [](const Walk& walk) { return !walk.dense(); }};
inline const Trait kBackwards{"walked backwards", &Walk::backwards};
inline const Trait kForwards{"", [](const Walk& walk) { return !walk.backwards(); }};
inline const Trait kRepeated{"that repeats", &Walk::repeats};
inline const Trait kPermuted{"with permuted axes", &Walk::permuted};
inline const Trait kGapped{"with gaps", &Walk::gaps};
inline const Trait kGapless{"without gaps", [](const Walk& walk) { return !walk.gaps(); }};
inline const Trait kOneRow{"", [](const Walk& walk) { return walk.last_size(0) == walk.count(); }};
// Two axes, the inner one dense, with a gap behind each row; or the outer one dense.
inline const Trait kRowsWithGaps{"of rows with gaps between them", [](const Walk& walk) {
                                   return walk.rank() == 2 && walk.stride(1) == 1 &&
                                          walk.stride(0) > walk.size(1);
                                 }};
inline const Trait kTransposed{
    "that lies transposed",
    [](const Walk& walk) { return walk.rank() == 2 && walk.stride(0) == 1 && walk.stride(1) > 1; }};
// Of any rank.
inline const Trait kTurned{"with transposed last axes", [](const Walk& walk) {
                             return walk.rank() >= 2 && walk.last_size(0) > 1 &&
                                    walk.last_size(1) > 1 && walk.last_stride(1) == 1 &&
                                    walk.last_stride(0) > 1;
                           }};

bool in_place(const Copy& copy);
// Whether the memory ranges of both sides overlap.
bool overlapping(const Copy& copy);
inline const When kEveryCopy{"", [](const Copy&) { return true; }};
inline const When kInPlace{"calls in place", in_place};
inline const When kApart{"", [](const Copy& copy) { return !in_place(copy); }};
// Where a buffer begins within a block of `line` bytes.
When data_begins(std::int64_t line, const Length& at);
When output_begins(std::int64_t line, const Length& at);
When aligned_differently(std::int64_t line);

// What is wrong with a copy; a row says where. An effect without words needs a row with a sentence.
using Effect = EffectOn<Copy>;

// Executes correctly, then calls change(copy) if there are elements.
Effect spoils(std::function<void(const Copy&)> change);
Effect spoils_elements(std::function<void(Elements&)> change);  // of the output

// Executes correctly; then the n-th element of the output becomes the data's element source(copy,
// n). A negative source leaves it.
Effect takes_another(std::function<std::int64_t(const Copy&, std::int64_t)> source);

// Reads each element at the index that `change` makes of the right one.
using Index = std::vector<std::int64_t>;
Effect reads_at_another_index(std::function<void(const Walk&, Index&)> change);

// An element of the output, of what it was before, and of what it should be.
struct Element {
  std::int64_t number;
  std::uint64_t before, now;
};
// Executes; then the elements of the output are mix(copy, element).
Effect mixes(std::function<std::uint64_t(const Copy&, const Element&)> mix);
// Leaves the elements of the output as they were for which keeps(copy, n) is true.
Effect leaves(std::function<bool(const Copy&, std::int64_t)> keeps);
// Whether a place of a row of `size` elements is behind its last full block.
bool behind_blocks(std::int64_t at, std::int64_t size, std::int64_t block);
// Leaves what is behind the last full block of each row of the output.
Effect loses_tails_of_rows(std::int64_t block);

// The following build no list of all elements, so they work for tensors of any size.
std::uint64_t element_at(const Walk& walk, const DLTensor& tensor, std::int64_t number);
void set_element(const Walk& walk, const DLTensor& tensor, std::int64_t number, std::uint64_t bits);

using Numbers = std::vector<std::int64_t>;
// The elements of [begin, count), at most 4096: enough to be noticed.
Numbers from_to_end(std::int64_t begin, std::int64_t count);

// Leaves the elements of the output that lost(copy) names as they were.
Effect loses(std::function<Numbers(const Copy&)> lost);
Effect loses_from(std::function<std::int64_t(const Copy&)> begin);
Effect tail_lost(std::int64_t block);  // what is behind the last full block
extern const Effect kFirstLost, kMiddleLost, kLastLost, kLastRowLost, kEndsOfRowsLost;

// Executes correctly; then, for each pair (written, read) of moved(copy), copies that element of
// the data to that of the output.
using Moves = std::vector<std::pair<std::int64_t, std::int64_t>>;
Effect moves(std::function<Moves(const Copy&)> moved);
// From `begin` on, each element becomes the one `back` before it.
Moves shifted(std::int64_t begin, std::int64_t count, std::int64_t back);
extern const Effect kLastRepeats, kEndsOfRowsRepeatOthers;

}  // namespace reshape::conformance::self
