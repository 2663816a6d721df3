#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "optimized/resolve.h"

// How long a call of resolve takes, beside the plain product loop that any implementation runs.

namespace reshape::optimized {
namespace {

Dialect dialect() {
  Dialect rules;
  rules.name = "benchmark";
  rules.pattern_types = ElementTypes::integers();
  rules.data_types = ElementTypes::numeric();
  return rules;
}

struct Sizes {
  std::vector<std::int64_t> data;
  std::vector<std::int64_t> pattern;
};

// By rank: a 0 that copies, plain sizes, and a -1 last.
Sizes sizes_of_rank(std::int64_t rank) {
  const std::array<std::int64_t, 6> sizes = {8, 12, 5, 7, 3, 4};
  Sizes made;
  made.data.assign(sizes.begin(), sizes.begin() + rank);
  made.pattern = made.data;
  made.pattern.front() = 0;
  made.pattern.back() = -1;
  return made;
}

void plain_product_loop(benchmark::State& state) {
  const Sizes sizes = sizes_of_rank(state.range(0));
  std::vector<std::int64_t> out(sizes.pattern.size());
  for (auto _ : state) {
    benchmark::DoNotOptimize(sizes.data.data());
    benchmark::DoNotOptimize(sizes.pattern.data());
    std::int64_t count = 1;
    for (const std::int64_t size : sizes.data) count *= size;
    std::int64_t known = 1;
    std::size_t at = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::int64_t size = sizes.pattern[i];
      if (size == 0) size = sizes.data[i];
      if (size == -1) {
        at = i;
      } else {
        out[i] = size;
        known *= size;
      }
    }
    out[at] = count / known;
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
}

template <typename Value>
void resolve_with_minus_one(benchmark::State& state) {
  const Dialect rules = dialect();
  const Sizes sizes = sizes_of_rank(state.range(0));
  const std::vector<Value> pattern(sizes.pattern.begin(), sizes.pattern.end());
  std::vector<std::int64_t> out(sizes.pattern.size());
  for (auto _ : state) {
    benchmark::DoNotOptimize(sizes.data.data());
    benchmark::DoNotOptimize(pattern.data());
    const Resolved answer = resolve(
        rules, Asked<Value>{ElementType::f32, sizes.data, ElementType::i64, pattern, 1, true}, out);
    benchmark::DoNotOptimize(answer);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
}

void resolve_plain_sizes(benchmark::State& state) {
  const Dialect rules = dialect();
  const Sizes sizes = sizes_of_rank(state.range(0));
  const std::vector<std::int64_t> pattern(sizes.data.rbegin(), sizes.data.rend());
  std::vector<std::int64_t> out(pattern.size());
  for (auto _ : state) {
    benchmark::DoNotOptimize(sizes.data.data());
    benchmark::DoNotOptimize(pattern.data());
    const Resolved answer = resolve(
        rules,
        Asked<std::int64_t>{ElementType::f32, sizes.data, ElementType::i64, pattern, 1, true}, out);
    benchmark::DoNotOptimize(answer);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
}

BENCHMARK(plain_product_loop)->Arg(2)->Arg(4)->Arg(6);
BENCHMARK(resolve_plain_sizes)->Arg(2)->Arg(4)->Arg(6);
BENCHMARK(resolve_with_minus_one<std::int64_t>)->Arg(2)->Arg(4)->Arg(6);
BENCHMARK(resolve_with_minus_one<PatternValue>)->Arg(2)->Arg(4)->Arg(6);

}  // namespace
}  // namespace reshape::optimized
