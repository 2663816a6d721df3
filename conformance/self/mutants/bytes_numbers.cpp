// Elements whose bits are changed on the way, by what they mean.
#include <limits>
#include <optional>
#include <type_traits>

#include "conformance/self/mutant.h"
#include "conformance/self/spoil.h"

namespace reshape::conformance::self {
namespace {

struct FloatForm {
  std::uint64_t sign, exponent, fraction, quiet;
};

// The parts of the IEEE forms; nothing for other types.
std::optional<FloatForm> form_of(ElementType type) {
  const auto form = [](int bits, int fraction_bits) {
    const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
    const std::uint64_t fraction = (std::uint64_t{1} << fraction_bits) - 1;
    return FloatForm{sign, (sign - 1) & ~fraction, fraction,
                     std::uint64_t{1} << (fraction_bits - 1)};
  };
  switch (type) {
    case ElementType::f64: return form(64, 52);
    case ElementType::f32: return form(32, 23);
    case ElementType::f16: return form(16, 10);
    case ElementType::bf16: return form(16, 7);
    default: return std::nullopt;
  }
}

bool is_nan(std::uint64_t bits, const FloatForm& form) {
  return (bits & form.exponent) == form.exponent && (bits & form.fraction) != 0;
}

// Each float of the output becomes change(bits, form).
template <typename Change>
auto each_float(Change) {
  return after_execute([](const reshape_request&, DLTensor& out) {
    Elements elements(out);
    if (const auto form = form_of(elements.type())) {
      elements.each([&](std::uint64_t bits) { return Change{}(bits, *form); });
    }
  });
}

// Each element of this type becomes change(bits).
template <ElementType Type, typename Change>
auto each_of(Change) {
  return after_execute([](const reshape_request&, DLTensor& out) {
    if (shape_of(out).rank() > 0 && is_empty(shape_of(out))) return;
    Elements elements(out);
    if (elements.type() == Type) elements.each(Change{});
  });
}

// There and back through a floating-point type, as the hardware rounds.
template <typename Float, typename Int>
std::uint64_t through(std::uint64_t bits) {
  const auto value = static_cast<Float>(static_cast<Int>(bits));
  // The largest ones round up to what the integer does not hold.
  if (value >= static_cast<Float>(std::numeric_limits<Int>::max())) {
    return static_cast<std::make_unsigned_t<Int>>(std::numeric_limits<Int>::max());
  }
  return static_cast<std::make_unsigned_t<Int>>(static_cast<Int>(value));
}

}  // namespace

MUTANT("minus-zero-normalised", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-3.f64"), Says("-0 becomes 0")) {
  table.execute = each_float(
      [](std::uint64_t bits, const FloatForm& form) { return bits == form.sign ? 0 : bits; });
}

MUTANT("nan-quieted", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-3.f64"), Says("a signalling NaN becomes a quiet one")) {
  table.execute = each_float([](std::uint64_t bits, const FloatForm& form) {
    return is_nan(bits, form) ? bits | form.quiet : bits;
  });
}

MUTANT("nan-canonical", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-3.f64"),
       Says("every NaN becomes the one quiet NaN without sign and payload")) {
  table.execute = each_float([](std::uint64_t bits, const FloatForm& form) {
    return is_nan(bits, form) ? form.exponent | form.quiet : bits;
  });
}

MUTANT("nan-sign-dropped", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-11.bf16"), Says("a NaN loses its sign")) {
  table.execute = each_float([](std::uint64_t bits, const FloatForm& form) {
    return is_nan(bits, form) ? bits & ~form.sign : bits;
  });
}

MUTANT("nan-becomes-zero", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-3.f64"), Says("a NaN is written as 0")) {
  table.execute = each_float(
      [](std::uint64_t bits, const FloatForm& form) { return is_nan(bits, form) ? 0 : bits; });
}

MUTANT("infinity-clamped", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-8.bf16"),
       Says("an infinity becomes the largest finite number")) {
  table.execute = each_float([](std::uint64_t bits, const FloatForm& form) {
    return (bits & ~form.sign) == form.exponent ? bits - 1 : bits;
  });
}

MUTANT("denormals-flushed", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-8.bf16"), Says("denormals become 0")) {
  table.execute = each_float([](std::uint64_t bits, const FloatForm& form) {
    return (bits & form.exponent) == 0 ? bits & form.sign : bits;
  });
}

MUTANT("half-denormals-flushed", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-padded-same-every-type.f16"),
       Says("only f16 is converted on the way, which flushes its denormals")) {
  table.execute = each_of<ElementType::f16>([](std::uint64_t bits) -> std::uint64_t {
    return (bits & 0x7c00) == 0 ? bits & 0x8000 : bits;
  });
}

MUTANT("f16-nan-quieted", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-padded-same-every-type.f16"),
       Says("f16 goes through f32, where the conversion quiets its NaNs")) {
  table.execute = each_of<ElementType::f16>([](std::uint64_t bits) -> std::uint64_t {
    return (bits & 0x7fff) > 0x7c00 ? bits | 0x0200 : bits;
  });
}

MUTANT("bf16-nan-quieted", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-8.bf16"),
       Says("bf16 goes through f32 and is rounded back, which quiets its NaNs")) {
  table.execute = each_of<ElementType::bf16>([](std::uint64_t bits) -> std::uint64_t {
    return (bits & 0x7fff) > 0x7f80 ? bits | 0x0040 : bits;
  });
}

MUTANT("bf16-through-f16", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-8.bf16"),
       Says("bf16 is taken for the other 16-bit float when it is zero-extended: -0 becomes 0")) {
  table.execute = each_of<ElementType::bf16>(
      [](std::uint64_t bits) -> std::uint64_t { return bits == 0x8000 ? 0 : bits; });
}

MUTANT("f64-through-x87", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-3.f64"),
       Says("f64 is loaded onto the x87 stack, which quiets signalling NaNs")) {
  table.execute = each_of<ElementType::f64>([](std::uint64_t bits) -> std::uint64_t {
    const bool nan = (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
    return nan ? bits | 0x0008000000000000 : bits;
  });
}

MUTANT("f64-through-float", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-3.f64"),
       Says("f64 is copied through float and loses its lower half")) {
  table.execute = each_of<ElementType::f64>(
      [](std::uint64_t bits) -> std::uint64_t { return bits & 0xffffffffe0000000; });
}

MUTANT("f8e4m3-nan-sign-dropped", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/written-transposed-f8e4m3"),
       Says("the two NaNs of f8e4m3 become one")) {
  table.execute = each_of<ElementType::f8e4m3>(
      [](std::uint64_t bits) -> std::uint64_t { return bits == 0xff ? 0x7f : bits; });
}

MUTANT("f8e4m3-without-minus-zero", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/written-transposed-f8e4m3"),
       Says("f8e4m3 is taken for its form without -0, where 0x80 is the NaN")) {
  table.execute = each_of<ElementType::f8e4m3>(
      [](std::uint64_t bits) -> std::uint64_t { return bits == 0x80 ? 0x7f : bits; });
}

MUTANT("f8e5m2-saturates", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-padded-same-every-type.f8e5m2"),
       Says("infinities of f8e5m2 become its largest finite number, as conversions saturate")) {
  table.execute = each_of<ElementType::f8e5m2>(
      [](std::uint64_t bits) -> std::uint64_t { return (bits & 0x7f) == 0x7c ? bits - 1 : bits; });
}

MUTANT("f8e5m2-denormals-flushed", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-padded-same-every-type.f8e5m2"),
       Says("f8e5m2 is widened to f16 with denormals flushed")) {
  table.execute = each_of<ElementType::f8e5m2>(
      [](std::uint64_t bits) -> std::uint64_t { return (bits & 0x7c) == 0 ? bits & 0x80 : bits; });
}

MUTANT("integers-through-float", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-255-every-type.i32"),
       Says("i32 is copied through float, which holds 24 bits")) {
  table.execute = each_of<ElementType::i32>(
      [](std::uint64_t bits) { return through<float, std::int32_t>(bits); });
}

MUTANT("u32-through-float", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/example-3-every-type.u32"),
       Says("u32 is copied through float, which holds 24 bits")) {
  table.execute = each_of<ElementType::u32>(
      [](std::uint64_t bits) { return through<float, std::uint32_t>(bits); });
}

MUTANT("i64-through-double", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-padded-same-every-type.i64"),
       Says("i64 is copied through double, which holds 53 bits")) {
  table.execute = each_of<ElementType::i64>(
      [](std::uint64_t bits) { return through<double, std::int64_t>(bits); });
}

MUTANT("u64-through-double", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/written-transposed-u64"),
       Says("u64 is copied through double, which holds 53 bits")) {
  table.execute = each_of<ElementType::u64>(
      [](std::uint64_t bits) { return through<double, std::uint64_t>(bits); });
}

MUTANT("i64-in-32-bits", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-padded-same-every-type.i64"),
       Says("i64 elements are narrowed to 32 bits and widened again")) {
  table.execute = each_of<ElementType::i64>([](std::uint64_t bits) -> std::uint64_t {
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(bits)});
  });
}

MUTANT("u64-clamped-to-i64", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/written-transposed-u64"),
       Says("u64 elements above 2^63-1 become 2^63-1")) {
  table.execute = each_of<ElementType::u64>(
      [](std::uint64_t bits) -> std::uint64_t { return bits > INT64_MAX ? INT64_MAX : bits; });
}

MUTANT("i16-through-half", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-1025-every-type.i16"),
       Says("i16 is copied through f16, which holds 11 bits: 2049 becomes 2048")) {
  table.execute = each_of<ElementType::i16>(
      [](std::uint64_t bits) -> std::uint64_t { return bits == 2049 ? 2048 : bits; });
}

MUTANT("u8-clamped-to-i8", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-2.u8"), Says("u8 elements above 127 become 127")) {
  table.execute = each_of<ElementType::u8>(
      [](std::uint64_t bits) -> std::uint64_t { return bits > 127 ? 127 : bits; });
}

MUTANT("lowest-i8-made-symmetric", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-65-every-type.i8"),
       Says("i8 is quantised symmetrically: -128 becomes -127")) {
  table.execute = each_of<ElementType::i8>(
      [](std::uint64_t bits) -> std::uint64_t { return bits == 0x80 ? 0x81 : bits; });
}

MUTANT("booleans-inverted", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/boolean-to-scalar"),
       Says("booleans are written as a comparison with 0")) {
  table.execute =
      each_of<ElementType::boolean>([](std::uint64_t bits) -> std::uint64_t { return bits == 0; });
}

MUTANT("booleans-as-all-ones", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/boolean-to-scalar"),
       Says("a true boolean is written as a byte of ones, as vector comparisons give it")) {
  table.execute = each_of<ElementType::boolean>(
      [](std::uint64_t bits) -> std::uint64_t { return bits == 0 ? 0 : 0xff; });
}

MUTANT("16-bit-bytes-swapped", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-17-every-type.u16"),
       Says("the two bytes of i16 and u16 change places, but not those of floats")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    if (is_empty(shape_of(out))) return;
    Elements elements(out);
    if (elements.type() != ElementType::i16 && elements.type() != ElementType::u16) return;
    elements.each([](std::uint64_t bits) { return ((bits & 0xff) << 8) | (bits >> 8); });
  });
}

MUTANT("64-bit-halves-swapped", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-3.f64"),
       Says("the two words of 64-bit elements change places")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    if (is_empty(shape_of(out))) return;
    Elements elements(out);
    if (bits(elements.type()) != 64) return;
    elements.each([](std::uint64_t bits) { return (bits << 32) | (bits >> 32); });
  });
}

}  // namespace reshape::conformance::self
