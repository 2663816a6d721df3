#include "fuzz/engine/clause_counters.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "fuzz/input/decode.h"

namespace reshape::fuzz {
namespace {

// Dialects and clauses beyond these numbers share slots, which is fine: counters only guide the
// fuzzer.
constexpr std::size_t kDialects = 32;
constexpr std::size_t kClauses = 64;
constexpr std::size_t kKinds = 3;
constexpr std::size_t kUses = 16;    // a bit each, see uses_of()
constexpr std::size_t kLayouts = 8;  // of the data, of the output, in place, shape only
constexpr std::size_t kTypes = kAllElementTypes.size();
constexpr std::size_t kRanks = 8;

constexpr std::size_t kAnswers = kDialects * kKinds * kClauses;
constexpr std::size_t kUsed = kDialects * kUses;
constexpr std::size_t kTyped = kTypes * kLayouts;
constexpr std::size_t kRanked = kRanks * kRanks * kKinds;

// libFuzzer treats this section as coverage counters, and clears it before every input.
__attribute__((section("__libfuzzer_extra_counters"),
               used)) std::uint8_t g_counters[kAnswers + kUsed + kTyped + kRanked];

void hit(std::size_t at) { g_counters[at] = 1; }

// The rules that the pattern uses, a bit each.
unsigned uses_of(const conformance::Request& request) {
  unsigned uses = 0;
  const std::vector<PatternValue>& values = request.pattern.values;
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (values[at] == -1) {
      uses |= 1u << (at == 0 ? 0 : at + 1 == values.size() ? 1 : 2);
    } else if (values[at] == 0) {
      const bool copies = request.special_zero == true;
      uses |= 1u << (!copies ? 3 : at < request.data.rank() ? 4 : 5);
    } else if (values[at] > (PatternValue{1} << 32)) {
      uses |= 1u << 6;
    }
  }
  if (request.pattern.tensor_shape) uses |= 1u << 7;
  if (!request.special_zero) uses |= 1u << 8;
  if (values.size() > request.data.rank()) uses |= 1u << 9;
  if (values.size() < request.data.rank()) uses |= 1u << 10;
  if (is_empty(request.data)) uses |= 1u << 11;
  if (request.elements) uses |= 1u << 12;
  if (request.pattern.type != ElementType::i64) uses |= 1u << 13;
  return uses;
}

unsigned layouts_of(const conformance::Request& request) {
  unsigned layouts = 0;
  if (request.strides) {
    layouts |= 1u;
    for (const std::int64_t stride : *request.strides) {
      if (stride == 0) layouts |= 2u;
      if (stride < 0) layouts |= 4u;
    }
  }
  if (request.out_strides) {
    layouts |= 8u;
    for (const std::int64_t stride : *request.out_strides) {
      if (stride < 0) layouts |= 16u;
    }
  }
  if (request.in_place) layouts |= 32u;
  if (request.shape_only) layouts |= 64u;
  return layouts == 0 ? 128u : layouts;
}

void hit_bits(std::size_t base, unsigned bits) {
  for (; bits != 0; bits &= bits - 1) {
    hit(base + static_cast<std::size_t>(__builtin_ctz(bits)));
  }
}

}  // namespace

void count_clause(const conformance::Request& request, const Ruling& ruling) {
  const std::size_t dialect = short_hash(request.dialect) % kDialects;
  const auto kind = static_cast<std::size_t>(ruling.kind);
  std::size_t base = 0;
  hit(base + (dialect * kKinds + kind) * kClauses + short_hash(ruling.clause) % kClauses);
  base += kAnswers;
  hit_bits(base + dialect * kUses, uses_of(request));
  base += kUsed;
  hit_bits(base + static_cast<std::size_t>(request.data_type) * kLayouts, layouts_of(request));
  base += kTyped;
  const std::size_t from = std::min(request.data.rank(), kRanks - 1);
  const std::size_t to = std::min(request.pattern.values.size(), kRanks - 1);
  hit(base + (kind * kRanks + from) * kRanks + to);
}

}  // namespace reshape::fuzz
