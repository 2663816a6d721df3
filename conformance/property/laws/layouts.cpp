// A law about very many layouts, each of which a kernel may have a way of its own for: steps, tiles
// and tails, the order of axes, the distance of rows, and how both sides are aligned.
#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "conformance/property/laws/answers.h"
#include "conformance/property/laws/laws.h"
#include "conformance/text/line.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance::laws {
namespace {

// Requests of one element type, as far as they are promised.
class Layouts {
 public:
  Layouts(const Request& input, ElementType type, PropertyCheck& property)
      : property_(property), like_(PropertyCheck::dense(input)) {
    like_.data_type = type;
    like_.shape_only = false;
    like_.payload.reset();
  }

  std::vector<Request> take() { return std::move(requests_); }

  // Dense copies of so many elements, either side beginning so many elements behind an address
  // that is a multiple of every alignment.
  void add_dense(std::int64_t count, std::int64_t data, std::int64_t output) {
    Request request = property_.plain(like_, Shape{count}, Shape{count});
    request.offset = data;
    request.out_offset = output;
    add(std::move(request));
  }

  // `shape` laid out with these strides, from and into what is dense; and from what is laid out so.
  void add_both_ways(const Shape& shape, const Strides& strides) {
    const Shape row{element_count(shape).value_or(0)};
    const std::int64_t offset = -touched({shape, strides, 0}).first;
    Request from = property_.plain(like_, shape, row);
    from.strides = strides;
    from.offset = offset;
    add(std::move(from));
    Request into = property_.plain(like_, row, shape);
    into.out_strides = strides;
    into.out_offset = offset;
    add(std::move(into));
  }
  void add_alike(const Shape& shape, const Strides& strides) {
    Request request = property_.plain(like_, shape, shape);
    request.strides = request.out_strides = strides;
    request.offset = request.out_offset = -touched({shape, strides, 0}).first;
    add(std::move(request));
  }

 private:
  // The first element has to be aligned as declared, and to its own size.
  bool is_aligned(std::int64_t offset) const {
    const int width = bits(like_.data_type);
    const std::int64_t alignment =
        8 * std::max<std::int64_t>(1, property_.capabilities().alignment);
    return offset * width % std::max<std::int64_t>(alignment, width) == 0;
  }
  void add(Request request) {
    if (!is_aligned(request.offset) || !is_aligned(request.out_offset)) return;
    if (property_.promised(request)) requests_.push_back(std::move(request));
  }

  PropertyCheck& property_;
  Request like_;
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
  for (const std::int64_t bytes : kBytes) {
    const std::int64_t count = bytes * 8 / width;
    for (std::int64_t at = 0; at < line; ++at) layouts.add_dense(count, 0, at);
    for (std::int64_t at = 1; at < vector; ++at) layouts.add_dense(count, at, 0);
  }
  for (const std::int64_t bytes : kMany) {
    const std::int64_t count = bytes * 8 / width;
    for (std::int64_t at = 0; at < line; at += std::max<std::int64_t>(1, line / 8)) {
      layouts.add_dense(count, 0, at);
    }
    for (std::int64_t at = 1; at < vector; at += std::max<std::int64_t>(1, vector / 4)) {
      layouts.add_dense(count, at, 0);
    }
  }
}

// Bands of an image, members of a structure.
void add_steps(Layouts& layouts) {
  constexpr std::int64_t kMostStep = 17;
  constexpr std::array<std::int64_t, 2> kCounts = {67, 260};
  for (std::int64_t step = 2; step <= kMostStep; ++step) {
    for (const std::int64_t count : kCounts) {
      for (const std::int64_t signed_step : {step, -step}) {
        layouts.add_both_ways(Shape{count}, Strides{signed_step});
        layouts.add_alike(Shape{count}, Strides{signed_step});
      }
      constexpr std::int64_t kTogether = 2;
      if (kTogether < step) layouts.add_both_ways(Shape{count, kTogether}, Strides{step, 1});
    }
  }
  layouts.add_both_ways(Shape{67}, Strides{-1});
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
}

// Rows of any length, with a distance that is longer.
void add_rows(Layouts& layouts) {
  constexpr std::int64_t kRows = 5, kMostColumns = 40, kMostApart = 3;
  for (std::int64_t columns = 1; columns <= kMostColumns; ++columns) {
    for (std::int64_t apart = 1; apart <= kMostApart; ++apart) {
      layouts.add_both_ways(Shape{kRows, columns}, Strides{columns + apart, 1});
    }
    layouts.add_both_ways(Shape{kRows, columns}, Strides{-columns - 1, 1});
  }
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

// One type of each width; the input's where it is of that width.
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

// What is wrong with one of them, as its line and a sentence.
std::optional<Trial> wrong_of(const std::vector<Request>& requests, PropertyCheck& property) {
  const std::optional<Outcome> outcome = property.ask_swept(requests);
  if (!outcome) return Trial::discarded("this way of reaching it places no tensors");
  if (outcome->kind == Outcome::Kind::produced && !outcome->cut_short) return std::nullopt;
  if (outcome->kind == Outcome::Kind::produced || outcome->kind == Outcome::Kind::not_asked ||
      outcome->kind == Outcome::Kind::timed_out) {
    return Trial::unfinished("its time was over");
  }
  if (outcome->kind == Outcome::Kind::malformed) {
    return Trial::broken(property.lines().back() + ": " + outcome->message);
  }
  const std::optional<Request> one = deadly(requests, property);
  return Trial::broken(
      (one ? print_line(*one) : "one of " + std::to_string(requests.size()) + " layouts") + ": " +
      text(*outcome));
}

Trial check_layouts(const Request& input, PropertyCheck& property) {
  constexpr std::size_t kAtOnce = 2000;
  constexpr int kNarrow = 8, kUsual = 32;
  bool asked = false;
  for (const ElementType type : widths(input, property)) {
    Layouts layouts(input, type, property);
    if (bits(type) == kNarrow || bits(type) == kUsual) add_addresses(layouts, bits(type));
    add_steps(layouts);
    add_tiles(layouts, property.choices(), bits(type) == kUsual ? 6 : 2);
    add_rows(layouts);
    if (bits(type) == kUsual) add_orders(layouts);
    const std::vector<Request> all = layouts.take();
    for (std::size_t at = 0; at < all.size(); at += kAtOnce) {
      if (property.out_of_time()) return Trial::unfinished("its time was over");
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(at);
      const auto end = begin + std::min<std::ptrdiff_t>(kAtOnce, all.end() - begin);
      if (auto told = wrong_of({begin, end}, property)) return *std::move(told);
      asked = true;
    }
  }
  return asked ? Trial::held() : Trial::discarded("none of these layouts is promised");
}

}  // namespace

Law layouts_in_turn() {
  Law law = {"layouts-in-turn",
             Duty::C5,
             "elements are copied from and into thousands of layouts, whatever their steps, sizes, "
             "order and alignment",
             Law::Input::produces,
             without_execute,
             check_layouts,
             Law::kOnce,
             false};
  law.of_each = true;
  return law;
}

}  // namespace reshape::conformance::laws
