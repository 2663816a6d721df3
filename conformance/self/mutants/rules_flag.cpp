// What a 0 means: the flag, and what is copied.
#include <algorithm>

#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

// Each 0 that copies becomes size(asked, its place); a negative answer leaves it as it is.
template <typename Size>
void copies(reshape_plugin& table, Size) {
  misunderstand(table, [](Asked& asked) {
    if (!asked.flag()) return;
    const std::vector<PatternValue> before = asked.pattern;
    for (std::size_t at = 0; at < before.size(); ++at) {
      if (before[at] != 0) continue;
      const std::int64_t size = Size{}(asked, before, at);
      if (size >= 0) asked.pattern[at] = size;
    }
  });
}

std::size_t count_before(const std::vector<PatternValue>& pattern, std::size_t at,
                         PatternValue value) {
  return static_cast<std::size_t>(
      std::count(pattern.begin(), pattern.begin() + static_cast<std::ptrdiff_t>(at), value));
}

std::int64_t size_at(const Asked& asked, std::size_t axis) {
  return axis < asked.data.rank() ? asked.data[axis] : -1;
}

bool has_zero(const Asked& asked) {
  return std::find(asked.pattern.begin(), asked.pattern.end(), 0) != asked.pattern.end();
}

}  // namespace

MUTANT("flag-ignored", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/zero-moves-right"), LikePublicBug("openvinotoolkit/openvino#36046"),
       Says("special_zero is taken as true, whatever is given")) {
  misunderstand(table, [](Asked& asked) {
    if (asked.special_zero != RESHAPE_FLAG_MISSING) asked.special_zero = RESHAPE_FLAG_TRUE;
  });
}

MUTANT("flag-never-true", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/one-to-twelve-inferred"), LikePublicBug("apache/tvm#20151"),
       Says("every 0 is a plain size, as in NumPy")) {
  misunderstand(table, [](Asked& asked) {
    if (asked.special_zero != RESHAPE_FLAG_MISSING) asked.special_zero = RESHAPE_FLAG_FALSE;
  });
}

MUTANT("flag-inverted", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/one-to-twelve-inferred"),
       Says("special_zero false copies, true does not")) {
  misunderstand(table, [](Asked& asked) {
    if (asked.special_zero != RESHAPE_FLAG_MISSING) asked.special_zero = asked.flag() ? 0 : 1;
  });
}

MUTANT("missing-flag-means-false", Breaks("special-zero.required"), Caught("shape", "shape"),
       On("openvino-reshape-1/integers-flag-missing.i32"), LikePublicBug("NVIDIA/TensorRT#1598"),
       Says("a request without special_zero is taken as false")) {
  misunderstand(table, [](Asked& asked) {
    if (asked.special_zero == RESHAPE_FLAG_MISSING) asked.special_zero = RESHAPE_FLAG_FALSE;
  });
}

MUTANT("missing-flag-means-true", Breaks("special-zero.required"), Caught("shape", "shape"),
       On("openvino-reshape-1/integers-flag-missing.i32"),
       Says("a request without special_zero is taken as true, ONNX's default")) {
  misunderstand(table, [](Asked& asked) {
    if (asked.special_zero == RESHAPE_FLAG_MISSING) asked.special_zero = RESHAPE_FLAG_TRUE;
  });
}

MUTANT("missing-flag-is-no-matter-without-zeros", Breaks("special-zero.required"),
       Caught("shape", "shape"), On("openvino-reshape-1/integers-flag-missing.i32"),
       Says("the flag is asked for only when the pattern has a 0 that needs it")) {
  misunderstand(table, [](Asked& asked) {
    if (asked.special_zero == RESHAPE_FLAG_MISSING && !has_zero(asked)) asked.special_zero = 0;
  });
}

MUTANT("flag-forgotten-beside-minus-one", Breaks("zero.literal"), Caught("shape", "shape"),
       On("openvino-reshape-1/plain-zero-minus-one-full"),
       Says("a 0 beside a -1 copies, whatever the flag says")) {
  misunderstand(table, [](Asked& asked) {
    if (asked.special_zero == RESHAPE_FLAG_FALSE && asked.minus_ones() == 1) asked.special_zero = 1;
  });
}

MUTANT("flag-read-for-constants-only", Breaks("zero.literal"), Caught("shape", "shape"),
       On("openvino-reshape-1/integers-plain-zero.u16"),
       LikePublicBug("openvinotoolkit/openvino#10189"),
       Says("patterns that are not i64 take a way on which every 0 copies")) {
  misunderstand(table, [](Asked& asked) {
    if (asked.special_zero == RESHAPE_FLAG_FALSE && asked.pattern_type != ElementType::i64) {
      asked.special_zero = 1;
    }
  });
}

MUTANT("flag-false-where-copying-is-idle", Breaks("zero.copies"), Caught("shape", "shape"),
       On("openvino-reshape-1/copy-zero-same"), LikePublicBug("Xilinx/onnx-mlir#204"),
       Says("the flag is simplified to false where the pattern is as long as the data's rank")) {
  misunderstand(table, [](Asked& asked) {
    if (asked.flag() && asked.pattern.size() == asked.data.rank()) asked.special_zero = 0;
  });
}

MUTANT("copied-zero-right-aligned", Breaks("zero.copies"), Caught("shape", "shape"),
       On("openvino-reshape-1/copy-zero-every-type.u32"),
       LikePublicBug("microsoft/onnxruntime#15203"),
       Says("a copying 0 looks at the same place from the right")) {
  copies(table, [](const Asked& asked, const std::vector<PatternValue>& pattern, std::size_t at) {
    const std::size_t from_right = pattern.size() - at;
    return from_right <= asked.data.rank() ? asked.data[asked.data.rank() - from_right] : -1;
  });
}

MUTANT("copied-zero-mirrored", Breaks("zero.copies"), Caught("shape", "shape"),
       On("openvino-reshape-1/copy-zero-same"),
       Says("a copying 0 at place i looks at the i-th size from the end")) {
  copies(table, [](const Asked& asked, const std::vector<PatternValue>&, std::size_t at) {
    return at < asked.data.rank() ? asked.data[asked.data.rank() - 1 - at] : -1;
  });
}

MUTANT("copied-zero-looks-one-further", Breaks("zero.copies"), Caught("shape", "shape"),
       On("openvino-reshape-1/copy-zero-same"),
       Says("places are counted from 1 in the pattern and from 0 in the data")) {
  copies(table, [](const Asked& asked, const std::vector<PatternValue>&, std::size_t at) {
    return size_at(asked, at + 1);
  });
}

MUTANT("nth-zero-copies-nth-size", Breaks("zero.copies"), Caught("shape", "shape"),
       On("openvino-reshape-1/copy-zero-every-type.u32"),
       Says("the n-th 0 copies the n-th size, wherever it stands")) {
  copies(table, [](const Asked& asked, const std::vector<PatternValue>& pattern, std::size_t at) {
    return size_at(asked, count_before(pattern, at, 0));
  });
}

MUTANT("minus-one-not-counted-as-a-place", Breaks("minus-one.beside-copied-zero"),
       Caught("shape", "shape"), On("openvino-reshape-1/minus-one-first-by-design"),
       Says("behind a -1 a 0 copies from one place before its own")) {
  copies(table, [](const Asked& asked, const std::vector<PatternValue>& pattern, std::size_t at) {
    return size_at(asked, at - count_before(pattern, at, -1));
  });
}

MUTANT("first-zero-copies-only", Breaks("zero.copies"), Caught("shape", "shape"),
       On("openvino-reshape-1/example-3-every-type.u32"),
       Says("the first 0 copies, a further one is a plain size")) {
  misunderstand(table, [](Asked& asked) {
    if (!asked.flag()) return;
    const auto first = std::find(asked.pattern.begin(), asked.pattern.end(), 0);
    const std::size_t at = static_cast<std::size_t>(first - asked.pattern.begin());
    if (first == asked.pattern.end() || at >= asked.data.rank()) return;
    const std::int64_t size = asked.data[at];
    // A copied 0 would be read as one that copies, which it does not have to any more.
    if (size == 0) return;
    *first = size;
    asked.special_zero = RESHAPE_FLAG_FALSE;
  });
}

MUTANT("zeros-copy-the-first-size", Breaks("zero.copies"), Caught("shape", "shape"),
       On("openvino-reshape-1/copy-zero-every-type.u32"),
       Says("every copying 0 copies the data's first size, the batch")) {
  copies(table, [](const Asked& asked, const std::vector<PatternValue>&, std::size_t at) {
    return at < asked.data.rank() ? asked.data[0] : -1;
  });
}

MUTANT("copied-index-unchecked", Breaks("zero.past-rank"), Caught("shape", "shape"),
       On("openvino-reshape-1/in-place-past-rank"), LikePublicBug("apache/tvm#20255"),
       Says("a copying 0 past the rank of the data gives 1")) {
  copies(table, [](const Asked& asked, const std::vector<PatternValue>&, std::size_t at) {
    return at < asked.data.rank() ? -1 : 1;
  });
}

MUTANT("copied-index-off-by-one", Breaks("zero.past-rank"), Caught("shape", "shape"),
       On("openvino-reshape-1/in-place-past-rank"),
       Says("a copying 0 right behind the last size is let through as a 1")) {
  copies(table, [](const Asked& asked, const std::vector<PatternValue>&, std::size_t at) {
    return at == asked.data.rank() ? 1 : -1;
  });
}

MUTANT("copied-index-clamped", Breaks("zero.past-rank"), Caught("shape", "shape"),
       On("openvino-reshape-1/past-rank-minus-one-first"),
       Says("a copying 0 past the rank of the data copies the last size")) {
  copies(table, [](const Asked& asked, const std::vector<PatternValue>&, std::size_t at) {
    const std::size_t rank = asked.data.rank();
    return at < rank || rank == 0 ? -1 : asked.data[rank - 1];
  });
}

MUTANT("copied-index-wraps", Breaks("zero.past-rank"), Caught("shape", "shape"),
       On("openvino-reshape-1/past-rank-minus-one-first"),
       Says("a copying 0 past the rank of the data begins again at its first size")) {
  copies(table, [](const Asked& asked, const std::vector<PatternValue>&, std::size_t at) {
    const std::size_t rank = asked.data.rank();
    return at < rank || rank == 0 ? -1 : asked.data[at % rank];
  });
}

MUTANT("zero-past-rank-is-plain", Breaks("zero.past-rank"), Caught("shape", "shape"),
       On("openvino-reshape-1/zero-after-overflow-past-rank"),
       LikePublicBug("microsoft/onnxruntime#8421"),
       Says("a copying 0 past the rank of the data is a plain size of 0")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    if (!right.refused_for("zero.past-rank")) return Misreading::none();
    Asked other = asked;
    for (std::size_t at = 0; at < asked.data.rank() && at < other.pattern.size(); ++at) {
      if (other.pattern[at] == 0) other.pattern[at] = asked.data[at];
    }
    other.special_zero = RESHAPE_FLAG_FALSE;
    const auto plain = plain_pattern(other);
    const bool fits = plain && !plain->minus_one && is_empty(asked.data);
    return fits ? Misreading::of(plain->sizes) : Misreading::none();
  });
}

MUTANT(
    "only-zeros-is-unchanged", Breaks("volume.kept"), Caught("shape", "shape"),
    On("openvino-reshape-1/truncated-data-size-to-zero"),
    Says("a pattern of nothing but zeros is taken for the data's shape before the flag is read")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const bool zeros = !asked.pattern.empty() && asked.pattern.size() == asked.data.rank() &&
                       std::all_of(asked.pattern.begin(), asked.pattern.end(),
                                   [](PatternValue value) { return value == 0; });
    if (!zeros || !(right.produces() || right.refused_for("volume.kept"))) {
      return Misreading::none();
    }
    return Misreading::of(sizes_of(asked.data));
  });
}

MUTANT("copying-of-nothing-refused", Breaks("zero.copies"), Caught("shape", "shape"),
       On("openvino-reshape-1/copy-zero-same"),
       Says("a copied size of 0 is taken for a size that is not known yet, and refused")) {
  refuses_where(table, [](const Asked& asked, const Sizes& sizes) {
    for (std::size_t at = 0; asked.flag() && at < sizes.size(); ++at) {
      if (asked.pattern[at] == 0 && sizes[at] == 0) return true;
    }
    return false;
  });
}

MUTANT("copied-in-32-bits", Breaks("zero.copies"), Caught("shape", "shape"),
       On("openvino-reshape-1/size-2-to-31-plus-1-copied"),
       Says("copied sizes pass through a 32-bit integer")) {
  reshapes_otherwise(table, [](const Asked& asked, Sizes& sizes) {
    for (std::size_t at = 0; asked.flag() && at < sizes.size(); ++at) {
      if (asked.pattern[at] == 0) sizes[at] = static_cast<std::int32_t>(sizes[at]);
    }
    if (std::any_of(sizes.begin(), sizes.end(), [](auto size) { return size < 0; })) sizes = {0};
  });
}

MUTANT("copies-in-a-mask-of-32", Breaks("zero.copies"), Caught("shape", "shape"),
       On("openvino-reshape-1/rank-33-copied"),
       Says("which zeros copy is kept in 32 bits, so that the 33rd is a plain size")) {
  refuses_where(table, [](const Asked& asked, const Sizes& sizes) {
    for (std::size_t at = 32; asked.flag() && at < sizes.size(); ++at) {
      if (asked.pattern[at] == 0 && sizes[at] != 0) return true;
    }
    return false;
  });
}

MUTANT("copies-in-a-mask-of-64", Breaks("zero.copies"), Caught("shape", "shape"),
       On("openvino-reshape-1/rank-65-copied"),
       Says("which zeros copy is kept in 64 bits, so that the 65th is a plain size")) {
  refuses_where(table, [](const Asked& asked, const Sizes& sizes) {
    for (std::size_t at = 64; asked.flag() && at < sizes.size(); ++at) {
      if (asked.pattern[at] == 0 && sizes[at] != 0) return true;
    }
    return false;
  });
}

}  // namespace reshape::conformance::self
