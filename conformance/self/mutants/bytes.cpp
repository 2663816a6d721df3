// Right shapes with wrong elements in them.
#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

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

// What the elements of an output are before it is written.
std::vector<std::uint64_t> elements_before(const DLTensor& output) {
  std::vector<std::uint64_t> before;
  if (output.data == nullptr) return before;
  const Elements old(output);
  for (std::int64_t at = 0; at < old.count(); ++at) before.push_back(old.get(at));
  return before;
}

// Leaves the elements as they were that keep(at, count, element) names.
template <typename Keep>
auto leaves_unwritten(Keep) {
  return +[](const reshape_request* request, DLTensor* output, reshape_message* why) {
    const std::vector<std::uint64_t> before = elements_before(*output);
    const reshape_status status = right().execute(request, output, why);
    if (status != RESHAPE_OK || before.empty()) return status;
    Elements now(*output);
    for (std::int64_t at = 0; at < now.count(); ++at) {
      if (Keep{}(at, now.count(), now.get(at))) now.set(at, before[static_cast<std::size_t>(at)]);
    }
    return status;
  };
}

}  // namespace

MUTANT("two-elements-swapped", Breaks("content.kept"), Caught("bytes", "bytes"),
       Says("the second and the third element change places")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    Elements elements(out);
    if (elements.count() > 2) elements.swap(1, 2);
  });
}

MUTANT("last-two-of-a-block-swapped", Breaks("content.kept"), Caught("bytes", "bytes"),
       Says("in every full block of 16 the last two elements change places")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    Elements elements(out);
    for (std::int64_t end = 16; end <= elements.count(); end += 16) elements.swap(end - 2, end - 1);
  });
}

MUTANT("one-element-short", Breaks("content.kept"), Caught("bytes", "bytes"),
       Says("the last element is not written")) {
  table.execute = leaves_unwritten(
      [](std::int64_t at, std::int64_t count, std::uint64_t) { return at == count - 1; });
}

MUTANT("tail-unwritten", Breaks("content.kept"), Caught("bytes", "bytes"),
       Says("only full blocks of 8 elements are written")) {
  table.execute = leaves_unwritten(
      [](std::int64_t at, std::int64_t count, std::uint64_t) { return at >= count / 8 * 8; });
}

MUTANT("zeros-unwritten", Breaks("content.kept"), Caught("bytes", "bytes"),
       Says("an element that is 0 is taken to be there already")) {
  table.execute = leaves_unwritten(
      [](std::int64_t, std::int64_t, std::uint64_t element) { return element == 0; });
}

MUTANT("column-major", Breaks("content.kept"), Caught("bytes", "bytes"),
       Says("data is read with its first axis varying fastest")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    const Shape shape = shape_of(*request.data);
    if (is_empty(shape)) return;
    const Elements from(*request.data);
    Elements to(out);
    // The row-major position of the elements in column-major order.
    Layout columns{shape, Strides(shape.rank(), 1), 0};
    for (std::size_t axis = shape.rank(); axis-- > 1;) {
      columns.strides[axis - 1] = columns.strides[axis] * shape[axis];
    }
    std::vector<std::int64_t> index(shape.rank(), 0);
    for (std::int64_t at = 0; at < to.count(); ++at) {
      to.set(at, from.get(position_of(columns, index)));
      for (std::size_t axis = 0; axis < index.size() && ++index[axis] == shape[axis]; ++axis) {
        index[axis] = 0;
      }
    }
  });
}

MUTANT("strides-of-data-ignored", Breaks("content.kept"), Caught("bytes", "bytes"),
       Says("data is read as if it were dense")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    DLTensor data = *request->data;
    data.strides = nullptr;
    reshape_request dense = *request;
    // Positive strides never need fewer bytes than dense ones; with a 0 or a negative one this
    // would read elsewhere, which is another mistake than the one meant here.
    for (std::int32_t axis = 0; request->data->strides && axis < data.ndim; ++axis) {
      if (request->data->strides[axis] <= 0) return right().execute(request, output, why);
    }
    dense.data = &data;
    return right().execute(&dense, output, why);
  };
}

MUTANT("minus-zero-normalised", Breaks("content.kept"), Caught("bytes", "bytes"),
       Says("-0 becomes 0")) {
  table.execute = each_float(
      [](std::uint64_t bits, const FloatForm& form) { return bits == form.sign ? 0 : bits; });
}

MUTANT("nan-quieted", Breaks("content.kept"), Caught("bytes", "bytes"),
       Says("a signalling NaN becomes a quiet one")) {
  table.execute = each_float([](std::uint64_t bits, const FloatForm& form) {
    const bool nan = (bits & form.exponent) == form.exponent && (bits & form.fraction) != 0;
    return nan ? bits | form.quiet : bits;
  });
}

MUTANT("denormals-flushed", Breaks("content.kept"), Caught("bytes", "bytes"),
       Says("denormals become 0")) {
  table.execute = each_float([](std::uint64_t bits, const FloatForm& form) {
    return (bits & form.exponent) == 0 ? bits & form.sign : bits;
  });
}

MUTANT("integers-through-float", Breaks("content.kept"), Caught("bytes", "bytes"),
       Says("32-bit integers are copied through a float, which holds 24 bits")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    Elements elements(out);
    if (elements.type() != ElementType::i32) return;
    elements.each([](std::uint64_t bits) -> std::uint64_t {
      const auto value = static_cast<float>(static_cast<std::int32_t>(bits));
      if (value >= 2147483648.0f) return INT32_MAX;
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
    });
  });
}

MUTANT("half-bytes-swapped", Breaks("content.kept"), Caught("bytes", "bytes"),
       Says("the first of two 4-bit elements is put into the high half")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    Elements elements(out);
    if (bits(elements.type()) != 4) return;
    for (std::int64_t at = 0; at + 1 < elements.count(); at += 2) elements.swap(at, at + 1);
  });
}

}  // namespace reshape::conformance::self
