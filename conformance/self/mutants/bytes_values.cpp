// Elements whose bits are changed on the way, by what they mean, and two elements in a byte.
#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>

#include "conformance/self/displace.h"
#include "conformance/self/families.h"

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

// Each float of the output becomes change(bits, form).
Steps each_float(std::function<Bits(Bits, const Form&)> change) {
  return after_execute([=](const reshape_request&, DLTensor& out) {
    Elements elements(out);
    if (const auto form = form_of(elements.type())) {
      elements.each([&](Bits bits) { return change(bits, *form); });
    }
  });
}

// Each element of this type becomes change(bits).
using Change = std::function<Bits(Bits)>;
Steps each_of(std::function<bool(ElementType)> type, Change change) {
  return after_execute([=](const reshape_request&, DLTensor& out) {
    if (shape_of(out).rank() > 0 && is_empty(shape_of(out))) return;
    Elements elements(out);
    if (type(elements.type())) elements.each(change);
  });
}
Steps each_of(ElementType type, Change change) {
  return each_of([=](ElementType of) { return of == type; }, std::move(change));
}

// There and back through a floating-point type, as the hardware rounds.
template <typename Float, typename Int>
Bits through(Bits bits) {
  const auto value = static_cast<Float>(static_cast<Int>(bits));
  // The largest ones round up to what the integer does not hold.
  if (value >= static_cast<Float>(std::numeric_limits<Int>::max())) {
    return static_cast<std::make_unsigned_t<Int>>(std::numeric_limits<Int>::max());
  }
  return static_cast<std::make_unsigned_t<Int>>(static_cast<Int>(value));
}

bool packed(const Copy& c) { return c.data.width() == 4; }
bool packed_and_odd(const Copy& c) { return packed(c) && c.data.count() % 2 != 0; }

}  // namespace

Mutants families::bytes_values() {
  Mutants table = {
      {"minus-zero-normalised", "content.kept", "count-3.f64", "-0 becomes 0",
       each_float([](Bits bits, const Form& f) { return bits == f.sign ? 0 : bits; })},
      {"nan-quieted", "content.kept", "count-3.f64", "a signalling NaN becomes a quiet one",
       each_float([](Bits bits, const Form& f) { return f.is_nan(bits) ? bits | f.quiet : bits; })},
      {"nan-canonical", "content.kept", "count-3.f64",
       "every NaN becomes the one quiet NaN without sign and payload",
       each_float(
           [](Bits bits, const Form& f) { return f.is_nan(bits) ? f.exponent | f.quiet : bits; })},
      {"nan-sign-dropped", "content.kept", "count-11.bf16", "a NaN loses its sign",
       each_float([](Bits bits, const Form& f) { return f.is_nan(bits) ? bits & ~f.sign : bits; })},
      {"nan-becomes-zero", "content.kept", "count-3.f64", "a NaN is written as 0",
       each_float([](Bits bits, const Form& f) { return f.is_nan(bits) ? 0 : bits; })},
      {"infinity-clamped", "content.kept", "count-8.bf16",
       "an infinity becomes the largest finite number", each_float([](Bits bits, const Form& f) {
         return (bits & ~f.sign) == f.exponent ? bits - 1 : bits;
       })},
      {"denormals-flushed", "content.kept", "count-8.bf16", "denormals become 0",
       each_float([](Bits bits, const Form& f) {
         return (bits & f.exponent) == 0 ? bits & f.sign : bits;
       })},
      {"half-denormals-flushed", "content.kept", "both-padded-same-every-type.f16",
       "only f16 is converted on the way, which flushes its denormals",
       each_of(ElementType::f16,
               [](Bits bits) { return (bits & 0x7c00) == 0 ? bits & 0x8000 : bits; })},
      {"f16-nan-quieted", "content.kept", "both-padded-same-every-type.f16",
       "f16 goes through f32, where the conversion quiets its NaNs",
       each_of(ElementType::f16,
               [](Bits bits) { return (bits & 0x7fff) > 0x7c00 ? bits | 0x0200 : bits; })},
      {"bf16-nan-quieted", "content.kept", "count-8.bf16",
       "bf16 goes through f32 and is rounded back, which quiets its NaNs",
       each_of(ElementType::bf16,
               [](Bits bits) { return (bits & 0x7fff) > 0x7f80 ? bits | 0x0040 : bits; })},
      {"bf16-through-f16", "content.kept", "count-8.bf16",
       "bf16 is taken for the other 16-bit float when it is zero-extended: -0 becomes 0",
       each_of(ElementType::bf16, [](Bits bits) { return bits == 0x8000 ? 0 : bits; })},
      {"f64-through-x87", "content.kept", "count-3.f64",
       "f64 is loaded onto the x87 stack, which quiets signalling NaNs",
       each_of(ElementType::f64,
               [](Bits bits) {
                 const bool nan = (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
                 return nan ? bits | 0x0008000000000000 : bits;
               })},
      {"f64-through-float", "content.kept", "count-3.f64",
       "f64 is copied through float and loses its lower half",
       each_of(ElementType::f64, [](Bits bits) { return bits & 0xffffffffe0000000; })},
      {"f8e4m3-nan-sign-dropped", "content.kept", "written-transposed-f8e4m3",
       "the two NaNs of f8e4m3 become one",
       each_of(ElementType::f8e4m3, [](Bits bits) { return bits == 0xff ? 0x7f : bits; })},
      {"f8e4m3-without-minus-zero", "content.kept", "written-transposed-f8e4m3",
       "f8e4m3 is taken for its form without -0, where 0x80 is the NaN",
       each_of(ElementType::f8e4m3, [](Bits bits) { return bits == 0x80 ? 0x7f : bits; })},
      {"f8e5m2-saturates", "content.kept", "both-padded-same-every-type.f8e5m2",
       "infinities of f8e5m2 become its largest finite number, as conversions saturate",
       each_of(ElementType::f8e5m2,
               [](Bits bits) { return (bits & 0x7f) == 0x7c ? bits - 1 : bits; })},
      {"f8e5m2-denormals-flushed", "content.kept", "both-padded-same-every-type.f8e5m2",
       "f8e5m2 is widened to f16 with denormals flushed",
       each_of(ElementType::f8e5m2,
               [](Bits bits) { return (bits & 0x7c) == 0 ? bits & 0x80 : bits; })},
      {"integers-through-float", "content.kept", "count-255-every-type.i32",
       "i32 is copied through float, which holds 24 bits",
       each_of(ElementType::i32, through<float, std::int32_t>)},
      {"u32-through-float", "content.kept", "example-3-every-type.u32",
       "u32 is copied through float, which holds 24 bits",
       each_of(ElementType::u32, through<float, std::uint32_t>)},
      {"i64-through-double", "content.kept", "both-padded-same-every-type.i64",
       "i64 is copied through double, which holds 53 bits",
       each_of(ElementType::i64, through<double, std::int64_t>)},
      {"u64-through-double", "content.kept", "written-transposed-u64",
       "u64 is copied through double, which holds 53 bits",
       each_of(ElementType::u64, through<double, std::uint64_t>)},
      {"i64-in-32-bits", "content.kept", "both-padded-same-every-type.i64",
       "i64 elements are narrowed to 32 bits and widened again",
       each_of(ElementType::i64,
               [](Bits bits) {
                 return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(bits)});
               })},
      {"u64-clamped-to-i64", "content.kept", "written-transposed-u64",
       "u64 elements above 2^63-1 become 2^63-1",
       each_of(ElementType::u64, [](Bits bits) { return bits > INT64_MAX ? INT64_MAX : bits; })},
      {"i16-through-half", "content.kept", "count-1025-every-type.i16",
       "i16 is copied through f16, which holds 11 bits: 2049 becomes 2048",
       each_of(ElementType::i16, [](Bits bits) { return bits == 2049 ? 2048 : bits; })},
      {"u8-clamped-to-i8", "content.kept", "count-2.u8", "u8 elements above 127 become 127",
       each_of(ElementType::u8, [](Bits bits) { return bits > 127 ? 127 : bits; })},
      {"lowest-i8-made-symmetric", "content.kept", "count-65-every-type.i8",
       "i8 is quantised symmetrically: -128 becomes -127",
       each_of(ElementType::i8, [](Bits bits) { return bits == 0x80 ? 0x81 : bits; })},
      {"booleans-inverted", "content.kept", "boolean-to-scalar",
       "booleans are written as a comparison with 0",
       each_of(ElementType::boolean, [](Bits bits) { return bits == 0; })},
      {"booleans-as-all-ones", "content.kept", "boolean-to-scalar",
       "a true boolean is written as a byte of ones, as vector comparisons give it",
       each_of(ElementType::boolean, [](Bits bits) { return bits == 0 ? 0 : 0xff; })},
      {"16-bit-bytes-swapped", "content.kept", "count-17-every-type.u16",
       "the two bytes of i16 and u16 change places, but not those of floats",
       each_of(
           [](ElementType type) { return type == ElementType::i16 || type == ElementType::u16; },
           [](Bits bits) { return ((bits & 0xff) << 8) | (bits >> 8); })},
      {"64-bit-halves-swapped", "content.kept", "count-3.f64",
       "the two words of 64-bit elements change places",
       each_of([](ElementType type) { return bits(type) == 64; },
               [](Bits bits) { return (bits << 32) | (bits >> 32); })},
      {"half-bytes-swapped", "content.kept", "count-2.i4",
       "the first of two 4-bit elements is put into the high half",
       takes_another(
           packed,
           [](const Copy& c, std::int64_t at) { return (at ^ 1) < c.data.count() ? at ^ 1 : at; })},
      {"odd-half-byte-lost", "content.kept", "count-13.i4",
       "bytes are counted as count / 2, which loses the last of an odd number of elements",
       leaves(packed_and_odd,
              [](const Copy& c, std::int64_t at) { return at == c.data.count() - 1; })},
      {"odd-half-byte-from-the-high-half", "content.kept", "count-13.i4",
       "the last of an odd number of 4-bit elements is read from its byte's upper half",
       takes_another(packed_and_odd,
                     [](const Copy& c, std::int64_t at) {
                       return at == c.data.count() - 1 && at > 0 ? at - 1 : at;
                     })},
      {"half-bytes-in-rows-of-whole-bytes", "content.kept", "packed-both-odd-rows.i4",
       "each row of 4-bit data is taken to start on a whole byte",
       takes_another(
           [](const Copy& c) {
             return c.data.width() == 4 && c.data.rank() > 1 && c.data.last_size(0) % 2 != 0;
           },
           [](const Copy& c, std::int64_t at) {
             const std::int64_t row = at / c.data.last_size(0);
             return std::min(at + row, c.data.count() - 1);
           })},
      {"half-byte-sign-spreads", "content.kept", "count-2.i4",
       "a negative i4 in the low half is sign-extended over the high half",
       after_execute([](const reshape_request&, DLTensor& out) {
         if (is_empty(shape_of(out)) || out.strides != nullptr) return;
         Elements elements(out);
         if (elements.type() != ElementType::i4) return;
         for (std::int64_t at = 0; at + 1 < elements.count(); at += 2) {
           if ((elements.get(at) & 8) != 0) elements.set(at + 1, 0xf);
         }
       })},
      {"half-bytes-added", "content.kept", "count-2.i4",
       "the high half is or-ed onto what the byte held, which was taken to be 0",
       executing([](const reshape_request* request, DLTensor* out, reshape_message* why) {
         const Walk output(*out);
         const bool odd_ones = output.width() == 4 && output.count() > 0 && out->data != nullptr &&
                               address_of(*out) != address_of(*request->data);
         const std::vector<std::uint64_t> before =
             odd_ones ? collect(*out) : std::vector<std::uint64_t>{};
         const reshape_status status = right().execute(request, out, why);
         if (status != RESHAPE_OK || !odd_ones) return status;
         Elements now(*out);
         for (std::int64_t at = 1; at < now.count(); at += 2) {
           now.set(at, now.get(at) | before[static_cast<std::size_t>(at)]);
         }
         return status;
       })},
      {"half-bytes-strided-by-bytes", "content.kept", "packed-every-third.u4",
       "of strided 4-bit data only elements in low halves are found",
       takes_another([](const Copy& c) { return c.data.width() == 4 && !c.data.dense(); },
                     [](const Copy& c, std::int64_t at) {
                       return c.data.position(at) % 2 != 0 && at > 0 ? at - 1 : at;
                     })},
      {"half-bytes-of-odd-outputs-shifted", "content.kept", "count-65-every-type.u4",
       "where the output's rows are odd, every second row is read half a byte early",
       takes_another(
           [](const Copy& c) {
             return c.data.width() == 4 && c.out.rank() > 1 && c.out.last_size(0) % 2 != 0;
           },
           [](const Copy& c, std::int64_t at) {
             return at / c.out.last_size(0) % 2 != 0 ? at - 1 : at;
           })},
      {"odd-half-byte-clears-its-neighbour", Duty::C8, "count-13.i4",
       "the unused half of the last byte is written as 0",
       after_execute([](const reshape_request& request, DLTensor& out) {
         const Walk output(out);
         const bool odd = output.width() == 4 && output.count() % 2 != 0 && output.dense();
         if (!odd || in_place(request, out)) return;
         std::byte* last = start_of(out) + output.count() / 2;
         *last &= std::byte{0x0f};
       }),
       caught("memory", "output-gaps")},
  };
  return family(Kind::bytes, {"bytes", "bytes"}, std::move(table));
}

}  // namespace reshape::conformance::self
