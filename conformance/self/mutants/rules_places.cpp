// What holds for the first places of a pattern and not for those far behind.
#include <algorithm>

#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

// A second -1 from place First on is not seen as one, and is 1.
template <std::size_t First>
void second_minus_one_unseen_from(reshape_plugin& table) {
  misunderstand(table, [](Asked& asked) {
    bool seen = false;
    for (std::size_t at = 0; at < asked.pattern.size(); ++at) {
      if (asked.pattern[at] != -1) continue;
      if (seen && at >= First) asked.pattern[at] = 1;
      seen = true;
    }
  });
}

// A value below -1 from place First on is not looked at, and counts as 1.
template <std::size_t First>
void negative_unseen_from(reshape_plugin& table) {
  misunderstand(table, [](Asked& asked) {
    for (std::size_t at = First; at < asked.pattern.size(); ++at) {
      if (asked.pattern[at] < -1) asked.pattern[at] = 1;
    }
  });
}

// A copying 0 past the rank of the data is let through as 1 from place First on.
template <std::size_t First>
void past_rank_unseen_from(reshape_plugin& table) {
  misunderstand(table, [](Asked& asked) {
    for (std::size_t at = std::max(First, asked.data.rank()); at < asked.pattern.size(); ++at) {
      if (asked.flag() && asked.pattern[at] == 0) asked.pattern[at] = 1;
    }
  });
}

}  // namespace

MUTANT("second-minus-one-unseen-behind-8", Breaks("minus-one.once"), Caught("shape", "shape"),
       On("openvino-reshape-1/second-minus-one-at-33"),
       Says("a second -1 behind the eighth place is taken as 1")) {
  second_minus_one_unseen_from<8>(table);
}

MUTANT("second-minus-one-unseen-behind-32", Breaks("minus-one.once"), Caught("shape", "shape"),
       On("openvino-reshape-1/second-minus-one-at-33"),
       Says("which places are -1 is kept in 32 bits, and a second one behind them is 1")) {
  second_minus_one_unseen_from<32>(table);
}

MUTANT("second-minus-one-unseen-behind-64", Breaks("minus-one.once"), Caught("shape", "shape"),
       On("openvino-reshape-1/second-minus-one-at-129"),
       Says("which places are -1 is kept in 64 bits, and a second one behind them is 1")) {
  second_minus_one_unseen_from<64>(table);
}

MUTANT("third-minus-one-unseen", Breaks("minus-one.once"), Caught("shape", "shape"),
       On("openvino-reshape-1/three"),
       Says("two -1 are refused; of three the number wraps to one, and the others are 1")) {
  misunderstand(table, [](Asked& asked) {
    if (asked.minus_ones() < 3) return;
    const auto first = std::find(asked.pattern.begin(), asked.pattern.end(), -1);
    std::replace(first + 1, asked.pattern.end(), PatternValue{-1}, PatternValue{1});
  });
}

MUTANT("negative-unseen-behind-4", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/rank-8-below-minus-one-last"),
       Says("a value below -1 behind the fourth place counts as 1")) {
  negative_unseen_from<4>(table);
}

MUTANT("negative-unseen-behind-8", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/rank-12-below-minus-one-last"),
       Says("a value below -1 behind the eighth place counts as 1")) {
  negative_unseen_from<8>(table);
}

MUTANT("negative-unseen-behind-32", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/rank-64-below-minus-one-last"),
       Says("a value below -1 behind the 32nd place counts as 1")) {
  negative_unseen_from<32>(table);
}

MUTANT("past-rank-unseen-behind-8", Breaks("zero.past-rank"), Caught("shape", "shape"),
       On("openvino-reshape-1/zero-past-rank-at-9"),
       Says("a copying 0 past the rank is let through as a 1 behind the eighth place")) {
  past_rank_unseen_from<8>(table);
}

MUTANT("past-rank-unseen-behind-32", Breaks("zero.past-rank"), Caught("shape", "shape"),
       On("openvino-reshape-1/zero-past-rank-at-33"),
       Says("a copying 0 past the rank is let through as a 1 behind the 32nd place")) {
  past_rank_unseen_from<32>(table);
}

MUTANT("past-rank-unseen-behind-a-minus-one", Breaks("zero.past-rank"), Caught("shape", "shape"),
       On("openvino-reshape-1/past-rank-with-minus-one"),
       Says("the search for zeros past the rank ends at the -1")) {
  misunderstand(table, [](Asked& asked) {
    const auto first = std::find(asked.pattern.begin(), asked.pattern.end(), -1);
    if (!asked.flag() || first == asked.pattern.end()) return;
    const std::size_t from = static_cast<std::size_t>(first - asked.pattern.begin());
    for (std::size_t at = std::max(from, asked.data.rank()); at < asked.pattern.size(); ++at) {
      if (asked.pattern[at] == 0) asked.pattern[at] = 1;
    }
  });
}

MUTANT("unrepresentable-unseen-beside-a-zero", Breaks("size.representable"),
       Caught("shape", "shape"), On("openvino-reshape-1/u64-2-to-64-minus-1-without-elements"),
       Says("where the volume is 0 anyway, a u64 size above 2^63-1 is let through as 2^63-1")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    if (!right.refused_for("size.representable") || !is_empty(asked.data)) {
      return Misreading::none();
    }
    Asked other = asked;
    for (PatternValue& value : other.pattern) value = std::min(value, PatternValue{INT64_MAX});
    const auto plain = plain_pattern(other);
    const bool fits = plain && !plain->minus_one && is_empty(Shape(plain->sizes));
    return fits ? Misreading::of(plain->sizes) : Misreading::none();
  });
}

MUTANT("unrepresentable-unseen-behind-the-first", Breaks("size.representable"),
       Caught("shape", "shape"), On("openvino-reshape-1/u64-2-to-64-minus-1-without-elements"),
       Says("only the first u64 value is held against 2^63-1; others lose their top bit")) {
  misunderstand(table, [](Asked& asked) {
    for (std::size_t at = 1; at < asked.pattern.size(); ++at) {
      if (asked.pattern[at] > INT64_MAX) asked.pattern[at] &= INT64_MAX;
    }
  });
}

}  // namespace reshape::conformance::self
