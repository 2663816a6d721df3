// Mistakes about the volume, the inference of the -1, and the arithmetic of both.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "conformance/self/misread.h"

namespace reshape::conformance::self {
namespace {

__extension__ using Wide = unsigned __int128;

// The number of elements; nothing above 63 bits.
using Count = std::optional<std::int64_t>;
Count count_of(const Sizes& sizes) { return element_count(Shape(sizes)); }
Count count_of(const Asked& asked) { return element_count(asked.data); }

std::uint64_t product_modulo(std::uint64_t modulus, const Sizes& sizes) {
  Wide product = 1;
  for (const std::int64_t size : sizes) product = product * static_cast<Wide>(size) % modulus;
  return static_cast<std::uint64_t>(product % modulus);
}

// Equal volumes in the arithmetic of Number are the same.
template <typename Number>
Mistake multiplied_in(const std::string& arithmetic) {
  return {"the numbers of elements are multiplied in " + arithmetic,
          compares_as(product_in<Number>)};
}

// Where measure(sizes) is the same of both sides.
WhereReshaped same(std::function<Wide(const Sizes&)> measure) {
  return [=](const Reshaping& r) { return measure(r.sizes) == measure(sizes_of(r.asked.data)); };
}

// Sizes of up to `most` are thought to multiply to what 32 bits hold.
Mistake multiplied_in_32_bits_up_to(std::int64_t most) {
  constexpr std::uint64_t kNearlyExact = UINT64_MAX - 58;  // a prime
  return {"sizes of up to " + std::to_string(most) + " are multiplied in 32 bits",
          compares_as([=](const Sizes& sizes) {
            return product_modulo(
                std::ranges::all_of(sizes, [=](std::int64_t size) { return size <= most; })
                    ? std::uint64_t{1} << 32
                    : kNearlyExact,
                sizes);
          })};
}

Mistake modulo(std::uint64_t modulus, const std::string& text) {
  return {"volumes are multiplied modulo " + text,
          compares_as([=](const Sizes& sizes) { return product_modulo(modulus, sizes); }, kFull)};
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

Mistake saturating(std::int64_t most, const std::string& text) {
  return {"products stop at " + text + ", where all large volumes are the same",
          kVolumeUnchecked.steps(same([=](const Sizes& sizes) -> Wide {
            std::int64_t product = 1;
            for (const std::int64_t size : sizes) {
              if (size == 0) return 0;
              product = product > most / size ? most : product * size;
            }
            return static_cast<Wide>(product);
          }))};
}

bool overflows(const Sizes& sizes) {
  std::int64_t product = 1;
  return std::any_of(sizes.begin(), sizes.end(), [&](std::int64_t size) {
    return __builtin_mul_overflow(product, size, &product);
  });
}
const WhereReshaped kOverflow{"products that overflow on the way", [](const Reshaping& r) {
                                return overflows(r.sizes) || overflows(sizes_of(r.asked.data));
                              }};

// A value wrapped to an integer type.
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

// Answers the output sizes at the indices of `value` in the pattern wrapped to the pattern's type.
Steps writes_into_the_pattern(PatternValue value) {
  return misreads([=](const Asked& asked, const RightAnswer& right) {
    if (!right.produces() || (value == 0 && !asked.zero_copies())) return none();
    Sizes sizes = right.sizes;
    for (const std::size_t at : places_of(asked, value)) {
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

// The quotient; -1 where an operand is unknown, or there is a remainder.
std::int64_t whole_quotient(Count count, Count by) {
  return count && by && *by > 0 && *count % *by == 0 ? *count / *by : -1;
}

// Infers the -1 as divide(the data's count, that of the known sizes), if both fit into 63 bits; a
// negative result is a refusal.
Steps infers_from_counts(std::function<std::int64_t(std::int64_t, std::int64_t)> divide) {
  return infers([=](const Sizes& data, const Sizes& known) {
    const Count count = count_of(data), by = count_of(known);
    return count && by ? divide(*count, *by) : -1;
  });
}

// The operands of a wrong division for the -1; if one is missing, the right answer is given.
struct Division {
  std::optional<PatternValue> count, by;
};
Steps divides(std::function<Division(const Asked&, const PlainPattern&)> of) {
  return misreads([=](const Asked& asked, const RightAnswer& right) {
    const auto plain = division(asked, right);
    const auto [count, by] = plain ? of(asked, *plain) : Division();
    if (!count || !by) return none();
    if (*count < 0 || *by <= 0 || *count % *by != 0) return refusal();
    return answers(plain->with(static_cast<std::int64_t>(*count / *by)));
  });
}

// The -1 that is rightly answered becomes size(asked, the pattern, the right size).
Steps infers_otherwise(
    std::function<std::int64_t(const Asked&, const PlainPattern&, std::int64_t)> size) {
  return misreads([=](const Asked& asked, const RightAnswer& right) {
    const auto plain = division(asked, right);
    if (!plain || !right.produces()) return none();
    return answers(plain->with(size(asked, *plain, right.sizes[*plain->minus_one])));
  });
}

}  // namespace

Mutants families::rules_volume() {
  Table table(Kind::rules, {"shape", "shape"});
  table["volume.kept"] = {
      {"volume-unchecked", "shape-overflow-of-a-tensor", kVolumeUnchecked, kAnyRequest,
       like("llvm/llvm-project#108151")},
      {"volume-in-16-bits", "empty-to-wrapping-32", multiplied_in<std::uint16_t>("16 bits")},
      {"volume-in-32-bits", "empty-to-wrapping-32", multiplied_in<std::int32_t>("32 bits")},
      {"volume-in-32-bits-of-small-sizes", "small-sizes-*", multiplied_in_32_bits_up_to(256)},
      {"volume-in-64-bits", "empty-to-wrapping-64",
       multiplied_in<std::int64_t>("64 bits that wrap around"), like("numpy/numpy#7456")},
      {"volume-in-float", "i32-highest-wrong-volume",
       multiplied_in<float>("float, which holds 24 bits")},
      {"volume-in-double", "i64-highest-wrong-volume",
       multiplied_in<double>("double, which holds 53 bits")},
      {"volume-in-long-double", "volume-beyond-long-double",
       multiplied_in<long double>("long double, which holds 64 bits")},
      {"volume-saturates", "wrap-64-both-sides", saturating(INT64_MAX, "2^63-1")},
      {"volume-saturates-at-int32", "i32-highest-wrong-volume", saturating(INT32_MAX, "2^31-1")},
      {"volume-in-bytes", "in-place-wrong-volume.u8",
       "bytes are compared, rounded up to whole 8, instead of elements", kVolumeUnchecked,
       [](const Reshaping& r) {
         const auto words = [&](const Sizes& of) -> std::int64_t {
           const Count count = count_of(of);
           if (!count || *count > (std::int64_t{1} << 40)) return -1;
           return (*count * bits(r.asked.data_type) + 63) / 64;
         };
         return words(r.sizes) >= 0 && words(r.sizes) == words(sizes_of(r.asked.data));
       }},
      {"volume-compared-one-size-behind", "empty-to-same-with-one",
       "the first sizes are compared on their own and left out of the products", kVolumeUnchecked,
       [](const Reshaping& r) {
         const Sizes data = sizes_of(r.asked.data);
         return r.sizes.size() > 1 && data.size() > 1 &&
                product_in<std::uint64_t>({r.sizes.begin() + 1, r.sizes.end()}) ==
                    product_in<std::uint64_t>({data.begin() + 1, data.end()});
       }},
      {"smaller-output-accepted", "full-to-empty",
       "an output that needs fewer elements than there are is filled with the first ones",
       kVolumeUnchecked,
       [](const Reshaping& r) {
         const Count asked_for = count_of(r.sizes), there = count_of(r.asked);
         return asked_for && (!there || *asked_for < *there);
       },
       like("numpy/numpy#15030")},
      {"multiple-accepted", "truncated-to-minus-one-beside-size",
       "an output of a whole multiple of the data is accepted, as in broadcasting",
       kVolumeUnchecked,
       [](const Reshaping& r) { return whole_quotient(count_of(r.sizes), count_of(r.asked)) > 0; }},
      {"one-element-fits-all",
       "rank-8-wrong-volume",
       kVolumeUnchecked,
       {"data of one element", [](const Asked& asked) { return count_of(asked) == 1; }}},
      {"one-size-means-flat", "empty-to-full-true",
       "a pattern of one value is answered with the flat shape without a look at the value",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const Count count = count_of(asked);
         const bool meant = right.refused_for("volume.kept") && asked.pattern.size() == 1 && count;
         return meant ? answers({*count}) : none();
       })},
      {"equal-ranks-unchecked", "copy-size-beside-zero-not-copied", kVolumeUnchecked,
       worded("an output of the data's rank", kGrowth == 0)},
      {"large-sizes-unchecked", "shape-overflow-of-a-tensor", kVolumeUnchecked, kOverflow},
      {"declared-output-held-against-itself", "empty-to-ones",
       "execution checks the output against the pattern, and neither against the data",
       executing([](const Execution& call) {
         const RightAnswer right = right_answer(call);
         return answer_execution(call, kVolumeUnseen.reads(Asked(call.request), right));
       }),
       caught("shape", "status") | like("uxlfoundation/oneDNN@e1952c4d10")},
      {"volume-by-sum", "digest-same-sum",
       "a sum of the sizes above 1 that stays the same is taken for a kept volume",
       compares_by(
           [](const Sizes& data, const Sizes& output) {
             const auto sum = [](const Sizes& sizes) {
               Wide all = 0;
               for (const std::int64_t size : sizes) all += static_cast<Wide>(size > 1 ? size : 0);
               return all;
             };
             return product_modulo(UINT64_MAX, data) == product_modulo(UINT64_MAX, output) ||
                    sum(data) == sum(output);
           },
           kFull)},
      {"sizes-merge-or-split", "neither-*",
       "each size has to divide one of the data's or be divided by one", kRefused,
       [](const Reshaping& r) {
         const auto alone = [&](std::int64_t size) {
           return std::none_of(r.asked.data.begin(), r.asked.data.end(), [=](std::int64_t given) {
             return given % size == 0 || size % given == 0;
           });
         };
         return !is_empty(r.asked.data) && std::any_of(r.sizes.begin(), r.sizes.end(), alone);
       }},
      {"both-volumes-in-the-pattern-type", "onednn-graph-dynamic-reshape-1/empty-to-wrapping-32",
       "both volumes are multiplied in the pattern's type and compared there", kVolumeUnchecked,
       [](const Reshaping& r) {
         const ElementType type = r.asked.pattern_type;
         return bits(type) < 64 &&
                product_wrapped(r.sizes, type) == product_wrapped(sizes_of(r.asked.data), type);
       }},
      {"volume-in-128-bits", "wrap-128-to-zero",
       "the numbers of elements are multiplied in 128 bits that wrap around", kVolumeUnchecked,
       same([](const Sizes& sizes) -> Wide {
         Wide product = 1;
         for (const std::int64_t size : sizes) product *= static_cast<Wide>(size);
         return product;
       })},
      {"volume-by-logarithms", "double-small-sizes-one-more",
       "volumes are compared as sums of logarithms, to nine places", kVolumeUnchecked,
       [](const Reshaping& r) {
         if (is_empty(r.asked.data) || is_empty(Shape(r.sizes))) return false;
         const auto sum = [](const auto& of) {
           double all = 0;
           for (const std::int64_t size : of) all += std::log2(static_cast<double>(size));
           return all;
         };
         return std::abs(sum(r.sizes) - sum(r.asked.data)) < 1e-9;
       }},
  };
  table["output.shape"] = {
      {"overflow-before-a-zero-refused", "zero-after-128-bits-small-sizes",
       "products that overflow before they meet a 0 are refused", kRefused, kOverflow},
      {"volume-in-the-pattern-type", "integers-plain.u4",
       "sizes are multiplied in the pattern's type, so that u8[16,16] makes 0", kRefused,
       [](const Asked& asked) {
         const auto sizes = plain_sizes(asked);
         const Count count = count_of(asked);
         return bits(asked.pattern_type) < 64 && sizes && count &&
                product_wrapped(*sizes, asked.pattern_type) != *count;
       }},
  };
  table[Duty::C3] = {
      {"volume-above-int32-refused", "size-2-to-31", "more than 2^31-1 elements are refused",
       kRefused,
       [](const Asked& asked) { return count_of(asked).value_or(INT64_MAX) > INT32_MAX; }},
      {"bytes-beyond-int64-refused", "size-2-to-62",
       "shapes whose bytes cannot be counted in 63 bits are refused, though none are asked for",
       kRefused,
       [](const Asked& asked) {
         const std::int64_t width = bits(asked.data_type) / 8;
         return width > 1 && count_of(asked).value_or(INT64_MAX) > INT64_MAX / width;
       }},
      {"strides-beyond-int64-refused", "zero-before-overflow",
       "the strides of an empty output are computed with its zeros as 1, and overflow", kRefused,
       [](const Reshaping& r) { return !row_major_strides(Shape(r.sizes)); }},
  };
  table["volume.exact"] = {
      {"volume-by-small-factors", "digest-*",
       "volumes are taken apart into factors below 1000, and what is left is forgotten",
       compares_as(small_factors, kFull)},
      {"volume-modulo-255", "digest-*", modulo(255, "255, a checksum of 8 bits")},
      {"volume-modulo-adler", "digest-*", modulo(65521, "65521, a checksum of 16 bits")},
      {"volume-modulo-65535", "digest-*",
       modulo(65535, "65535, in 16 bits to which the carry is added")},
      {"volume-modulo-a-billion-and-7", "digest-*", modulo(1'000'000'007, "1000000007")},
      {"volume-modulo-2-to-31-minus-1", "digest-*", modulo(INT32_MAX, "2^31-1")},
      {"volume-modulo-2-to-32-minus-1", "digest-*", modulo(UINT32_MAX, "2^32-1")},
      {"volume-modulo-2-to-61-minus-1", "digest-*",
       modulo((std::uint64_t{1} << 61) - 1, "2^61-1, a prime that hashes are made of")},
      {"volume-modulo-2-to-63-minus-1", "digest-*", modulo(INT64_MAX, "2^63-1")},
      {"volume-modulo-2-to-64-minus-1", "digest-*", modulo(UINT64_MAX, "2^64-1")},
  };
  table["zero.empty-tensors"] = {
      {"as-many-zeros-as-before", "*er-zeros",
       "zeros are cancelled one for one, so that an output needs as many as the data has", kRefused,
       [](const Reshaping& r) { return zeros_in(sizes_of(r.asked.data)) != zeros_in(r.sizes); }},
      {"zeros-stay-in-their-places", "zero-elsewhere*",
       "an output without elements has to have its first 0 where the data has it", kRefused,
       [](const Reshaping& r) {
         const auto place = [](const auto& all) {
           return std::find(all.begin(), all.end(), 0) - all.begin();
         };
         return is_empty(r.asked.data) && place(r.asked.data) != place(r.sizes);
       }},
  };
  table["minus-one.inferred"] = {
      {"inferred-one-squeezed", "i16-highest-beside-one",
       "a -1 that comes out as 1 is left out of the shape",
       reshapes([](const Asked& asked, Sizes& sizes) {
         for (const std::size_t at : places_of(asked, -1)) {
           if (sizes.size() > 1 && sizes[at] == 1)
             sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(at));
         }
       })},
      {"known-sizes-of-empty-data-overflow", "empty-beside-large-known",
       "a -1 of empty data is refused where the known sizes multiply beyond 2^63-1", kRefused,
       [](const Asked& asked) {
         const auto plain = plain_with_minus_one(asked);
         return is_empty(asked.data) && plain && !count_of(plain->sizes);
       }},
      {"powers-of-two-by-32-bits", "known-2-to-*",
       "a known product that is a power of two shifts, by a distance found in 32 bits",
       infers_otherwise([](const Asked& asked, const PlainPattern& plain, std::int64_t right) {
         const Count count = count_of(asked), known = count_of(plain.sizes);
         if (!count || !known || (*known & (*known - 1)) != 0) return right;
         const auto low = static_cast<std::uint32_t>(*known);
         return *count >> (low == 0 ? 0 : __builtin_ctz(low));
       })},
      {"inferred-into-the-pattern-type", "signed-infer-alone.i4",
       "an inferred size is written over the -1, in the pattern's type",
       writes_into_the_pattern(-1)},
      {"known-product-in-the-pattern-type", "signed-infer-last.i4",
       "the known sizes are multiplied in the pattern's type before they divide the count",
       divides([](const Asked& asked, const PlainPattern& plain) -> Division {
         return {count_of(asked), product_wrapped(plain.sizes, asked.pattern_type)};
       })},
      {"data-count-in-the-pattern-type", "signed-infer-last.i4",
       "the data's elements are counted in the pattern's type before the -1 divides them",
       divides([](const Asked& asked, const PlainPattern& plain) -> Division {
         const Count count = count_of(asked);
         if (!count) return {};
         return {wrapped(*count, asked.pattern_type), count_of(plain.sizes)};
       })},
      {"minus-one-before-copies", "example-2-every-type.i4",
       "the -1 is divided out before zeros are copied, as if they were 1",
       divides([](const Asked& asked, const PlainPattern& plain) -> Division {
         Sizes written = plain.sizes;
         for (const std::size_t at : copying_places(asked)) written[at] = 1;
         return {count_of(asked), count_of(written)};
       }),
       like("onnx/onnx-mlir#2601")},
      {"minus-one-divides-once-for-each-copy", "example-2-every-type.i4",
       "a copied size is divided out twice where that leaves no remainder",
       infers_otherwise([](const Asked& asked, const PlainPattern& plain, std::int64_t size) {
         for (const std::size_t at : copying_places(asked)) {
           if (size % plain.sizes[at] == 0) size /= plain.sizes[at];
         }
         return size;
       })},
      {"minus-one-keeps-only-what-is-in-front", "example-2-every-type.i4",
       "the -1 is divided by the sizes in front of it only",
       divides([](const Asked& asked, const PlainPattern& plain) -> Division {
         Sizes front = plain.sizes;
         front.resize(*plain.minus_one);
         return {count_of(asked), count_of(front)};
       })},
      {"minus-one-copies-its-place", "example-2-every-type.i4",
       "a -1 first tries the data's size at its place, and keeps it if that divides the count",
       infers_otherwise([](const Asked& asked, const PlainPattern& plain, std::int64_t right) {
         return *plain.minus_one < asked.data.rank() ? asked.data[*plain.minus_one] : right;
       })},
      {"minus-one-only-last", "infer-zero-first-true", "a -1 that is not the last value is refused",
       kRefused, kMinusOnes == 1 && [](const Asked& a) { return a.pattern.back() != -1; }},
      {"minus-one-only-first", "infer-zero-last-true",
       "a -1 that is not the first value is refused", kRefused,
       kMinusOnes == 1 && [](const Asked& a) { return a.pattern.front() != -1; }},
      {"minus-one-never-beside-copies", "example-2-every-type.i4",
       "a 0 that copies and a -1 are never accepted together", kRefused,
       flag_is(RESHAPE_FLAG_TRUE) && kMinusOnes == 1 && pattern_has(0)},
      {"minus-one-in-32-bits", "size-2-to-31-inferred",
       "an inferred size above 2^31-1 loses its upper half",
       infers_from_counts([](std::int64_t count, std::int64_t by) {
         return count % by == 0 ? (count / by) & 0x7fffffff : -1;
       }),
       like("tensorflow/tflite-micro#400")},
      {"data-count-in-32-bits", "size-2-to-62-inferred",
       "the data's elements are counted in 32 bits before the -1 is divided out",
       infers([](const Sizes& data, const Sizes& known) {
         return whole_quotient(product_in<std::uint32_t>(data), count_of(known));
       })},
  };
  table["zero.copies"] = {Mutant{"copied-into-the-pattern-type", "signed-copied-past-the-type.i8",
                                 "copied sizes are written over the zeros, in the pattern's type",
                                 writes_into_the_pattern(0)}};
  table["minus-one.once"] = {
      {"first-minus-one-infers", "in-place-two-minus-ones",
       "of several -1 the first is inferred, the others are 1", takes_for_one(is_second_minus_one)},
      {"last-minus-one-infers", "in-place-two-minus-ones",
       "of several -1 the last is inferred, the others are 1",
       takes_for_one([](const Asked& asked, std::size_t at) {
         return asked.pattern[at] == -1 && places_of(asked, -1).back() != at;
       }),
       like("huggingface/candle#3908")},
      {"two-minus-ones-share", "rank-8-two-minus-ones",
       "two -1 are both given the root of what the other sizes leave, where it is whole",
       misreads([](const Asked& asked, const RightAnswer& right) {
         if (!right.refused_for("minus-one.once") || asked.minus_ones() != 2) return none();
         Sizes sizes;
         for (const PatternValue value : asked.with_zeros_copied()) {
           if (value < -1 || value > 1'000'000) return none();
           sizes.push_back(value == -1 ? 1 : static_cast<std::int64_t>(value));
         }
         const auto rest = whole_quotient(count_of(asked), product_in<std::int64_t>(sizes));
         if (rest < 1) return none();
         const auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(rest)));
         for (const std::size_t at : places_of(asked, -1)) sizes[at] = root;
         return root * root == rest ? answers(sizes) : none();
       })},
      {"adjacent-minus-ones-are-one", "in-place-two-minus-ones",
       "a -1 right behind a -1 is not counted as a second one, and is 1",
       takes_for_one([](const Asked& asked, std::size_t at) {
         return at > 0 && asked.pattern[at] == -1 && asked.pattern[at - 1] == -1;
       })},
  };
  table["minus-one.divides"] = {
      {"minus-one-rounds-down", "strided-indivisible.f64",
       "the -1 is the quotient, and the remainder is forgotten",
       infers([](const Sizes& data, const Sizes& known) -> std::int64_t {
         const Count count = count_of(data), by = count_of(known);
         if (!count) return -1;
         return by ? *count / *by : 0;
       }),
       like("tensorflow/tflite-micro#3070")},
      {"minus-one-rounds-up", "strided-indivisible.f64",
       "the -1 is the quotient rounded up, so that every element finds a place",
       infers([](const Sizes& data, const Sizes& known) -> std::int64_t {
         const Count count = count_of(data), by = count_of(known);
         if (!count) return -1;
         return by ? *count / *by + (*count % *by != 0 ? 1 : 0) : 1;
       })},
      {"minus-one-at-least-one", "indivisible-floor-is-zero",
       "a -1 of data that is smaller than the known sizes is 1",
       infers_from_counts([](std::int64_t count, std::int64_t by) {
         return count < by ? 1 : whole_quotient(count, by);
       })},
      {"minus-one-through-float", "wrap-32-indivisible",
       "the -1 is divided out in float, which holds 24 bits", infers(quotient_in<float>)},
      {"minus-one-through-double", "saturated-minus-one",
       "the -1 is divided out in double, which holds 53 bits", infers(quotient_in<double>)},
      {"known-product-in-32-bits", "wrap-32-indivisible-known",
       "the known sizes are multiplied in 32 bits before they divide the count",
       infers([](const Sizes& data, const Sizes& known) {
         return whole_quotient(count_of(data), product_in<std::int32_t>(known));
       })},
      {"known-product-in-64-bits", "wrap-64-minus-one-known-to-one",
       "the known sizes are multiplied in 64 bits that wrap around",
       infers([](const Sizes& data, const Sizes& known) {
         return whole_quotient(count_of(data), product_in<std::int64_t>(known));
       }),
       like("onnx/onnx#7822")},
  };
  table["size.representable"] = {
      Mutant{"data-count-in-64-bits", "inferred-2-to-64",
             "the data's elements are counted in 64 bits that wrap around, then divided",
             misreads([](const Asked& asked, const RightAnswer& right) {
               const auto plain = plain_with_minus_one(asked);
               if (!right.refused_for("minus-one.divides", "size.representable") || !plain)
                 return none();
               const auto count = product_in<std::int64_t>(sizes_of(asked.data));
               const std::int64_t size = whole_quotient(count, count_of(plain->sizes));
               return size < 0 ? none() : answers(plain->with(size));
             })}};
  table["volume.beyond-int64"] = {Mutant{
      "minus-one-of-what-saturates", "beyond-inferred",
      "a count above 2^63-1 is taken as 2^63-1, of which the -1 is a part",
      misreads([](const Asked& asked, const RightAnswer& right) {
        const auto plain = plain_with_minus_one(asked);
        const bool concerned =
            right.refused_for("volume.beyond-int64", "minus-one.divides", "size.representable");
        if (!concerned || !plain || count_of(asked)) return none();
        const std::int64_t known = count_of(plain->sizes).value_or(0);
        return known == 0 ? none() : answers(plain->with(INT64_MAX / known));
      })}};
  return table.mutants();
}

}  // namespace reshape::conformance::self
