#include "conformance/property/shape_pairs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "conformance/property/copies.h"

namespace reshape::conformance {
namespace {

using Sizes = std::vector<std::int64_t>;

// Ranks around the lengths of fixed arrays and masks: 5, 8, 16, 32, 64 and their neighbours.
constexpr std::array<std::int64_t, 17> kRankBorders = {5,  6,  7,  8,  9,  10, 12, 16, 17,
                                                       31, 32, 33, 34, 63, 64, 65, 66};
constexpr std::array<std::int64_t, 6> kPrimes = {2, 2, 3, 3, 5, 7};

// Spreads the factors over `rank` sizes. The product is that of the factors.
Shape spread(const Sizes& factors, std::int64_t rank, Choices& choices) {
  Sizes sizes(static_cast<std::size_t>(rank), 1);
  for (const std::int64_t factor : factors) {
    sizes[static_cast<std::size_t>(choices.below(sizes.size()))] *= factor;
  }
  return Shape(std::move(sizes));
}

Sizes few_factors(Choices& choices, std::int64_t most) {
  Sizes factors(static_cast<std::size_t>(choices.between(0, most)));
  for (std::int64_t& factor : factors) factor = choices.one_of(kPrimes);
  return factors;
}

Sizes prime_factors(std::int64_t number) {
  Sizes factors;
  for (std::int64_t divisor = 2; divisor * divisor <= number; ++divisor) {
    for (; number % divisor == 0; number /= divisor) factors.push_back(divisor);
  }
  if (number > 1) factors.push_back(number);
  return factors;
}

ShapePair from_factors(Choices& choices) {
  const Sizes factors = few_factors(choices, 5);
  const Shape data = spread(factors, choices.between(1, 4), choices);
  return {data, spread(factors, choices.between(1, 4), choices)};
}

ShapePair same_prefix(Choices& choices) {
  // Shared leading sizes, which zeros can copy.
  Sizes head(static_cast<std::size_t>(choices.between(1, 3)));
  for (std::int64_t& size : head) size = choices.between(1, 5);
  const ShapePair tail = from_factors(choices);
  Sizes data = head;
  Sizes output = head;
  data.insert(data.end(), tail.data.begin(), tail.data.end());
  output.insert(output.end(), tail.output.begin(), tail.output.end());
  return {Shape(std::move(data)), Shape(std::move(output))};
}

ShapePair same_shape(Choices& choices) {
  const Shape shape = spread(few_factors(choices, 5), choices.between(1, 4), choices);
  return {shape, shape};
}

ShapePair ones(Choices& choices) {
  const Shape shape = spread(few_factors(choices, 4), choices.between(1, 3), choices);
  return {with_ones(shape, choices.between(0, 3), choices),
          with_ones(shape, choices.between(1, 4), choices)};
}

// One element, of no axes or of ones.
ShapePair one_element(Choices& choices) {
  const auto draw = [&choices] {
    if (choices.chance(30)) return Shape{};
    const std::int64_t rank =
        choices.chance(80) ? choices.between(1, 12) : choices.one_of(kRankBorders);
    return Shape(Sizes(static_cast<std::size_t>(rank), 1));
  };
  const Shape data = draw();
  return {data, draw()};
}

// A -1 that stands for each small size as often, before or behind axes that zeros can copy.
ShapePair inferred_size(Choices& choices) {
  const std::int64_t size = choices.between(1, 40);
  const bool in_front = choices.chance(50);
  Sizes data, output;
  ShapePair pair;
  const auto append = [&choices, &data, &output](std::int64_t also) {
    const std::int64_t rank = choices.between(1, 3);
    const std::int64_t others = also == 0 ? rank : rank - 1;
    Sizes factors = others == 0 ? Sizes{} : few_factors(choices, 2);
    const Shape asked = spread(factors, others, choices);
    const auto at = output.size() + static_cast<std::size_t>(choices.between(0, others));
    output.insert(output.end(), asked.begin(), asked.end());
    if (also != 0) {
      output.insert(output.begin() + static_cast<std::ptrdiff_t>(at), also);
      const Sizes more = prime_factors(also);
      factors.insert(factors.end(), more.begin(), more.end());
    }
    const Shape given = spread(factors, rank, choices);
    data.insert(data.end(), given.begin(), given.end());
    return at;
  };
  const std::size_t front = append(in_front ? size : 0);
  for (auto axes = choices.between(0, 3); axes > 0; --axes) {
    data.push_back(choices.between(1, 5));
    output.push_back(data.back());
  }
  const std::size_t behind = append(in_front ? 0 : size);
  pair.inferred = in_front ? front : behind;
  pair.data = Shape(std::move(data));
  pair.output = Shape(std::move(output));
  return pair;
}

ShapePair flattened(Choices& choices) {
  const Sizes factors = few_factors(choices, 6);
  const Shape wide = spread(factors, choices.between(2, 5), choices);
  const Shape flat = spread(factors, 1, choices);
  return choices.chance(50) ? ShapePair{wide, flat} : ShapePair{flat, wide};
}

ShapePair empty(Choices& choices) {
  const auto draw = [&choices] {
    Sizes sizes(static_cast<std::size_t>(choices.between(1, 4)));
    for (std::int64_t& size : sizes) size = choices.between(0, 5);
    sizes[static_cast<std::size_t>(choices.below(sizes.size()))] = 0;
    return Shape(std::move(sizes));
  };
  const Shape data = draw();
  return {data, draw()};
}

ShapePair high_rank(Choices& choices) {
  const Sizes factors = few_factors(choices, 7);
  const auto rank = [&choices] {
    return choices.chance(5) ? choices.between(254, 257) : choices.one_of(kRankBorders);
  };
  if (choices.chance(20)) {  // so that zeros copy at each place
    const Shape shape = spread(factors, rank(), choices);
    return {shape, shape};
  }
  const Shape data = spread(factors, choices.chance(50) ? rank() : choices.between(1, 4), choices);
  return {data, spread(factors, rank(), choices)};
}

// Volumes at or next to the sizes of vectors, tiles, cache lines, pages and thread splits.
ShapePair edge_volume(Choices& choices) {
  constexpr std::array<std::int64_t, 12> kEdges = {8,   16,  32,   64,   128,  256,
                                                   512, 960, 1024, 2048, 4096, 8192};
  // Sizes at which work is split between 3, 5, 7 or 12 threads, caches are full, or stores become
  // non-temporal. Rare, since they are slow.
  constexpr std::array<std::int64_t, 10> kLarge = {3072,  7168,   20480,  28672,  32768,
                                                   65536, 131072, 262144, 524288, 1048576};
  const std::int64_t volume =
      (choices.chance(4) ? choices.one_of(kLarge) : choices.one_of(kEdges)) +
      choices.between(-1, 1);
  const Sizes factors = prime_factors(volume);
  const Shape data = spread(factors, choices.between(1, 3), choices);
  return {data, spread(factors, choices.between(1, 3), choices)};
}

// A matrix or a stack of matrices with an odd tail in each dimension.
ShapePair odd_tails(Choices& choices) {
  constexpr std::array<std::int64_t, 5> kTiles = {3, 8, 16, 17, 32};
  const std::int64_t rows = choices.one_of(kTiles) + choices.between(0, 2);
  const std::int64_t columns = choices.one_of(kTiles) + choices.between(0, 2);
  const std::int64_t stack = choices.between(1, 3);
  const Shape data{stack, rows, columns};
  switch (choices.below(3)) {
    case 0: return {data, Shape{stack * rows, columns}};
    case 1: return {data, Shape{stack, rows * columns}};
    default: return {data, Shape{stack, columns, rows}};
  }
}

// An odd number of elements: of packed types the last byte is half used.
ShapePair packed_odd(Choices& choices) {
  constexpr std::array<std::int64_t, 6> kOdd = {1, 3, 3, 5, 7, 9};
  Sizes factors(static_cast<std::size_t>(choices.between(1, 4)));
  for (std::int64_t& factor : factors) factor = choices.one_of(kOdd);
  const Shape data = spread(factors, choices.between(1, 4), choices);
  return {data, spread(factors, choices.between(1, 4), choices)};
}

// One size at or next to the limit of an integer type, or of the integers that a float can
// represent.
ShapePair type_borders(Choices& choices) {
  constexpr std::array<int, 10> kSmall = {3, 4, 7, 8, 7, 8, 8, 11, 15, 16};
  constexpr std::array<int, 8> kLarge = {24, 31, 32, 33, 53, 54, 62, 63};
  const bool small = choices.chance(50);
  const int power = small ? choices.one_of(kSmall) : choices.one_of(kLarge);
  const std::int64_t end =
      power == 63 ? std::numeric_limits<std::int64_t>::max() - 1 : (std::int64_t{1} << power) - 1;
  const std::int64_t size = std::max<std::int64_t>(1, end + choices.between(-1, 1));
  Sizes data = {size};
  Sizes output = {size};
  if (choices.chance(50)) data.insert(data.begin() + choices.between(0, 1), 1);
  if (choices.chance(50)) output.insert(output.begin() + choices.between(0, 1), 1);
  return {Shape(std::move(data)), Shape(std::move(output)), power > 11};
}

// One size or product at a border of an integer or of a float's mantissa.
std::int64_t border(Choices& choices) {
  constexpr std::array<int, 9> kPowers = {7, 8, 15, 16, 24, 31, 32, 53, 62};
  const std::int64_t power = std::int64_t{1} << choices.one_of(kPowers);
  return power + choices.between(-1, 1);
}

ShapePair large_sizes(Choices& choices) {
  const std::int64_t large = border(choices);
  const auto dress = [&](Sizes sizes) {
    return with_ones(Shape(std::move(sizes)), choices.between(0, 2), choices);
  };
  // Split by a small factor where there is one, so that input and output differ.
  for (const std::int64_t factor : {2, 3, 5, 7, 11, 13, 17, 641}) {
    if (large % factor != 0) continue;
    const Shape whole = dress({large});
    const Shape split = dress({factor, large / factor});
    return choices.chance(50) ? ShapePair{whole, split, true} : ShapePair{split, whole, true};
  }
  const Shape data = dress({large});
  return {data, dress({large}), true};
}

std::int64_t ordinary_size(Choices& choices) {
  const std::uint64_t kind = choices.below(20);
  return kind < 6    ? choices.between(1, 4)
         : kind < 15 ? choices.between(5, 32)
                     : choices.between(33, 300);
}

// Sizes, ranks and regroupings as in real programs: neighbouring axes merged and split, the same
// sizes in another order, or any shape of the same volume.
ShapePair ordinary(Choices& choices) {
  constexpr std::array<std::int64_t, 13> kRanks = {0, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 10};
  std::int64_t room = std::int64_t{1} << choices.between(4, choices.chance(10) ? 15 : 12);
  Sizes data;
  for (std::int64_t axes = choices.one_of(kRanks); axes > 0; --axes) {
    std::int64_t size = ordinary_size(choices);
    if (size > room) size = choices.between(1, room);
    room /= size;
    data.insert(data.begin() + choices.between(0, static_cast<std::int64_t>(data.size())), size);
  }
  const Shape shape(data);
  if (choices.chance(20)) {
    for (std::size_t at = data.size(); at > 1; --at) {
      std::swap(data[at - 1], data[static_cast<std::size_t>(choices.below(at))]);
    }
    return {shape, Shape(std::move(data))};
  }
  Sizes factors;
  for (const std::int64_t size : data) {
    const Sizes more = prime_factors(size);
    factors.insert(factors.end(), more.begin(), more.end());
  }
  if (choices.chance(30)) return {shape, spread(factors, choices.between(1, 6), choices)};
  Sizes output;
  for (const std::int64_t factor : factors) {
    if (output.empty() || choices.chance(40)) output.push_back(1);
    output.back() *= factor;
  }
  return {shape, Shape(std::move(output))};
}

// Volumes beyond 2^31 of possibly small sizes: a 32-bit product overflows at one of the axes.
ShapePair large_volumes(Choices& choices) {
  Sizes factors;
  for (double volume = 1; volume < 4e9 || choices.chance(50);) {
    factors.push_back(choices.chance(50) ? choices.between(2, 300)
                                         : std::int64_t{1} << choices.between(4, 14));
    volume *= static_cast<double>(factors.back());
    if (volume > 1e18) {
      factors.pop_back();
      break;
    }
  }
  const Shape data = spread(factors, choices.between(2, 7), choices);
  return {data, spread(factors, choices.between(1, 7), choices), true};
}

constexpr std::array kFamilies = {
    Family{"copies", 100, copies, {}, true},
    Family{"ordinary", 40, ordinary},
    Family{"large-volumes", 6, large_volumes},
    Family{"factors", 20, from_factors},
    Family{"same-prefix", 20, same_prefix},
    Family{"same-shape", 5, same_shape},
    Family{"ones", 10, ones},
    Family{"one-element", 5, one_element},
    Family{"flattened", 8, flattened},
    Family{"inferred-size", 25, inferred_size},
    Family{"empty", 10, empty},
    Family{"high-rank", 15, high_rank},
    Family{"edge-volume", 6, edge_volume},
    Family{"odd-tails", 6, odd_tails},
    Family{"large-sizes", 8, large_sizes},
    Family{"type-borders", 6, type_borders},
    Family{"packed-odd", 4, packed_odd, {ElementType::i4, ElementType::u4}},
};

}  // namespace

Shape with_ones(const Shape& shape, std::int64_t ones, Choices& choices) {
  Sizes sizes(shape.begin(), shape.end());
  for (std::int64_t i = 0; i < ones; ++i) {
    sizes.insert(sizes.begin() + choices.between(0, static_cast<std::int64_t>(sizes.size())), 1);
  }
  return Shape(std::move(sizes));
}

std::span<const Family> families() { return kFamilies; }

const Family& draw_family(bool executed, Choices& choices) {
  const auto taken = [executed](const Family& family) { return executed || !family.moves_bytes; };
  std::uint64_t total = 0;
  for (const Family& family : kFamilies) total += taken(family) ? family.weight : 0;
  std::uint64_t at = choices.below(total);
  for (const Family& family : kFamilies) {
    if (!taken(family)) continue;
    if (at < family.weight) return family;
    at -= family.weight;
  }
  return kFamilies.front();
}

}  // namespace reshape::conformance
