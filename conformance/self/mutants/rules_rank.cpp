// More sizes than an array holds.
#include <algorithm>

#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

template <std::size_t Most>
void output_rank_at_most(reshape_plugin& table) {
  refuses_where(table, [](const Asked&, const Sizes& sizes) { return sizes.size() > Most; });
}

template <std::size_t Most>
void data_rank_at_most(reshape_plugin& table) {
  refuses_where(table, [](const Asked& asked, const Sizes&) { return asked.data.rank() > Most; });
}

// Only the first Most sizes are kept, and the rest of the elements go into the last of them.
template <std::size_t Most>
void output_rank_folded(reshape_plugin& table) {
  reshapes_otherwise(table, [](const Asked&, Sizes& sizes) {
    for (; sizes.size() > Most; sizes.pop_back()) sizes[sizes.size() - 2] *= sizes.back();
  });
}

}  // namespace

MUTANT("rank-above-4-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/in-place-rank-9.f64"),
       Says("outputs of more than 4 sizes are refused")) {
  output_rank_at_most<4>(table);
}

MUTANT("rank-above-5-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/in-place-rank-9.f64"),
       Says("outputs of more than 5 sizes are refused")) {
  output_rank_at_most<5>(table);
}

MUTANT("rank-above-6-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/in-place-rank-9.f64"),
       Says("outputs of more than 6 sizes are refused")) {
  output_rank_at_most<6>(table);
}

MUTANT("rank-above-8-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/in-place-rank-9.f64"), LikePublicBug("tensorflow/tensorflow#124982"),
       Says("outputs of more than 8 sizes are refused")) {
  output_rank_at_most<8>(table);
}

MUTANT("rank-above-12-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/out-rank-13-reversed.f64"),
       Says("outputs of more than 12 sizes are refused, the limit of oneDNN")) {
  output_rank_at_most<12>(table);
}

MUTANT("rank-above-16-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/out-rank-17-reversed.f64"),
       Says("outputs of more than 16 sizes are refused")) {
  output_rank_at_most<16>(table);
}

MUTANT("rank-above-32-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/out-rank-33-reversed.f64"),
       Says("outputs of more than 32 sizes are refused, the limit of NumPy 1")) {
  output_rank_at_most<32>(table);
}

MUTANT("rank-above-64-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/out-rank-65-reversed.f64"),
       Says("outputs of more than 64 sizes are refused, the limit of NumPy 2")) {
  output_rank_at_most<64>(table);
}

MUTANT("rank-254-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/rank-255-of-zeros"), LikePublicBug("GHSA-f4w6-h4f5-wx45"),
       Says("outputs of more than 254 sizes are refused, the limit of TensorFlow")) {
  output_rank_at_most<254>(table);
}

MUTANT("data-rank-above-4-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/five-axes-regrouped.f64"),
       Says("data of more than 4 sizes is refused")) {
  data_rank_at_most<4>(table);
}

MUTANT("data-rank-above-8-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/thirteen-axes-reversed.f64"),
       Says("data of more than 8 sizes is refused")) {
  data_rank_at_most<8>(table);
}

MUTANT("data-rank-above-16-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/rank-17-reversed.f64"),
       Says("data of more than 16 sizes is refused")) {
  data_rank_at_most<16>(table);
}

MUTANT("data-rank-above-32-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/rank-33-reversed.f64"),
       Says("data of more than 32 sizes is refused")) {
  data_rank_at_most<32>(table);
}

MUTANT("data-rank-above-64-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/rank-65-reversed.f64"),
       Says("data of more than 64 sizes is refused")) {
  data_rank_at_most<64>(table);
}

MUTANT(
    "rank-folded-into-5", Breaks("output.shape"), Caught("shape", "shape"),
    On("openvino-reshape-1/in-place-rank-9.f32"),
    Says("an output of more than 5 sizes is answered with 5, the last of which takes the rest")) {
  output_rank_folded<5>(table);
}

MUTANT(
    "rank-folded-into-8", Breaks("output.shape"), Caught("shape", "shape"),
    On("openvino-reshape-1/in-place-rank-9.f32"),
    Says("an output of more than 8 sizes is answered with 8, the last of which takes the rest")) {
  output_rank_folded<8>(table);
}

MUTANT("only-eight-data-sizes-read", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/rank-17-shifted"),
       Says("of data of more than 8 sizes the first 8 are multiplied")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = plain_pattern(asked);
    const bool concerned = right.produces() || right.refused_for("volume.kept");
    if (!concerned || !plain || plain->minus_one || asked.data.rank() <= 8) {
      return Misreading::none();
    }
    Sizes first = sizes_of(asked.data);
    first.resize(8);
    const bool same = product_in<std::int64_t>(first) == product_in<std::int64_t>(plain->sizes);
    return same ? Misreading::of(plain->sizes) : Misreading::refusal();
  });
}

MUTANT("growing-the-rank-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/count-2.f64"), LikePublicBug("pytorch/pytorch#56053"),
       Says("a pattern longer than the data's rank is refused")) {
  refuses_where(table, [](const Asked& asked, const Sizes& sizes) {
    return sizes.size() > asked.data.rank();
  });
}

MUTANT("rank-changed-by-three-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/zero-then-ones"),
       Says("an output of four sizes or more, over data of three fewer, is refused")) {
  refuses_where(table, [](const Asked& asked, const Sizes& sizes) {
    return sizes.size() >= 4 && sizes.size() >= asked.data.rank() + 3;
  });
}

}  // namespace reshape::conformance::self
