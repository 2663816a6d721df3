// A law about very many layouts, each of which a kernel may have a way of its own for: steps, tiles
// and tails, the order of axes, the distance of rows, and how both sides are aligned.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/property/laws/answers.h"
#include "conformance/property/laws/laws.h"
#include "conformance/text/line.h"
#include "conformance/text/printable.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance::laws {
namespace {

// Requests of one element type, as far as they are promised.
class Layouts {
 public:
  // `known`: a type of which the document says what it does, where it leaves `type` open.
  Layouts(const Request& input, ElementType type, ElementType known, PropertyCheck& property)
      : property_(property), like_(PropertyCheck::dense(input)), known_(known) {
    like_.data_type = type;
    like_.shape_only = false;
    like_.payload.reset();
  }

  int width() const { return bits(like_.data_type); }
  std::vector<Request> take() { return std::move(requests_); }

  // Dense copies of so many elements, either side beginning so many elements behind an address
  // that is a multiple of every alignment.
  void add_dense(std::int64_t count, std::int64_t data, std::int64_t output) {
    Request request = property_.plain(like_, Shape{count}, Shape{count});
    request.offset = data;
    request.out_offset = output;
    add(std::move(request));
  }

  // Either side laid out with these strides, or dense where there are none.
  void add(const Shape& data, const std::optional<Strides>& strides, const Shape& output,
           const std::optional<Strides>& out_strides) {
    Request request = property_.plain(like_, data, output);
    request.strides = strides;
    request.out_strides = out_strides;
    if (strides) request.offset = -touched({data, *strides, 0}).first;
    if (out_strides) request.out_offset = -touched({output, *out_strides, 0}).first;
    add(std::move(request));
  }
  // `shape` laid out with these strides, from and into what is dense; and from what is laid out so.
  void add_both_ways(const Shape& shape, const Strides& strides) {
    const Shape row{element_count(shape).value_or(0)};
    add(shape, strides, row, std::nullopt);
    add(row, std::nullopt, shape, strides);
  }
  void add_alike(const Shape& shape, const Strides& strides) {
    add(shape, strides, shape, strides);
  }

 private:
  // The first element has to be aligned as declared, and to its own size.
  bool is_aligned(std::int64_t offset) const {
    const std::int64_t alignment =
        8 * std::max<std::int64_t>(1, property_.capabilities().alignment);
    return offset * width() % std::max<std::int64_t>(alignment, width()) == 0;
  }
  void add(Request request) {
    if (!is_aligned(request.offset) || !is_aligned(request.out_offset)) return;
    const ElementType type = std::exchange(request.data_type, known_);
    if (!property_.promised(request)) return;
    request.data_type = type;
    requests_.push_back(std::move(request));
  }

  PropertyCheck& property_;
  Request like_;
  ElementType known_;
  std::vector<Request> requests_;
};

// Copies in blocks bring each address of one side together with each of the other; what streams
// past the cache begins with a line of the output.
void add_addresses(Layouts& layouts, int width) {
  constexpr std::array<std::int64_t, 3> kBytes = {67, 261, 5003};
  constexpr std::array<std::int64_t, 2> kMany = {(1 << 20) + 5, (5 << 20) + 37};
  constexpr std::int64_t kVector = 16, kLine = 64;
  const std::int64_t vector = std::max<std::int64_t>(1, kVector * 8 / width);
  const std::int64_t line = kLine * 8 / width;
  const auto add = [&](std::int64_t bytes, std::int64_t of_line, std::int64_t of_vector) {
    const std::int64_t count = bytes * 8 / width;
    for (std::int64_t at = 0; at < line; at += of_line) layouts.add_dense(count, 0, at);
    for (std::int64_t at = 1; at < vector; at += of_vector) layouts.add_dense(count, at, 0);
  };
  for (const std::int64_t bytes : kBytes) add(bytes, 1, 1);
  for (const std::int64_t bytes : kMany) {
    add(bytes, std::max<std::int64_t>(1, line / 8), std::max<std::int64_t>(1, vector / 4));
  }
}

// Bands of an image, members of a structure; with a part of a block left, and none.
void add_steps(Layouts& layouts, Choices& choices) {
  constexpr std::int64_t kMostOften = 17, kMostStep = 33, kFarthest = 300;
  constexpr std::array<std::int64_t, 3> kCounts = {67, 128, 260};
  constexpr int kDrawn = 8;
  const auto add = [&](std::int64_t step, std::int64_t count) {
    for (const std::int64_t signed_step : {step, -step}) {
      layouts.add_both_ways(Shape{count}, Strides{signed_step});
      layouts.add_alike(Shape{count}, Strides{signed_step});
    }
    constexpr std::int64_t kTogether = 2;
    if (kTogether < step) layouts.add_both_ways(Shape{count, kTogether}, Strides{step, 1});
  };
  for (std::int64_t step = 2; step <= kMostOften; ++step) {
    for (const std::int64_t count : kCounts) add(step, count);
  }
  for (std::int64_t step = kMostOften + 1; step <= kMostStep; ++step) add(step, kCounts.front());
  for (int drawn = 0; drawn < kDrawn; ++drawn) {
    add(choices.between(kMostStep + 1, kFarthest), choices.one_of(kCounts));
  }
  layouts.add_both_ways(Shape{67}, Strides{-1});
}

// From one step into another one.
void add_unequal_steps(Layouts& layouts, Choices& choices) {
  constexpr std::int64_t kMostStep = 6, kFarthest = 33, kMostCount = 200;
  constexpr int kDrawn = 12;
  const auto add = [&](std::int64_t from, std::int64_t into, std::int64_t count) {
    layouts.add(Shape{count}, Strides{from}, Shape{count}, Strides{into});
  };
  for (std::int64_t from = 2; from <= kMostStep; ++from) {
    for (std::int64_t into = 2; into <= kMostStep; ++into) {
      if (from == into) continue;
      add(from, into, 67);
      add(choices.chance(50) ? from : -from, choices.chance(50) ? into : -into,
          choices.between(kFarthest, kMostCount));
    }
  }
  for (int drawn = 0; drawn < kDrawn; ++drawn) {
    add(choices.between(-kFarthest, -1), choices.between(1, kFarthest),
        choices.between(kFarthest, kMostCount));
  }
}

// Transposed, in blocks of any size with a part of a block left.
void add_tiles(Layouts& layouts, Choices& choices, int others) {
  constexpr std::array<std::int64_t, 30> kSizes = {3,  5,  7,  9,  11, 13, 14, 15, 17,  19,
                                                   23, 25, 26, 27, 31, 33, 35, 47, 49,  50,
                                                   51, 63, 65, 67, 95, 97, 98, 99, 129, 195};
  const auto add = [&](std::int64_t rows, std::int64_t columns) {
    layouts.add_both_ways(Shape{rows, columns}, Strides{1, rows});
  };
  for (const std::int64_t rows : kSizes) {
    for (int other = 0; other < others; ++other) {
      const std::int64_t columns = choices.one_of(kSizes);
      add(rows, columns);
      add(rows + choices.between(0, 3), columns + choices.between(0, 3));
    }
    add(rows, rows);
    // A tail in either axis of blocks of this size.
    add(2 * rows + 1, rows + 4);
  }
  // Each rest of a block of 32, where there are many and no more than a byte counts.
  constexpr std::int64_t kMany = 64, kBlock = 32, kByte = 255;
  for (std::int64_t rest = 0; rest < kBlock; ++rest) {
    add(kMany + kBlock * choices.between(0, 4) + rest, choices.between(kMany, kByte));
  }
}

// Rows of any length, with a distance that is longer.
void add_rows(Layouts& layouts) {
  constexpr std::int64_t kRows = 5, kMostColumns = 40, kMostApart = 3;
  for (std::int64_t columns = 1; columns <= kMostColumns; ++columns) {
    for (std::int64_t apart = 1; apart <= kMostApart; ++apart) {
      layouts.add_both_ways(Shape{kRows, columns}, Strides{columns + apart, 1});
    }
    layouts.add_both_ways(Shape{kRows, columns}, Strides{-columns - 1, 1});
    // Each before the last, with nothing between: what is moved beyond the end of a row is another's.
    const Shape shape{kRows, columns};
    layouts.add(shape, Strides{columns + 8, 1}, shape, Strides{-columns, 1});
    layouts.add(shape, Strides{-columns, 1}, shape, Strides{columns + 8, 1});
  }
}

// Short rows and loops within loops, of which there are so many that threads share them: what is left
// over of a part, or where the next one begins, is computed in another way than at the end.
void add_many_rows(Layouts& layouts, Choices& choices) {
  constexpr std::int64_t kBytes = 5 << 18;
  constexpr std::array<std::int64_t, 6> kColumns = {3, 5, 6, 7, 13, 24};
  for (const std::int64_t columns : kColumns) {
    const std::int64_t rows = kBytes * 8 / layouts.width() / columns + choices.between(1, 9);
    layouts.add_both_ways(Shape{rows, columns}, Strides{columns + choices.between(1, 3), 1});
  }
  for (const std::int64_t columns : {5, 48, 200}) {
    constexpr std::int64_t kRows = 17, kPlanes = 7;
    const std::int64_t images =
        kBytes * 8 / layouts.width() / (columns * kRows * kPlanes) + choices.between(1, 3);
    const std::int64_t row = columns + 1, plane = kRows * row + 4, image = kPlanes * plane + 8;
    const Shape shape{images, kPlanes, kRows, columns};
    layouts.add_both_ways(shape, Strides{image, plane, row, 1});
    layouts.add(Shape{kPlanes, images, kRows, columns}, Strides{plane, image, row, 1},
                Shape{kPlanes, images, kRows, columns}, std::nullopt);
  }
}

// Rows of any length with a step within, from and into rows with a gap between: what is left of a
// block is read or written one by one, or together with the gap.
void add_stepped_rows(Layouts& layouts) {
  constexpr std::int64_t kRows = 3, kMostColumns = 40;
  for (std::int64_t columns = 2; columns <= kMostColumns; ++columns) {
    const Shape shape{kRows, columns};
    const Strides apart = {columns + 1, 1};
    for (const Strides& stepped : {Strides{2 * columns, 2}, Strides{3 * columns, 3},
                                   Strides{columns, -1}, Strides{1, kRows}}) {
      layouts.add(shape, stepped, shape, apart);
      layouts.add(shape, apart, shape, stepped);
    }
  }
}

// Values that repeat along some axes, into what is dense and into rows with gaps.
void add_repeated(Layouts& layouts) {
  constexpr std::array<std::int64_t, 8> kColumns = {3, 8, 16, 17, 20, 33, 64, 67};
  const auto add = [&](const Shape& shape, const Strides& strides, std::int64_t columns) {
    layouts.add(shape, strides, shape, std::nullopt);
    for (const std::int64_t apart : {columns + 1, columns + 10}) {
      Strides rows = {apart, 1};
      if (shape.rank() == 3) rows.insert(rows.begin(), apart * shape[1]);
      layouts.add(shape, strides, shape, rows);
    }
    layouts.add(shape, strides, Shape{element_count(shape).value_or(0)}, Strides{2});
  };
  for (const std::int64_t columns : kColumns) {
    for (const Strides& strides : {Strides{0, 0}, Strides{0, 1}, Strides{1, 0}, Strides{3, 0}}) {
      add(Shape{3, columns}, strides, columns);
    }
    for (const Strides& strides : {Strides{0, 0, 0}, Strides{0, 0, 1}, Strides{columns, 0, 1},
                                   Strides{0, columns, 1}, Strides{1, 0, 0}, Strides{0, 1, 0}}) {
      add(Shape{2, 3, columns}, strides, columns);
    }
  }
}

// Images of a batch, their channels together: tiles with a part of a tile left, in each of them.
void add_batches(Layouts& layouts, Choices& choices) {
  constexpr std::array<std::int64_t, 6> kChannels = {3, 17, 20, 24, 31, 40};
  constexpr std::int64_t kLeastSize = 17, kMostSize = 40;
  constexpr int kDrawn = 8;
  const auto add = [&](std::int64_t images, std::int64_t channels, std::int64_t height,
                       std::int64_t width) {
    layouts.add_both_ways(Shape{images, channels, height, width},
                          Strides{channels * height * width, 1, channels * width, channels});
  };
  for (const std::int64_t channels : kChannels) {
    add(2, channels, 5, 5);
    add(3, channels, choices.between(2, 9), choices.between(2, 9));
  }
  for (int drawn = 0; drawn < kDrawn; ++drawn) {
    const std::int64_t rows = choices.between(kLeastSize, kMostSize);
    const std::int64_t columns = choices.between(kLeastSize, kMostSize);
    layouts.add_both_ways(Shape{2, rows, columns}, Strides{rows * columns, 1, rows});
  }
}

// Both sides of as many axes as are declared, and cut where the other one's end: then there are
// more, none of which follows another one on both sides.
void add_cut_axes(Layouts& layouts, std::size_t declared) {
  constexpr std::size_t kMostCut = 7;
  const std::size_t bound = layouts.width() == 8 ? 16 : 12;  // for the time that it takes
  const std::size_t most = declared == 0 ? bound : std::min(declared, bound);
  for (std::size_t cut = 2; cut <= std::min(kMostCut, most - 1); ++cut) {
    const std::int64_t whole = std::int64_t{1} << cut;
    std::vector<std::int64_t> data(cut + 1, 2), output(cut + 1, 2);
    Strides strides(cut + 1), out_strides(cut + 1);
    data.back() = output.front() = strides.back() = whole;
    out_strides.front() = 1;
    for (std::size_t axis = 0; axis < cut; ++axis) {
      strides[axis] = std::int64_t{1} << axis;
      out_strides[axis + 1] = whole << axis;
    }
    layouts.add(Shape(data), strides, Shape(output), out_strides);
    layouts.add(Shape(output), out_strides, Shape(data), strides);
  }
  const Shape twos(std::vector<std::int64_t>(most, 2));
  Strides strides(most), out_strides(most);
  for (std::size_t axis = 0; axis < most; ++axis) {
    strides[axis] = std::int64_t{1} << axis;
    out_strides[axis] = std::int64_t{1} << (axis + most / 2) % most;
  }
  layouts.add(twos, strides, twos, out_strides);
  layouts.add_both_ways(twos, strides);
}

// More axes of size 1 than a list of a fixed length or a stack of calls has room for, before two
// that no step walks together.
void add_many_axes(Layouts& layouts, std::size_t declared) {
  for (const std::size_t ones : {70, 300, 1100, 4200, 10000}) {
    if (declared != 0 && ones + 2 > declared) return;
    std::vector<std::int64_t> sizes(ones, 1);
    Strides strides(ones, 7);
    for (const std::int64_t size : {2, 3}) sizes.push_back(size);
    for (const std::int64_t stride : {8, 1}) strides.push_back(stride);
    layouts.add_both_ways(Shape(sizes), strides);
  }
}

// A few of each kind, of a type that may have its own way.
void add_few(Layouts& layouts) {
  for (const std::int64_t count : {67, 128}) {
    for (const std::int64_t step : {-1, 2, -2, 3, 5}) {
      layouts.add_both_ways(Shape{count}, Strides{step});
      layouts.add_alike(Shape{count}, Strides{step});
    }
    layouts.add(Shape{count}, Strides{2}, Shape{count}, Strides{3});
    layouts.add_dense(count, 0, 2);
    layouts.add_dense(count, 2, 0);
  }
  for (const std::int64_t rows : {7, 16, 33, 67}) {
    layouts.add_both_ways(Shape{rows, rows + 1}, Strides{1, rows});
    layouts.add_both_ways(Shape{5, rows}, Strides{rows + 3, 1});
    for (const Strides& strides : {Strides{0, 0}, Strides{2 * rows, 2}, Strides{rows, -1}}) {
      layouts.add(Shape{3, rows}, strides, Shape{3, rows}, Strides{rows + 2, 1});
    }
  }
  layouts.add_both_ways(Shape{2, 20, 5, 5}, Strides{500, 1, 100, 20});
}

// Axes in another order: all orders of few axes, and two of many that are exchanged.
void add_orders(Layouts& layouts) {
  constexpr std::size_t kAllOrders = 5, kMostAxes = 8;
  for (std::size_t rank = 3; rank <= kMostAxes; ++rank) {
    Shape shape;
    for (std::size_t axis = 0; axis < rank; ++axis) shape.append(axis % 2 == 0 ? 2 : 3);
    std::vector<std::size_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    const auto add = [&] {
      Strides strides(rank);
      std::int64_t stride = 1;
      for (std::size_t at = rank; at-- > 0;) {
        strides[order[at]] = stride;
        stride *= shape[order[at]];
      }
      layouts.add_both_ways(shape, strides);
    };
    if (rank <= kAllOrders) {
      while (std::next_permutation(order.begin(), order.end())) add();
      continue;
    }
    for (std::size_t one = 0; one < rank; ++one) {
      for (std::size_t other = one + 1; other < rank; ++other) {
        std::swap(order[one], order[other]);
        add();
        std::swap(order[one], order[other]);
      }
    }
  }
}

// `usual`: of the width of which most kinds are asked.
void add_all(Layouts& layouts, bool usual, PropertyCheck& property) {
  constexpr int kNarrow = 8;
  if (usual || layouts.width() == kNarrow) add_addresses(layouts, layouts.width());
  add_steps(layouts, property.choices());
  add_unequal_steps(layouts, property.choices());
  add_tiles(layouts, property.choices(), usual ? 6 : 2);
  add_rows(layouts);
  if (usual || layouts.width() == kNarrow) add_many_rows(layouts, property.choices());
  add_stepped_rows(layouts);
  add_repeated(layouts);
  add_batches(layouts, property.choices());
  const auto most_axes = static_cast<std::size_t>(property.capabilities().max_rank);
  add_cut_axes(layouts, most_axes);
  if (usual) add_many_axes(layouts, most_axes);
  if (usual) add_orders(layouts);
}

// One type of each width, of which the document says what it does; the input's where it is of that
// width.
std::vector<ElementType> widths(const Request& input, const PropertyCheck& property) {
  std::vector<ElementType> types = {input.data_type};
  for (const ElementType type : property.promised_types()) {
    const bool there =
        std::ranges::any_of(types, [&](ElementType other) { return bits(other) == bits(type); });
    if (!there) types.push_back(type);
  }
  return types;
}

// Where the process died, the first that it dies of, found by halves.
std::optional<Request> deadly(std::vector<Request> requests, PropertyCheck& property) {
  const auto dies = [&](const std::vector<Request>& some) {
    const std::optional<Outcome> outcome = property.ask_swept(some);
    return outcome && died(*outcome);
  };
  while (requests.size() > 1) {
    const std::vector<Request> first(requests.begin(), requests.begin() + std::ssize(requests) / 2);
    if (dies(first)) {
      requests = first;
    } else {
      requests.erase(requests.begin(), requests.begin() + std::ssize(first));
      if (!dies(requests)) return std::nullopt;
    }
  }
  return requests.front();
}

// With the duty that was seen broken, where it is another one than the law's.
Trial broken_by(const Outcome& outcome, std::string says) {
  Trial trial = Trial::broken(std::move(says));
  const bool told = died(outcome) || outcome.kind == Outcome::Kind::malformed;
  if (!told || outcome.observations.empty()) return trial;
  const Duty duty = outcome.observations.back().duty;
  if (duty == Duty::C5) return trial;
  trial.says += " (duty " + std::string(name(duty)) + ")";
  trial.duty = duty;
  return trial;
}

// What is wrong with one of them, as its line and a sentence.
std::optional<Trial> wrong_of(const std::vector<Request>& requests, PropertyCheck& property) {
  const std::optional<Outcome> outcome = property.ask_swept(requests);
  if (!outcome) return Trial::discarded("this way of reaching it places no tensors");
  if (outcome->kind == Outcome::Kind::produced && !outcome->cut_short) return std::nullopt;
  if (outcome->kind == Outcome::Kind::produced || outcome->kind == Outcome::Kind::not_asked ||
      outcome->kind == Outcome::Kind::timed_out) {
    return Trial::unfinished("its time was over");
  }
  const bool answered = outcome->kind == Outcome::Kind::malformed && outcome->shape.rank() == 1;
  std::string line = "one of " + std::to_string(requests.size()) + " layouts";
  if (answered) {
    line = property.lines().back();
  } else if (const std::optional<Request> one = deadly(requests, property)) {
    line = print_line(*one);
  }
  // The law's lines have it whole.
  return broken_by(
      *outcome, printable(line, kBriefly) + ": " + (answered ? outcome->message : text(*outcome)));
}

// Whether a type that the document leaves open is taken. `known`: one that it does not.
bool is_taken(ElementType type, ElementType known, const Request& input, PropertyCheck& property) {
  Request request = property.plain(input, Shape{6}, Shape{2, 3});
  request.data_type = known;
  request.shape_only = false;
  if (!property.promised(request)) return false;
  request.data_type = type;
  return produced(property.ask(request));
}

// Elements that are as far apart as a field of 24 bits can say, or one more or less. So few that
// memory is mapped where they are, only; each is asked by itself.
std::optional<Trial> wrong_far_apart(ElementType type, const Request& input,
                                     PropertyCheck& property) {
  constexpr std::int64_t kFar = std::int64_t{1} << 23;
  constexpr std::int64_t kLeastSpan = std::int64_t{64} << 20, kMostSpan = std::int64_t{256} << 20;
  const std::int64_t bytes = bits(type) / 8;
  if (bytes == 0) return std::nullopt;
  std::map<std::int64_t, std::optional<std::vector<std::uint64_t>>> right;  // by the count
  const auto wrong = [&](std::int64_t stride, bool of_data) -> std::optional<Trial> {
    const std::int64_t apart = std::abs(stride);
    const std::int64_t count = (kLeastSpan + apart * bytes - 1) / (apart * bytes) + 1;
    const Shape row{count};
    Request dense = with_one_payload(property.plain(input, row, row));
    dense.data_type = type;
    dense.shape_only = false;
    Request asked = dense;
    (of_data ? asked.strides : asked.out_strides) = Strides{stride};
    (of_data ? asked.offset : asked.out_offset) = stride < 0 ? apart * (count - 1) : 0;
    if (count * apart * bytes > kMostSpan || !property.promised(asked)) return std::nullopt;
    if (property.out_of_time()) return Trial::unfinished("its time was over");
    const auto known = right.find(count);
    const auto& elements =
        known != right.end()
            ? known->second
            : right.emplace(count, elements_of(property.ask(dense), type)).first->second;
    if (!elements) return std::nullopt;
    const Outcome outcome = property.ask(asked);
    // What is too far apart for the address space is not executed.
    if (produced(outcome) && outcome.executions.empty()) return std::nullopt;
    if (!produced(outcome)) return broken_by(outcome, print_line(asked) + ": " + text(outcome));
    if (outcome.shape == row && elements_of(outcome, type) == elements) return std::nullopt;
    return Trial::broken(print_line(asked) + ": other elements than dense");
  };
  for (const std::int64_t far : {kFar, 2 * kFar, kFar / bytes, 2 * kFar / bytes}) {
    for (const std::int64_t stride : {far, -far, far - 1, far + 1}) {
      for (const bool of_data : {true, false}) {
        if (auto told = wrong(stride, of_data)) return told;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Trial layouts_in_turn(const Request& input, PropertyCheck& property) {
  constexpr std::size_t kAtOnce = 500;
  const std::vector<ElementType> of_each_width = widths(input, property);
  const ElementType known = of_each_width.front();
  bool asked = false;
  const auto ask = [&](const std::vector<Request>& requests) -> std::optional<Trial> {
    for (std::size_t at = 0; at < requests.size(); at += kAtOnce) {
      if (property.out_of_time()) return Trial::unfinished("its time was over");
      const auto begin = requests.begin() + static_cast<std::ptrdiff_t>(at);
      const auto end = begin + std::min<std::ptrdiff_t>(kAtOnce, requests.end() - begin);
      if (auto told = wrong_of({begin, end}, property)) return told;
      asked = true;
    }
    return std::nullopt;
  };
  // 32 bits, or the input's width where there is no type of so many.
  constexpr int kUsualWidth = 32;
  const auto found = std::ranges::find(of_each_width, kUsualWidth, bits);
  const ElementType usual = found != of_each_width.end() ? *found : known;
  for (const ElementType type : of_each_width) {
    Layouts layouts(input, type, known, property);
    add_all(layouts, type == usual, property);
    if (auto told = ask(layouts.take())) return *std::move(told);
  }
  std::vector<Request> few;
  for (const ElementType type : property.promised_types()) {
    if (std::ranges::find(of_each_width, type) != of_each_width.end()) continue;
    Layouts layouts(input, type, known, property);
    add_few(layouts);
    std::ranges::move(layouts.take(), std::back_inserter(few));
  }
  if (auto told = ask(few)) return *std::move(told);
  for (const ElementType type :
       property.dialect().data_types_unspecified & property.capabilities().element_types) {
    const bool taken = is_taken(type, known, input, property);
    if (property.breakdown()) return Trial::held();  // which is told as such
    if (!taken) continue;
    Layouts layouts(input, type, known, property);
    add_few(layouts);
    if (auto told = ask(layouts.take())) return *std::move(told);
  }
  for (const ElementType type : of_each_width) {
    if (auto told = wrong_far_apart(type, input, property)) return *std::move(told);
  }
  return asked ? Trial::held() : Trial::discarded("none of these layouts is promised");
}

}  // namespace reshape::conformance::laws
