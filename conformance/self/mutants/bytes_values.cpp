// Mistakes that change elements by their value (conversions, NaNs), and about two elements in a
// byte.
#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>

#include "conformance/self/displace.h"

namespace reshape::conformance::self {
namespace {

using Bits = std::uint64_t;  // of an element

struct Form {
  Bits sign, exponent, fraction, quiet;

  bool is_nan(Bits bits) const { return (bits & exponent) == exponent && (bits & fraction) != 0; }
};

// The parts of the IEEE forms; nothing for other types.
std::optional<Form> form_of(ElementType type) {
  const auto form = [](int bits, int fraction_bits) {
    const Bits sign = Bits{1} << (bits - 1);
    const Bits fraction = (Bits{1} << fraction_bits) - 1;
    return Form{sign, (sign - 1) & ~fraction, fraction, Bits{1} << (fraction_bits - 1)};
  };
  switch (type) {
    case ElementType::f64: return form(64, 52);
    case ElementType::f32: return form(32, 23);
    case ElementType::f16: return form(16, 10);
    case ElementType::bf16: return form(16, 7);
    default: return std::nullopt;
  }
}

// Each float of the output, or each of one type, becomes change(bits, form).
Steps each_float(std::function<Bits(Bits, const Form&)> change,
                 std::optional<ElementType> only = std::nullopt) {
  return after_execute([=](const reshape_request&, DLTensor& out) {
    Elements elements(out);
    const auto form = form_of(elements.type());
    if (!form || (only && *only != elements.type())) return;
    elements.each([&](Bits bits) { return change(bits, *form); });
  });
}

Bits quiet(Bits bits, const Form& f) { return f.is_nan(bits) ? bits | f.quiet : bits; }
Bits flush(Bits bits, const Form& f) { return (bits & f.exponent) == 0 ? bits & f.sign : bits; }

// Each element of such a type becomes change(bits).
using Change = std::function<Bits(Bits)>;
Steps each_of(const Trait& trait, Change change) {
  const Effect all = spoils_elements([=](Elements& elements) { elements.each(change); });
  return all.steps(of_output(trait));
}
Steps each_of(ElementType type, Change change) { return each_of(type_is(type), std::move(change)); }

Change one_value(Bits from, Bits to) {
  return [=](Bits bits) { return bits == from ? to : bits; };
}
Change clamp(Bits most) {
  return [=](Bits bits) { return std::min(bits, most); };
}

// Converts to a floating-point type and back, with the hardware's rounding.
template <typename Float, typename Int>
Bits through(Bits bits) {
  const auto value = static_cast<Float>(static_cast<Int>(bits));
  // The largest values round up beyond the integer's range.
  if (value >= static_cast<Float>(std::numeric_limits<Int>::max())) {
    return static_cast<std::make_unsigned_t<Int>>(std::numeric_limits<Int>::max());
  }
  return static_cast<std::make_unsigned_t<Int>>(static_cast<Int>(value));
}

}  // namespace

Mutants families::bytes_values() {
  Table table(Kind::bytes, {"bytes", "bytes"});
  using enum ElementType;
  const When packed = of_data(width_is(4));
  const When odd = of_data(width_is(4) && count_is(tail(2, 1)));
  table["content.kept"] = {
      {"minus-zero-normalised", "count-3.f64", "-0 becomes 0",
       each_float([](Bits bits, const Form& f) { return bits == f.sign ? 0 : bits; })},
      {"zero-by-its-beginning", "",
       "data that begins with 1024 bytes of zeros is written as zeros alone",
       after_execute([](const reshape_request&, DLTensor& out) {
         Elements elements(out);
         const std::int64_t first = 1024 * 8 / bits(elements.type());
         bool zero = elements.count() > first;
         for (std::int64_t at = 0; zero && at < first; ++at) zero = elements.get(at) == 0;
         if (zero) elements.each([](Bits) { return Bits{0}; });
       })},
      {"pages-of-zeros-left", "",
       "of more than a mebibyte pages of zeros are not written, as if the output were new memory",
       executing([](const Execution& call) {
         constexpr std::size_t kPage = 4096, kMany = 1 << 20;
         const auto size = static_cast<std::size_t>(bytes_of(call.output));
         if (call.output.strides != nullptr || size <= kMany) return call.right();
         std::byte* const start = start_of(call.output);
         const std::vector<std::byte> before(start, start + size);
         const reshape_status status = call.right();
         for (std::size_t at = 0; at + kPage <= size; at += kPage) {
           const bool zeros = std::all_of(start + at, start + at + kPage,
                                          [](std::byte byte) { return byte == std::byte{0}; });
           if (zeros) std::copy_n(before.data() + at, kPage, start + at);
         }
         return status;
       })},
      {"small-values-in-bytes", "written-small.*",
       "elements of 32 and 64 bits that are all below 256 are kept in bytes with a sign",
       after_execute([](const reshape_request&, DLTensor& out) {
         Elements elements(out);
         bool small = bits(elements.type()) >= 32 && elements.count() > 1;
         for (std::int64_t at = 0; small && at < elements.count(); ++at) {
           small = elements.get(at) < 256;
         }
         if (!small) return;
         elements.each([](Bits bits) {
           return static_cast<Bits>(std::int64_t{static_cast<std::int8_t>(bits)});
         });
       })},
      {"nan-quieted", "count-3.f64", "a signalling NaN becomes a quiet one", each_float(quiet)},
      {"nan-canonical", "count-3.f64",
       "every NaN becomes the one quiet NaN without sign and payload",
       each_float(
           [](Bits bits, const Form& f) { return f.is_nan(bits) ? f.exponent | f.quiet : bits; })},
      {"nan-sign-dropped", "count-11.bf16", "a NaN loses its sign",
       each_float([](Bits bits, const Form& f) { return f.is_nan(bits) ? bits & ~f.sign : bits; })},
      {"nan-becomes-zero", "count-3.f64", "a NaN is written as 0",
       each_float([](Bits bits, const Form& f) { return f.is_nan(bits) ? 0 : bits; })},
      {"infinity-clamped", "count-8.bf16", "an infinity becomes the largest finite number",
       each_float([](Bits bits, const Form& f) {
         return (bits & ~f.sign) == f.exponent ? bits - 1 : bits;
       })},
      {"denormals-flushed", "count-8.bf16", "denormals become 0", each_float(flush)},
      {"half-denormals-flushed", "both-padded-same-every-type.f16",
       "only f16 is converted on the way, which flushes its denormals", each_float(flush, f16)},
      {"f16-nan-quieted", "both-padded-same-every-type.f16",
       "f16 goes through f32, where the conversion quiets its NaNs", each_float(quiet, f16)},
      {"bf16-nan-quieted", "count-8.bf16",
       "bf16 goes through f32 and is rounded back, which quiets its NaNs", each_float(quiet, bf16)},
      {"bf16-through-f16", "count-8.bf16",
       "bf16 is taken for the other 16-bit float when it is zero-extended: -0 becomes 0",
       each_of(bf16, one_value(0x8000, 0))},
      {"f64-through-x87", "count-3.f64",
       "f64 is loaded onto the x87 stack, which quiets signalling NaNs", each_float(quiet, f64)},
      {"f64-through-float", "count-3.f64", "f64 is copied through float and loses its lower half",
       each_of(f64, [](Bits bits) { return bits & 0xffffffffe0000000; })},
      {"f8e4m3-nan-sign-dropped", "written-transposed-f8e4m3", "the two NaNs of f8e4m3 become one",
       each_of(f8e4m3, one_value(0xff, 0x7f))},
      {"f8e4m3-without-minus-zero", "written-transposed-f8e4m3",
       "f8e4m3 is taken for its form without -0, where 0x80 is the NaN",
       each_of(f8e4m3, one_value(0x80, 0x7f))},
      {"f8e5m2-saturates", "both-padded-same-every-type.f8e5m2",
       "infinities of f8e5m2 become its largest finite number, as conversions saturate",
       each_of(f8e5m2, [](Bits bits) { return (bits & 0x7f) == 0x7c ? bits - 1 : bits; })},
      {"f8e5m2-denormals-flushed", "both-padded-same-every-type.f8e5m2",
       "f8e5m2 is widened to f16 with denormals flushed",
       each_of(f8e5m2, [](Bits bits) { return (bits & 0x7c) == 0 ? bits & 0x80 : bits; })},
      {"integers-through-float", "count-255-every-type.i32",
       "i32 is copied through float, which holds 24 bits",
       each_of(i32, through<float, std::int32_t>)},
      {"u32-through-float", "example-3-every-type.u32",
       "u32 is copied through float, which holds 24 bits",
       each_of(u32, through<float, std::uint32_t>)},
      {"i64-through-double", "both-padded-same-every-type.i64",
       "i64 is copied through double, which holds 53 bits",
       each_of(i64, through<double, std::int64_t>)},
      {"u64-through-double", "written-transposed-u64",
       "u64 is copied through double, which holds 53 bits",
       each_of(u64, through<double, std::uint64_t>)},
      {"i64-in-32-bits", "both-padded-same-every-type.i64",
       "i64 elements are narrowed to 32 bits and widened again",
       each_of(i64,
               [](Bits bits) {
                 return static_cast<Bits>(std::int64_t{static_cast<std::int32_t>(bits)});
               })},
      {"u64-clamped-to-i64", "written-transposed-u64", "u64 elements above 2^63-1 become 2^63-1",
       each_of(u64, clamp(INT64_MAX))},
      {"i16-through-half", "count-1025-every-type.i16",
       "i16 is copied through f16, which holds 11 bits: 2049 becomes 2048",
       each_of(i16, one_value(2049, 2048))},
      {"u8-clamped-to-i8", "count-2.u8", "u8 elements above 127 become 127",
       each_of(u8, clamp(127))},
      {"lowest-i8-made-symmetric", "count-65-every-type.i8",
       "i8 is quantised symmetrically: -128 becomes -127", each_of(i8, one_value(0x80, 0x81))},
      {"booleans-inverted", "boolean-to-scalar", "booleans are written as a comparison with 0",
       each_of(boolean, [](Bits bits) { return bits == 0; })},
      {"booleans-as-all-ones", "boolean-to-scalar",
       "a true boolean is written as a byte of ones, as vector comparisons give it",
       each_of(boolean, [](Bits bits) { return bits == 0 ? 0 : 0xff; })},
      {"16-bit-bytes-swapped", "count-17-every-type.u16",
       "the two bytes of i16 and u16 change places, but not those of floats",
       each_of([](const Walk& out) { return out.type() == i16 || out.type() == u16; },
               [](Bits bits) { return ((bits & 0xff) << 8) | (bits >> 8); })},
      {"64-bit-halves-swapped", "count-3.f64", "the two words of 64-bit elements change places",
       each_of(width_is(64), [](Bits bits) { return (bits << 32) | (bits >> 32); })},

      // Two elements in a byte.
      {"half-bytes-swapped", "count-2.i4",
       "the first of two 4-bit elements is put into the high half",
       takes_another([](const Copy&, std::int64_t at) { return at ^ 1; }), packed},
      {"odd-half-byte-lost", "count-13.i4",
       "bytes are counted as count / 2, which loses the last of an odd number of elements",
       kLastLost, odd},
      {"odd-half-byte-from-the-high-half", "count-13.i4",
       "the last of an odd number of 4-bit elements is read from its byte's upper half",
       kLastRepeats, odd && of_data(count_is(above(1)))},
      {"half-bytes-in-rows-of-whole-bytes", "packed-both-odd-rows.i4",
       "each row of 4-bit data is taken to start on a whole byte",
       takes_another([](const Copy& c, std::int64_t at) {
         const std::int64_t row = at / c.data.last_size(0);
         return std::min(at + row, c.data.count() - 1);
       }),
       packed && of_data(rank_is(above(1)) && last_size_is(tail(2, 1)))},
      {"half-byte-sign-spreads", "count-2.i4",
       "a negative i4 in the low half is sign-extended over the high half",
       spoils_elements([](Elements& elements) {
         for (std::int64_t at = 0; at + 1 < elements.count(); at += 2) {
           if ((elements.get(at) & 8) != 0) elements.set(at + 1, 0xf);
         }
       }),
       [](const Copy& c) {
         return c.out.type() == ElementType::i4 && c.output.strides == nullptr;
       }},
      {"half-bytes-added", "count-2.i4",
       "the high half is or-ed onto what the byte held, which was taken to be 0",
       mixes([](const Copy&, const Element& one) {
         return one.number % 2 != 0 ? one.now | one.before : one.now;
       }),
       packed && kApart},
      {"half-bytes-strided-by-bytes", "packed-every-third.u4",
       "of strided 4-bit data only elements in low halves are found",
       takes_another([](const Copy& c, std::int64_t at) {
         return c.data.position(at) % 2 != 0 ? at - 1 : at;
       }),
       packed && of_data(kStrided)},
      {"half-bytes-of-odd-outputs-shifted", "count-65-every-type.u4",
       "where the output's rows are odd, every second row is read half a byte early",
       takes_another([](const Copy& c, std::int64_t at) {
         return at / c.out.last_size(0) % 2 != 0 ? at - 1 : at;
       }),
       packed && of_output(rank_is(above(1)) && last_size_is(tail(2, 1)))},
  };
  table[Duty::C8] = {Mutant{
      "odd-half-byte-clears-its-neighbour", "count-13.i4",
      "the unused half of the last byte is written as 0",
      spoils([](const Copy& c) { start_of(c.output)[c.out.count() / 2] &= std::byte{0x0f}; }),
      of_output(width_is(4) && count_is(tail(2, 1)) && kDense) && kApart,
      caught("memory", "output-gaps")}};
  return table.mutants();
}

}  // namespace reshape::conformance::self
