#include "conformance/property/covering.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace reshape::conformance {
namespace {

// The class of a size or count: the power of two below it.
int magnitude(std::int64_t number) {
  return number <= 0 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number)));
}

std::int64_t count_of(const Request& request, PatternValue value) {
  const auto& values = request.pattern.values;
  return std::count(values.begin(), values.end(), value);
}

// The class of the index of `value` in the pattern; 0: it does not occur.
std::int64_t place_of(const Request& request, PatternValue value) {
  const auto& values = request.pattern.values;
  const auto found = std::find(values.begin(), values.end(), value);
  return found == values.end() ? 0 : 1 + (found - values.begin());
}

std::int64_t last_size(const Request& request) {
  return request.data.rank() == 0 ? 0 : request.data[request.data.rank() - 1];
}

std::int64_t elements(const Request& request) {
  return element_count(request.data).value_or(std::numeric_limits<std::int64_t>::max());
}

// A class for the directions of the strides.
int runs(const std::optional<Strides>& strides) {
  if (!strides || strides->empty()) return 0;
  const auto any = [&](auto holds) { return std::any_of(strides->begin(), strides->end(), holds); };
  return 1 + (any([](std::int64_t stride) { return stride < 0; }) ? 1 : 0) +
         (any([](std::int64_t stride) { return stride == 0; }) ? 2 : 0) +
         (strides->front() < strides->back() ? 4 : 0);
}

int last_stride(const std::optional<Strides>& strides) {
  if (!strides || strides->empty()) return 0;
  return strides->back() < 0 ? 1 : 2 + magnitude(strides->back());
}

// A parameter of requests with values 0 .. most; larger ones count as `most`.
struct Parameter {
  int most;
  std::int64_t (*of)(const Request&);
};

constexpr std::array kParameters = {
    Parameter{8, [](const Request& r) { return std::int64_t(r.data.rank()); }},
    Parameter{8, [](const Request& r) { return std::int64_t(r.pattern.values.size()); }},
    Parameter{10,  // how much longer the pattern is than the rank
              [](const Request& r) {
                return std::max<std::int64_t>(
                    0, 3 + std::int64_t(r.pattern.values.size()) - std::int64_t(r.data.rank()));
              }},
    Parameter{16, [](const Request& r) { return std::int64_t(r.data_type); }},
    Parameter{16, [](const Request& r) { return std::int64_t(r.pattern.type); }},
    Parameter{
        2, [](const Request& r) { return std::int64_t(r.special_zero ? 1 + *r.special_zero : 0); }},
    Parameter{7, [](const Request& r) { return place_of(r, -1); }},
    Parameter{7, [](const Request& r) { return place_of(r, 0); }},
    Parameter{3, [](const Request& r) { return count_of(r, -1); }},
    Parameter{5, [](const Request& r) { return count_of(r, 0); }},
    Parameter{3,  // the last value of the pattern
              [](const Request& r) {
                if (r.pattern.values.empty()) return std::int64_t{0};
                const PatternValue last = r.pattern.values.back();
                return std::int64_t(last < -1 || last > 1 ? 0 : last + 2);
              }},
    Parameter{22, [](const Request& r) { return std::int64_t(magnitude(elements(r))); }},
    Parameter{15, [](const Request& r) { return elements(r) % 16; }},
    Parameter{17, [](const Request& r) { return last_size(r); }},
    Parameter{17,
              [](const Request& r) {
                const auto sizes = r.data.sizes();
                return std::int64_t(
                    sizes.empty() ? 0 : magnitude(*std::max_element(sizes.begin(), sizes.end())));
              }},
    Parameter{8, [](const Request& r) { return std::int64_t(runs(r.strides)); }},
    Parameter{10, [](const Request& r) { return std::int64_t(last_stride(r.strides)); }},
    Parameter{8, [](const Request& r) { return std::int64_t(runs(r.out_strides)); }},
    Parameter{10, [](const Request& r) { return std::int64_t(last_stride(r.out_strides)); }},
};

constexpr std::size_t kAnswers = 32;  // larger numbers count as the last one

// What a -1 stands for: small sizes each, larger ones by their magnitude; 0: nothing.
constexpr std::int64_t kSmallSize = 40;
constexpr std::size_t kInferred = 50;  // larger numbers count as the last one

std::size_t inferred(const Request& request, const Shape& output) {
  const std::int64_t place = place_of(request, -1);
  if (place == 0 || static_cast<std::size_t>(place) > output.rank()) return 0;
  const std::int64_t size = output[static_cast<std::size_t>(place - 1)];
  if (size <= kSmallSize) return static_cast<std::size_t>(size);
  const auto larger = static_cast<std::size_t>(magnitude(size) - magnitude(kSmallSize));
  return std::min(static_cast<std::size_t>(kSmallSize) + 1 + larger, kInferred - 1);
}

constexpr std::size_t kValues = [] {
  std::size_t all = kAnswers + kInferred;
  for (const Parameter& parameter : kParameters)
    all += static_cast<std::size_t>(parameter.most) + 1;
  return all;
}();

using Seen = std::array<std::size_t, kParameters.size() + 2>;

// The request's value of each parameter, numbered so that no two parameters share a number.
Seen seen(const Request& request, std::size_t answer, const Shape& output) {
  Seen values{std::min(answer, kAnswers - 1), kAnswers + inferred(request, output)};
  std::size_t first = kAnswers + kInferred;
  for (std::size_t at = 0; at < kParameters.size(); ++at) {
    const auto most = static_cast<std::int64_t>(kParameters[at].most);
    values[at + 2] = first + static_cast<std::size_t>(std::min(kParameters[at].of(request), most));
    first += static_cast<std::size_t>(most) + 1;
  }
  return values;
}

template <class Pair, class Triple>
void each(const Seen& values, Pair pair, Triple triple) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j) {
      const std::size_t two = values[i] * kValues + values[j];
      pair(two);
      for (std::size_t k = j + 1; k < values.size(); ++k) triple(two * kValues + values[k]);
    }
  }
}

}  // namespace

Covering::Covering() : pairs_(kValues * kValues), triples_(kValues * kValues * kValues) {}

std::int64_t Covering::news(const Request& request, std::size_t answer, const Shape& output) const {
  constexpr std::int64_t kPair = 8;
  std::int64_t news = 0;
  each(
      seen(request, answer, output), [&](std::size_t pair) { news += pairs_[pair] ? 0 : kPair; },
      [&](std::size_t triple) { news += triples_[triple] ? 0 : 1; });
  return news;
}

void Covering::add(const Request& request, std::size_t answer, const Shape& output) {
  each(
      seen(request, answer, output), [&](std::size_t pair) { pairs_[pair] = true; },
      [&](std::size_t triple) { triples_[triple] = true; });
}

}  // namespace reshape::conformance
