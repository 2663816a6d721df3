// Whether the number of elements is kept, how the -1 is inferred, and in what arithmetic both are asked.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "conformance/self/families.h"
#include "conformance/self/misread.h"

namespace reshape::conformance::self {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t product_modulo(std::uint64_t modulus, const Sizes& sizes) {
  Wide product = 1;
  for (const std::int64_t size : sizes) product = product * static_cast<Wide>(size) % modulus;
  return static_cast<std::uint64_t>(product % modulus);
}

// Both volumes in the arithmetic of Number: equal ones are the same to it.
template <typename Number>
Steps compares_in() {
  return compares_by([](const Sizes& data, const Sizes& output) {
    return product_in<Number>(data) == product_in<Number>(output);
  });
}

// Produces the sizes as asked where measure(sizes) is the same of both sides.
template <typename Measure>
Steps accepts_where_same(Measure measure) {
  return accepts_where([=](const Asked& asked, const Sizes& sizes) {
    return measure(sizes) == measure(sizes_of(asked.data));
  });
}

// As compares_by, where there are elements.
Steps compares_full_by(std::function<bool(const Sizes&, const Sizes&)> same) {
  return misreads([=](const Asked& asked, const RightAnswer& right) {
    const auto sizes = sizes_asked_for(asked, right);
    if (!sizes || is_empty(asked.data) || is_empty(Shape(*sizes))) return none();
    return same(sizes_of(asked.data), *sizes) ? answers(*sizes) : refusal();
  });
}

bool same_modulo(std::uint64_t modulus, const Sizes& data, const Sizes& output) {
  return product_modulo(modulus, data) == product_modulo(modulus, output);
}

Steps compares_modulo(std::uint64_t modulus) {
  return compares_full_by(
      [=](const Sizes& data, const Sizes& output) { return same_modulo(modulus, data, output); });
}

std::ptrdiff_t zeros_in(const Sizes& sizes) { return std::count(sizes.begin(), sizes.end(), 0); }

// The prime factors below 1000, and how often each of them divides the product.
std::vector<int> small_factors(const Sizes& sizes) {
  std::vector<int> times(1000, 0);
  for (std::int64_t rest : sizes) {
    for (std::size_t factor = 2; factor < times.size(); ++factor) {
      for (; rest % static_cast<std::int64_t>(factor) == 0;
           rest /= static_cast<std::int64_t>(factor)) {
        ++times[factor];
      }
    }
  }
  return times;
}

std::int64_t saturating_product(const Sizes& sizes, std::int64_t most) {
  std::int64_t product = 1;
  for (const std::int64_t size : sizes) {
    if (size == 0) return 0;
    product = product > most / size ? most : product * size;
  }
  return product;
}

bool overflows_on_the_way(const Sizes& sizes) {
  std::int64_t product = 1;
  for (const std::int64_t size : sizes) {
    if (__builtin_mul_overflow(product, size, &product)) return true;
  }
  return false;
}

// A number as it comes out of a variable of an integer type.
PatternValue wrapped(PatternValue value, ElementType type) {
  const PatternValue span = PatternValue{1} << bits(type);
  PatternValue rest = value % span;
  if (rest < 0) rest += span;
  return is_signed_integer(type) && rest >= span / 2 ? rest - span : rest;
}

// The product in an integer of this type.
PatternValue product_wrapped(const Sizes& sizes, ElementType type) {
  PatternValue product = 1;
  for (const std::int64_t size : sizes) product = wrapped(product * wrapped(size, type), type);
  return product;
}

// The sizes that stand where `value` stands in the pattern are answered in the pattern's type.
Steps writes_into_the_pattern(PatternValue value) {
  return misreads([=](const Asked& asked, const RightAnswer& right) {
    if (!right.produces() || (value == 0 && !asked.flag())) return none();
    Sizes sizes = right.sizes;
    for (std::size_t at = 0; at < sizes.size(); ++at) {
      if (asked.pattern[at] != value) continue;
      const PatternValue size = wrapped(sizes[at], asked.pattern_type);
      if (size < 0) return refusal();
      sizes[at] = static_cast<std::int64_t>(size);
    }
    return answers(sizes);
  });
}

template <typename Float>
std::int64_t quotient_in(const Sizes& data, const Sizes& known) {
  const Float quotient = product_in<Float>(data) / product_in<Float>(known);
  // 2^63 is the first number that is no size; it stays right that it is refused.
  if (quotient != std::floor(quotient) || quotient >= static_cast<Float>(9223372036854775808.0)) {
    return -1;
  }
  return static_cast<std::int64_t>(quotient);
}

using Count = std::optional<std::int64_t>;
Count count_of(const Sizes& sizes) { return element_count(Shape(sizes)); }

// The quotient; -1 where it is not known what to divide, or a remainder is left.
std::int64_t whole_quotient(Count count, Count by) {
  return count && by && *by > 0 && *count % *by == 0 ? *count / *by : -1;
}

// The -1 as divide(the data's count, that of the known sizes) gives it, negative for a refusal, where both
// counts are in 63 bits.
Steps infers_from_counts(std::function<std::int64_t(std::int64_t, std::int64_t)> divide) {
  return infers([=](const Sizes& data, const Sizes& known) {
    const Count count = count_of(data), by = count_of(known);
    return count && by ? divide(*count, *by) : -1;
  });
}

// The -1 is divided out by other(asked, the known sizes) in their place.
Steps divides_by(std::function<std::optional<Sizes>(const Asked&, const PlainPattern&)> other) {
  return misreads([=](const Asked& asked, const RightAnswer& right) {
    const auto plain = division(asked, right);
    const auto known = plain ? other(asked, *plain) : std::nullopt;
    const Count count = element_count(asked.data);
    const Count by = known ? count_of(*known) : std::nullopt;
    if (!count || !by) return none();
    return *count % *by == 0 ? answers(plain->with(*count / *by)) : refusal();
  });
}

}  // namespace

Mutants families::rules_volume() {
  Mutants table = {
      {"volume-unchecked", "volume.kept", "shape-overflow-of-a-tensor",
       "the numbers of elements are not compared",
       accepts_where([](const Asked&, const Sizes&) { return true; }),
       like("llvm/llvm-project#108151")},
      {"volume-in-32-bits", "volume.kept", "empty-to-wrapping-32",
       "the numbers of elements are multiplied in 32 bits", compares_in<std::int32_t>()},
      {"volume-in-64-bits", "volume.kept", "empty-to-wrapping-64",
       "the numbers of elements are multiplied in 64 bits that wrap around",
       compares_in<std::int64_t>(), like("numpy/numpy#7456")},
      {"volume-in-16-bits", "volume.kept", "empty-to-wrapping-32",
       "the numbers of elements are multiplied in 16 bits", compares_in<std::uint16_t>()},
      {"volume-in-float", "volume.kept", "i32-highest-wrong-volume",
       "the numbers of elements are multiplied in float, which holds 24 bits",
       compares_in<float>()},
      {"volume-in-double", "volume.kept", "i64-highest-wrong-volume",
       "the numbers of elements are multiplied in double, which holds 53 bits",
       compares_in<double>()},
      {"volume-saturates", "volume.kept", "wrap-64-both-sides",
       "products stop at 2^63-1, where all large volumes are the same",
       accepts_where_same([](const Sizes& sizes) { return saturating_product(sizes, INT64_MAX); })},
      {"volume-saturates-at-int32", "volume.kept", "i32-highest-wrong-volume",
       "products stop at 2^31-1, where all large volumes are the same",
       accepts_where_same([](const Sizes& sizes) { return saturating_product(sizes, INT32_MAX); })},
      {"volume-in-bytes", "volume.kept", "in-place-wrong-volume.u8",
       "bytes are compared, rounded up to whole 8, instead of elements",
       accepts_where([](const Asked& asked, const Sizes& sizes) {
         const auto words = [&](const Sizes& of) -> std::int64_t {
           const auto count = element_count(Shape(of));
           if (!count || *count > (std::int64_t{1} << 40)) return -1;
           return (*count * bits(asked.data_type) + 63) / 64;
         };
         return words(sizes) >= 0 && words(sizes) == words(sizes_of(asked.data));
       })},
      {"volume-compared-one-size-behind", "volume.kept", "empty-to-same-with-one",
       "the first sizes are compared on their own and left out of the products",
       accepts_where([](const Asked& asked, const Sizes& sizes) {
         if (sizes.size() < 2 || asked.data.rank() < 2) return false;
         const Sizes data = sizes_of(asked.data);
         return product_in<std::uint64_t>({sizes.begin() + 1, sizes.end()}) ==
                product_in<std::uint64_t>({data.begin() + 1, data.end()});
       })},
      {"smaller-output-accepted", "volume.kept", "full-to-empty",
       "an output that needs fewer elements than there are is filled with the first ones",
       accepts_where([](const Asked& asked, const Sizes& sizes) {
         const auto asked_for = element_count(Shape(sizes));
         const auto there = element_count(asked.data);
         return asked_for && (!there || *asked_for < *there);
       }),
       like("numpy/numpy#15030")},
      {"multiple-accepted", "volume.kept", "truncated-to-minus-one-beside-size",
       "an output of a whole multiple of the data is accepted, as in broadcasting",
       accepts_where([](const Asked& asked, const Sizes& sizes) {
         const auto asked_for = element_count(Shape(sizes));
         const auto there = element_count(asked.data);
         return asked_for && there && *there > 0 && *asked_for % *there == 0 && *asked_for > 0;
       })},
      {"one-element-fits-all", "volume.kept", "rank-8-wrong-volume",
       "data of one element is taken for a scalar that fits every shape",
       accepts_where(
           [](const Asked& asked, const Sizes&) { return element_count(asked.data) == 1; })},
      {"one-size-means-flat", "volume.kept", "empty-to-full-true",
       "a pattern of one value is answered with the flat shape without a look at the value",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto count = element_count(asked.data);
         const bool meant = right.refused_for("volume.kept") && asked.pattern.size() == 1 && count;
         return meant ? answers({*count}) : none();
       })},
      {"equal-ranks-unchecked", "volume.kept", "copy-size-beside-zero-not-copied",
       "volumes are compared only where the rank changes",
       accepts_where([](const Asked& asked, const Sizes& sizes) {
         return asked.data.rank() == sizes.size();
       })},
      {"large-sizes-unchecked", "volume.kept", "shape-overflow-of-a-tensor",
       "where either product overflows, the volumes are not compared",
       accepts_where([](const Asked& asked, const Sizes& sizes) {
         return overflows_on_the_way(sizes) || overflows_on_the_way(sizes_of(asked.data));
       })},
      {"declared-output-held-against-itself", "volume.kept", "empty-to-ones",
       "execution checks the output against the pattern, and neither against the data",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         const RightAnswer answer = right_answer(*request, why);
         const auto plain = plain_pattern(Asked(*request));
         const bool unseen = answer.refused_for("volume.kept") && plain && !plain->minus_one;
         return answer_execution(*request, unseen ? answers(plain->sizes) : none(), output, why);
       }),
       caught("shape", "status") | like("uxlfoundation/oneDNN@e1952c4d10")},
      {"overflow-before-a-zero-refused", "output.shape", "zero-after-128-bits-small-sizes",
       "products that overflow before they meet a 0 are refused",
       refuses_where([](const Asked& asked, const Sizes& sizes) {
         return overflows_on_the_way(sizes) || overflows_on_the_way(sizes_of(asked.data));
       })},
      {"volume-above-int32-refused", Duty::C3, "size-2-to-31",
       "more than 2^31-1 elements are refused", refuses_where([](const Asked& asked, const Sizes&) {
         return element_count(asked.data).value_or(INT64_MAX) > INT32_MAX;
       })},
      {"bytes-beyond-int64-refused", Duty::C3, "size-2-to-62",
       "shapes whose bytes cannot be counted in 63 bits are refused, though none are asked for",
       refuses_where([](const Asked& asked, const Sizes&) {
         const std::int64_t width = bits(asked.data_type) / 8;
         return width > 1 && element_count(asked.data).value_or(INT64_MAX) > INT64_MAX / width;
       })},
      {"strides-beyond-int64-refused", Duty::C3, "zero-before-overflow",
       "the strides of an empty output are computed with its zeros as 1, and overflow",
       refuses_where([](const Asked&, const Sizes& sizes) {
         return !row_major_strides(Shape(sizes)).has_value();
       })},
      {"volume-modulo-255", "volume.exact", "digest-*",
       "volumes are compared by a checksum of 8 bits, modulo 255", compares_modulo(255)},
      {"volume-modulo-adler", "volume.exact", "digest-*",
       "volumes are compared by a checksum of 16 bits, modulo 65521", compares_modulo(65521)},
      {"volume-modulo-65535", "volume.exact", "digest-*",
       "volumes are multiplied in 16 bits with the carry added at the end, modulo 65535",
       compares_modulo(65535)},
      {"volume-modulo-a-billion-and-7", "volume.exact", "digest-*",
       "volumes are multiplied modulo 1000000007, so that they never overflow",
       compares_modulo(1'000'000'007)},
      {"volume-modulo-2-to-31-minus-1", "volume.exact", "digest-*",
       "volumes are multiplied modulo 2^31-1, so that they never overflow",
       compares_modulo((std::uint64_t{1} << 31) - 1)},
      {"volume-modulo-2-to-32-minus-1", "volume.exact", "digest-*",
       "volumes are multiplied modulo 2^32-1, so that they never overflow",
       compares_modulo((std::uint64_t{1} << 32) - 1)},
      {"volume-modulo-2-to-61-minus-1", "volume.exact", "digest-*",
       "volumes are multiplied modulo 2^61-1, a prime that hashes are made of",
       compares_modulo((std::uint64_t{1} << 61) - 1)},
      {"volume-modulo-2-to-63-minus-1", "volume.exact", "digest-*",
       "volumes are multiplied modulo 2^63-1, and what overflows comes in again",
       compares_modulo((std::uint64_t{1} << 63) - 1)},
      {"volume-modulo-2-to-64-minus-1", "volume.exact", "digest-*",
       "volumes are multiplied modulo 2^64-1, and what overflows comes in again",
       compares_modulo(~std::uint64_t{0})},
      {"volume-by-small-factors", "volume.exact", "digest-*",
       "volumes are taken apart into factors below 1000, and what is left is forgotten",
       compares_full_by([](const Sizes& data, const Sizes& output) {
         return small_factors(data) == small_factors(output);
       })},
      {"volume-by-sum", "volume.kept", "digest-same-sum",
       "a sum of the sizes above 1 that stays the same is taken for a kept volume",
       compares_full_by([](const Sizes& data, const Sizes& output) {
         const auto sum = [](const Sizes& sizes) {
           Wide all = 0;
           for (const std::int64_t size : sizes) all += static_cast<Wide>(size > 1 ? size : 0);
           return all;
         };
         return same_modulo(~std::uint64_t{0}, data, output) || sum(data) == sum(output);
       })},
      {"as-many-zeros-as-before", "zero.empty-tensors", "*er-zeros",
       "zeros are cancelled one for one, so that an output needs as many as the data has",
       refuses_where([](const Asked& asked, const Sizes& sizes) {
         return zeros_in(sizes_of(asked.data)) != zeros_in(sizes);
       })},
      {"zeros-stay-in-their-places", "zero.empty-tensors", "zero-elsewhere*",
       "an output without elements has to have its first 0 where the data has it",
       refuses_where([](const Asked& asked, const Sizes& sizes) {
         const Sizes data = sizes_of(asked.data);
         const auto place = [](const Sizes& all) {
           return std::find(all.begin(), all.end(), 0) - all.begin();
         };
         return is_empty(asked.data) && place(data) != place(sizes);
       })},
      {"known-sizes-of-empty-data-overflow", "minus-one.inferred", "empty-beside-large-known",
       "a -1 of empty data is refused where the known sizes multiply beyond 2^63-1",
       refuses_where([](const Asked& asked, const Sizes&) {
         const auto plain = plain_pattern(asked);
         return is_empty(asked.data) && plain && plain->minus_one &&
                !element_count(Shape(plain->sizes));
       })},
      {"sizes-merge-or-split", "volume.kept", "neither-*",
       "each size has to divide one of the data's or be divided by one",
       refuses_where([](const Asked& asked, const Sizes& sizes) {
         if (is_empty(asked.data)) return false;
         return std::any_of(sizes.begin(), sizes.end(), [&](std::int64_t size) {
           return std::none_of(asked.data.begin(), asked.data.end(), [&](std::int64_t given) {
             return given % size == 0 || size % given == 0;
           });
         });
       })},
      {"powers-of-two-by-32-bits", "minus-one.inferred", "known-2-to-*",
       "a known product that is a power of two shifts, by a distance found in 32 bits",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto plain = division(asked, right);
         if (!plain || !right.produces()) return none();
         const Count count = element_count(asked.data), known = count_of(plain->sizes);
         if (!count || !known || (*known & (*known - 1)) != 0) return none();
         const auto low = static_cast<std::uint32_t>(*known);
         return answers(plain->with(*count >> (low == 0 ? 0 : __builtin_ctz(low))));
       })},
      {"volume-in-the-pattern-type", "output.shape", "integers-plain.u4",
       "sizes are multiplied in the pattern's type, so that u8[16,16] makes 0",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto plain = plain_pattern(asked);
         const auto count = element_count(asked.data);
         const bool narrow = is_integer(asked.pattern_type) && bits(asked.pattern_type) < 64;
         if (!right.produces() || !plain || plain->minus_one || !count || !narrow) return none();
         const PatternValue product = product_wrapped(plain->sizes, asked.pattern_type);
         return product == *count ? none() : refusal();
       })},
      {"both-volumes-in-the-pattern-type", "volume.kept",
       "onednn-graph-dynamic-reshape-1/empty-to-wrapping-32",
       "both volumes are multiplied in the pattern's type and compared there",
       accepts_where([](const Asked& asked, const Sizes& sizes) {
         const ElementType type = asked.pattern_type;
         return bits(type) < 64 &&
                product_wrapped(sizes, type) == product_wrapped(sizes_of(asked.data), type);
       })},
      {"copied-into-the-pattern-type", "zero.copies", "signed-copied-past-the-type.i8",
       "copied sizes are written over the zeros, in the pattern's type",
       writes_into_the_pattern(0)},
      {"inferred-into-the-pattern-type", "minus-one.inferred", "signed-infer-alone.i4",
       "an inferred size is written over the -1, in the pattern's type",
       writes_into_the_pattern(-1)},
      {"known-product-in-the-pattern-type", "minus-one.inferred", "signed-infer-last.i4",
       "the known sizes are multiplied in the pattern's type before they divide the count",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto plain = division(asked, right);
         const auto count = element_count(asked.data);
         if (!plain || !count) return none();
         const PatternValue known = product_wrapped(plain->sizes, asked.pattern_type);
         if (known <= 0 || *count % known != 0) return refusal();
         return answers(plain->with(static_cast<std::int64_t>(*count / known)));
       })},
      {"data-count-in-the-pattern-type", "minus-one.inferred", "signed-infer-last.i4",
       "the data's elements are counted in the pattern's type before the -1 divides them",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto plain = division(asked, right);
         const auto count = element_count(asked.data);
         const Count known = plain ? count_of(plain->sizes) : std::nullopt;
         if (!plain || !count || !known) return none();
         const PatternValue there = wrapped(*count, asked.pattern_type);
         if (there < 0 || there % *known != 0) return refusal();
         return answers(plain->with(static_cast<std::int64_t>(there / *known)));
       })},
      {"volume-in-128-bits", "volume.kept", "wrap-128-to-zero",
       "the numbers of elements are multiplied in 128 bits that wrap around",
       accepts_where_same([](const Sizes& sizes) {
         Wide product = 1;
         for (const std::int64_t size : sizes) product *= static_cast<Wide>(size);
         return product;
       })},
      {"volume-in-long-double", "volume.kept", "volume-beyond-long-double",
       "the numbers of elements are multiplied in long double, which holds 64 bits",
       compares_in<long double>()},
      {"volume-by-logarithms", "volume.kept", "double-small-sizes-one-more",
       "volumes are compared as sums of logarithms, to nine places",
       accepts_where([](const Asked& asked, const Sizes& sizes) {
         if (is_empty(asked.data) || is_empty(Shape(sizes))) return false;
         const auto sum = [](const Sizes& of) {
           double all = 0;
           for (const std::int64_t size : of) all += std::log2(static_cast<double>(size));
           return all;
         };
         return std::abs(sum(sizes) - sum(sizes_of(asked.data))) < 1e-9;
       })},
      {"first-minus-one-infers", "minus-one.once", "in-place-two-minus-ones",
       "of several -1 the first is inferred, the others are 1", misunderstand([](Asked& asked) {
         const auto first = std::find(asked.pattern.begin(), asked.pattern.end(), -1);
         if (first != asked.pattern.end()) {
           std::replace(first + 1, asked.pattern.end(), PatternValue{-1}, PatternValue{1});
         }
       })},
      {"last-minus-one-infers", "minus-one.once", "in-place-two-minus-ones",
       "of several -1 the last is inferred, the others are 1", misunderstand([](Asked& asked) {
         for (std::size_t left = asked.minus_ones(); left > 1; --left) {
           *std::find(asked.pattern.begin(), asked.pattern.end(), -1) = 1;
         }
       }),
       like("huggingface/candle#3908")},
      {"two-minus-ones-share", "minus-one.once", "rank-8-two-minus-ones",
       "two -1 are both given the root of what the other sizes leave, where it is whole",
       misreads([](const Asked& asked, const RightAnswer& right) {
         if (!right.refused_for("minus-one.once") || asked.minus_ones() != 2) return none();
         Sizes sizes;
         for (const PatternValue value : asked.with_zeros_copied()) {
           if (value < -1 || value > 1'000'000) return none();
           sizes.push_back(value == -1 ? 1 : static_cast<std::int64_t>(value));
         }
         const std::int64_t count = element_count(asked.data).value_or(0);
         const std::int64_t known = product_in<std::int64_t>(sizes);
         if (known <= 0 || count <= 0 || count % known != 0) return none();
         const auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(count / known)));
         if (root * root != count / known) return none();
         for (std::size_t at = 0; at < sizes.size(); ++at) {
           if (asked.pattern[at] == -1) sizes[at] = root;
         }
         return answers(sizes);
       })},
      {"adjacent-minus-ones-are-one", "minus-one.once", "in-place-two-minus-ones",
       "a -1 right behind a -1 is not counted as a second one, and is 1",
       misunderstand([](Asked& asked) {
         for (std::size_t at = asked.pattern.size(); at-- > 1;) {
           if (asked.pattern[at] == -1 && asked.pattern[at - 1] == -1) asked.pattern[at] = 1;
         }
       })},
      {"minus-one-rounds-down", "minus-one.divides", "strided-indivisible.f64",
       "the -1 is the quotient, and the remainder is forgotten",
       infers([](const Sizes& data, const Sizes& known) -> std::int64_t {
         const Count count = count_of(data), by = count_of(known);
         if (!count) return -1;
         return by ? *count / *by : 0;
       }),
       like("tensorflow/tflite-micro#3070")},
      {"minus-one-rounds-up", "minus-one.divides", "strided-indivisible.f64",
       "the -1 is the quotient rounded up, so that every element finds a place",
       infers([](const Sizes& data, const Sizes& known) -> std::int64_t {
         const Count count = count_of(data), by = count_of(known);
         if (!count) return -1;
         return by ? *count / *by + (*count % *by != 0 ? 1 : 0) : 1;
       })},
      {"minus-one-at-least-one", "minus-one.divides", "indivisible-floor-is-zero",
       "a -1 of data that is smaller than the known sizes is 1",
       infers_from_counts([](std::int64_t count, std::int64_t by) {
         return count < by ? 1 : whole_quotient(count, by);
       })},
      {"minus-one-before-copies", "minus-one.inferred", "example-2-every-type.i4",
       "the -1 is divided out before zeros are copied, as if they were 1",
       divides_by([](const Asked& asked, const PlainPattern& plain) -> std::optional<Sizes> {
         if (!asked.flag()) return std::nullopt;
         Sizes written = plain.sizes;
         for (std::size_t at = 0; at < written.size(); ++at) {
           if (asked.pattern[at] == 0) written[at] = 1;
         }
         return written;
       }),
       like("onnx/onnx-mlir#2601")},
      {"minus-one-divides-once-for-each-copy", "minus-one.inferred", "example-2-every-type.i4",
       "a copied size is divided out twice where that leaves no remainder",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto plain = division(asked, right);
         if (!plain || !right.produces() || !asked.flag()) return none();
         std::int64_t size = right.sizes[*plain->minus_one];
         for (std::size_t at = 0; at < plain->sizes.size(); ++at) {
           if (asked.pattern[at] == 0 && size % plain->sizes[at] == 0) size /= plain->sizes[at];
         }
         return answers(plain->with(size));
       })},
      {"minus-one-keeps-only-what-is-in-front", "minus-one.inferred", "example-2-every-type.i4",
       "the -1 is divided by the sizes in front of it only",
       divides_by([](const Asked&, const PlainPattern& plain) {
         Sizes front = plain.sizes;
         front.resize(*plain.minus_one);
         return std::optional(front);
       })},
      {"minus-one-copies-its-place", "minus-one.inferred", "example-2-every-type.i4",
       "a -1 first tries the data's size at its place, and keeps it if that divides the count",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto plain = division(asked, right);
         if (!plain || !right.produces() || *plain->minus_one >= asked.data.rank()) return none();
         return answers(plain->with(asked.data[*plain->minus_one]));
       })},
      {"minus-one-only-last", "minus-one.inferred", "infer-zero-first-true",
       "a -1 that is not the last value is refused",
       refuses_where([](const Asked& asked, const Sizes&) {
         return asked.minus_ones() == 1 && asked.pattern.back() != -1;
       })},
      {"minus-one-only-first", "minus-one.inferred", "infer-zero-last-true",
       "a -1 that is not the first value is refused",
       refuses_where([](const Asked& asked, const Sizes&) {
         return asked.minus_ones() == 1 && asked.pattern.front() != -1;
       })},
      {"minus-one-never-beside-copies", "minus-one.inferred", "example-2-every-type.i4",
       "a 0 that copies and a -1 are never accepted together",
       refuses_where([](const Asked& asked, const Sizes&) {
         return asked.flag() && asked.minus_ones() == 1 &&
                std::count(asked.pattern.begin(), asked.pattern.end(), 0) > 0;
       })},
      {"minus-one-through-float", "minus-one.divides", "wrap-32-indivisible",
       "the -1 is divided out in float, which holds 24 bits",
       infers(
           [](const Sizes& data, const Sizes& known) { return quotient_in<float>(data, known); })},
      {"minus-one-through-double", "minus-one.divides", "saturated-minus-one",
       "the -1 is divided out in double, which holds 53 bits",
       infers(
           [](const Sizes& data, const Sizes& known) { return quotient_in<double>(data, known); })},
      {"minus-one-in-32-bits", "minus-one.inferred", "size-2-to-31-inferred",
       "an inferred size above 2^31-1 loses its upper half",
       infers_from_counts([](std::int64_t count, std::int64_t by) {
         return count % by == 0 ? (count / by) & 0x7fffffff : -1;
       }),
       like("tensorflow/tflite-micro#400")},
      {"known-product-in-32-bits", "minus-one.divides", "wrap-32-indivisible-known",
       "the known sizes are multiplied in 32 bits before they divide the count",
       infers([](const Sizes& data, const Sizes& known) {
         return whole_quotient(count_of(data), product_in<std::int32_t>(known));
       })},
      {"known-product-in-64-bits", "minus-one.divides", "wrap-64-minus-one-known-to-one",
       "the known sizes are multiplied in 64 bits that wrap around",
       infers([](const Sizes& data, const Sizes& known) {
         return whole_quotient(count_of(data), product_in<std::int64_t>(known));
       }),
       like("onnx/onnx#7822")},
      {"data-count-in-32-bits", "minus-one.inferred", "size-2-to-62-inferred",
       "the data's elements are counted in 32 bits before the -1 is divided out",
       infers([](const Sizes& data, const Sizes& known) {
         return whole_quotient(product_in<std::uint32_t>(data), count_of(known));
       })},
      {"data-count-in-64-bits", "size.representable", "inferred-2-to-64",
       "the data's elements are counted in 64 bits that wrap around, then divided",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto plain = plain_pattern(asked);
         const bool concerned =
             right.refused_for("minus-one.divides") || right.refused_for("size.representable");
         if (!concerned || !plain || !plain->minus_one) return none();
         const std::int64_t size =
             whole_quotient(product_in<std::int64_t>(sizes_of(asked.data)), count_of(plain->sizes));
         return size < 0 ? none() : answers(plain->with(size));
       })},
      {"minus-one-of-what-saturates", "volume.beyond-int64", "beyond-inferred",
       "a count above 2^63-1 is taken as 2^63-1, of which the -1 is a part",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto plain = plain_pattern(asked);
         const bool concerned = right.refused_for("volume.beyond-int64") ||
                                right.refused_for("minus-one.divides") ||
                                right.refused_for("size.representable");
         if (!concerned || !plain || !plain->minus_one || element_count(asked.data)) return none();
         const Count known = count_of(plain->sizes);
         return known.value_or(0) == 0 ? none() : answers(plain->with(INT64_MAX / *known));
       })},
  };
  return family(Kind::rules, {"shape", "shape"}, std::move(table));
}

}  // namespace reshape::conformance::self
