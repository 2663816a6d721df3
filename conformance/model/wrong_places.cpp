// Describes which elements are wrong by their positions in the output, in the data, and in memory.
#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "conformance/model/compared_elements.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

class Places {
 public:
  explicit Places(const ComparedElements& elements)
      : elements_(elements),
        count_(elements.count),
        bits_(bits(elements.request.data_type)),
        first_(elements.wrong.front()),
        last_(elements.wrong.back()) {}

  std::vector<ElementFact> all() && {
    if (count_ > 1) {
      look();
      return std::move(facts_);
    }
    // All of this is true of a single element, and says little by itself.
    return {{"the first element", 1, false},
            {"the last element", 1, false},
            {"every element", 1, false},
            {"the last element of each row", 1, false}};
  }

 private:
  std::int64_t wrong() const { return std::ssize(elements_.wrong); }

  // Whether the wrong elements are most of the `there` elements that include them. Narrow elements
  // are often right by coincidence, so fewer are enough.
  bool are_most_of(std::int64_t there) const { return wrong() * (bits_ >= 16 ? 2 : 4) >= there; }
  // Whether there are some in each of eight equal parts.
  bool are_all_over() const {
    const std::int64_t parts = std::min<std::int64_t>(8, count_);
    std::set<std::int64_t> with_some;
    for (const std::int64_t at : elements_.wrong) {
      with_some.insert(static_cast<std::int64_t>(static_cast<__int128>(at) * parts / count_));
    }
    return std::ssize(with_some) == parts;
  }
  double share_of(std::int64_t there) const {
    return static_cast<double>(there) / static_cast<double>(count_);
  }
  std::int64_t counted(std::int64_t there) const { return wrong() < there ? wrong() : 0; }
  void add(std::string says, std::int64_t there) {
    if (are_most_of(there)) {
      facts_.push_back({std::move(says), share_of(there), true, counted(there)});
    }
  }
  // Adds a fact that says less than its share of the elements suggests.
  void add_vague(std::string says, std::int64_t there) {
    if (!are_most_of(there)) return;
    facts_.push_back({std::move(says), (1 + share_of(there)) / 2, true, counted(there)});
  }

  template <typename Condition>
  void add_where(const std::string& says, std::int64_t there, Condition condition) {
    if (std::ranges::all_of(elements_.wrong, condition)) add(says, there);
  }

  void look() {
    if (wrong() == count_)
      add("every element", count_);
    else if (are_most_of(count_) && are_all_over())
      facts_.push_back({"elements all over the output", 1});
    look_at_ends();
    look_at_parts();
    look_at_blocks(count_, "");
    look_at_axes(elements_.shape, "");
    if (elements_.request.data != elements_.shape) {
      look_at_axes(elements_.request.data, " of the data");
    }
    look_at_memory();
    look_at_turns();
  }

  void look_at_ends() {
    const std::int64_t behind = count_ - first_, before = last_ + 1;
    if (first_ > 0) {
      add(behind == 1 ? "the last element" : "the last " + number(behind) + " elements", behind);
      if (behind > 1) add("the elements from " + number(first_) + " on", behind);
      add_byte("the elements from byte ", first_, " on", behind);
      if (behind * bits_ % 8 == 0 && behind > 1) {
        add("the last " + number(behind * bits_ / 8) + " bytes", behind);
      }
      if (last_ == count_ - 1) add_vague("a run that ends with the last element", behind);
    }
    if (before < count_) {
      add(before == 1 ? "the first element" : "the first " + number(before) + " elements", before);
      add_byte("the elements before byte ", before, "", before);
      if (first_ == 0) add_vague("a run that begins with the first element", before);
    }
    if (first_ > 0 && before < count_) {
      const std::int64_t run = before - first_;
      add(run == 1 ? "element " + number(first_)
                   : "the " + number(run) + " elements from " + number(first_) + " on",
          run);
      if (first_ * bits_ % 8 == 0 && run * bits_ % 8 == 0) {
        add("the " + number(run * bits_ / 8) + " bytes from byte " + number(first_ * bits_ / 8) +
                " on",
            run);
      }
    }
  }

  void add_byte(const char* from, std::int64_t position, const char* on, std::int64_t there) {
    if (position * bits_ % 8 == 0) add(from + number(position * bits_ / 8) + on, there);
  }

  // Equal parts, as threads divide the work.
  void look_at_parts() {
    constexpr std::int64_t kMostParts = 16;
    if (last_ != count_ - 1) return;
    for (std::int64_t parts = 2; parts <= kMostParts; ++parts) {
      const std::int64_t part = count_ / parts;
      if (part > 1 && first_ == count_ - part) {
        add(parts == 2 ? "the second half" : "the last of " + number(parts) + " equal parts", part);
      }
    }
  }

  // The tail that blocks of a loop leave over of each run of `run` elements.
  void look_at_blocks(std::int64_t run, const std::string& of) {
    const auto look_at = [&](std::int64_t block, const std::string& full) {
      const std::int64_t rest = run % block;
      if (rest == 0 || run < block) return;
      add_where("what is left behind the last full " + full + of, count_ / run * rest,
                [&](std::int64_t at) { return at % run >= run - rest; });
    };
    for (const std::int64_t block : {2, 4, 8, 16, 32, 64, 128}) {
      look_at(block, number(block) + " elements");
    }
    for (const std::int64_t bytes :
         {8, 16, 32, 64, 128, 256, 512, 1024, 4096, 16384, 32768, 65536, 1 << 20}) {
      look_at(bytes * 8 / bits_, number(bytes) + " bytes");
    }
  }

  void look_at_turns() {
    constexpr std::int64_t kMostApart = 64;
    std::int64_t step = 0;
    for (const std::int64_t at : elements_.wrong) step = std::gcd(step, at - first_);
    if (wrong() < 3 || step < 2) return;
    for (std::int64_t apart = 2; apart <= std::min(step, kMostApart); ++apart) {
      if (step % apart != 0) continue;
      const std::int64_t begin = first_ % apart;
      add("every " + number(apart) +
              (apart == 2   ? "nd"
               : apart == 3 ? "rd"
                            : "th") +
              " element, element " + number(begin) + " the first of them",
          (count_ - begin + apart - 1) / apart);
    }
  }

  void look_at_axes(const Shape& shape, const std::string& of) {
    if (shape.rank() == 0) return;
    std::int64_t inner = count_;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
      const std::int64_t size = shape[axis];
      inner /= size;
      if (size > 1) look_at_axis(axis, size, inner, axis + 1 == shape.rank(), of);
    }
    look_at_corners(shape, of);
    const std::int64_t row = shape.sizes().back();
    if (row > 1) look_at_blocks(row, " of each row" + of);
    if (row > 1 && row < count_) look_for_whole_rows(row, of);
  }

  void look_at_axis(std::size_t axis, std::int64_t size, std::int64_t inner, bool is_row,
                    const std::string& of) {
    const auto index = [=](std::int64_t at) { return at / inner % size; };
    std::int64_t low = size, high = 0;
    for (const std::int64_t at : elements_.wrong) {
      low = std::min(low, index(at));
      high = std::max(high, index(at));
    }
    const std::int64_t each = count_ / size;
    const std::string name = " of axis " + number(static_cast<std::int64_t>(axis)) + of;
    const auto say = [&](const std::string& where, const std::string& in_row, std::int64_t there) {
      if (is_row) add(in_row + " of each row" + of, there);
      add(where + name, there);
    };
    if (low == size - 1) say("the last index", "the last element", each);
    if (high == 0) say("index 0", "the first element", each);
    if (low > 0 && low < size - 1) {
      say("index " + number(low) + " or more", "what is from element " + number(low) + " on",
          (size - low) * each);
      if (size - low > 1) {
        say("the last " + number(size - low) + " indices",
            "the last " + number(size - low) + " elements", (size - low) * each);
      }
    }
    if (high < size - 1 && high > 0) {
      say("index " + number(high) + " or less", "the first " + number(high + 1) + " elements",
          (high + 1) * each);
    }
  }

  // The corner that tiles leave over in both directions: the last columns of the last rows.
  void look_at_corners(const Shape& shape, const std::string& of) {
    const std::int64_t row = shape.sizes().back();
    if (shape.rank() < 2 || row < 2 || count_ / row < 2) return;
    std::int64_t first_row = count_ / row, first_column = row;
    for (const std::int64_t at : elements_.wrong) {
      first_row = std::min(first_row, at / row);
      first_column = std::min(first_column, at % row);
    }
    if (first_row == 0 || first_column == 0) return;
    const std::int64_t there = (count_ / row - first_row) * (row - first_column);
    add("row " + number(first_row) + of + " or behind, and there column " + number(first_column) +
            " or behind",
        there);
    for (const std::int64_t tile : {4, 8, 16, 32, 64, 128}) {
      const std::int64_t rows = count_ / row % tile, columns = row % tile;
      if (rows == 0 || columns == 0 || first_row < count_ / row - rows ||
          first_column < row - columns) {
        continue;
      }
      add("the corner behind the last full " + number(tile) + " by " + number(tile) + " elements" +
              of,
          rows * columns);
    }
  }

  void look_for_whole_rows(std::int64_t row, const std::string& of) {
    if (wrong() == count_ || wrong() % row != 0) return;
    for (std::int64_t at = 0; at < wrong(); at += row) {
      const std::int64_t begin = elements_.wrong[static_cast<std::size_t>(at)];
      const std::int64_t end = elements_.wrong[static_cast<std::size_t>(at + row - 1)];
      if (begin % row != 0 || end != begin + row - 1) return;
    }
    constexpr double kSaysLittle = 0.99;  // which rows they are would say more
    facts_.push_back({"whole rows" + of, kSaysLittle});
  }

  // The distance from the first element in memory, where strides are written out.
  void look_at_memory() {
    const Request& request = elements_.request;
    if (request.strides && request.strides->size() == request.data.rank()) {
      look_at_reach({request.data, *request.strides, 0}, "the data's");
    }
    if (request.out_strides && request.out_strides->size() == elements_.shape.rank()) {
      look_at_reach({elements_.shape, *request.out_strides, 0}, "the output's");
    }
  }

  void look_at_reach(const Layout& layout, const std::string& whose) {
    constexpr std::int64_t kMost = std::int64_t{1} << 20;
    if (count_ > kMost) return;
    RowMajorWalk walk(layout);
    std::optional<std::int64_t> nearest;
    std::size_t next = 0;
    std::vector<std::int64_t> right;
    for (std::int64_t at = 0; at < count_; ++at, walk.next()) {
      if (next < elements_.wrong.size() && elements_.wrong[next] == at) {
        nearest = std::min(nearest.value_or(walk.position()), walk.position());
        ++next;
      } else {
        right.push_back(walk.position());
      }
    }
    if (!nearest || *nearest <= 0 || *nearest > INT64_MAX / 64 || *nearest * bits_ % 8 != 0) return;
    const auto beyond = std::ranges::count_if(right, [&](auto place) { return place >= *nearest; });
    add("what lies " + number(*nearest * bits_ / 8) + " bytes or more behind " + whose +
            " first element",
        wrong() + beyond);
  }

  const ComparedElements& elements_;
  const std::int64_t count_;
  const int bits_;
  const std::int64_t first_, last_;
  std::vector<ElementFact> facts_;
};

}  // namespace

std::vector<ElementFact> facts_about_places(const ComparedElements& elements) {
  return Places(elements).all();
}

}  // namespace reshape::conformance
