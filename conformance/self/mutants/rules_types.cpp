// Element types and dialects: what each document admits.
#include <algorithm>
#include <string_view>

#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

// Data of these types is refused although it is promised.
template <ElementType... Types>
void refuses_types(reshape_plugin& table) {
  refuses_where(
      table, [](const Asked& asked, const Sizes&) { return ((asked.data_type == Types) || ...); });
}

template <ElementType... Types>
void refuses_pattern_types(reshape_plugin& table) {
  refuses_where(table, [](const Asked& asked, const Sizes&) {
    return ((asked.pattern_type == Types) || ...);
  });
}

// Every request is read by the rules of one dialect.
template <const char* Name>
void speaks_only(reshape_plugin& table) {
  misunderstand(table, [](Asked& asked) { asked.dialect = Name; });
}

constexpr char kOpenvino[] = "openvino-reshape-1";
constexpr char kGraph[] = "onednn-graph-reshape-1";
constexpr char kStatic[] = "onednn-graph-static-reshape-1";
constexpr char kDynamic[] = "onednn-graph-dynamic-reshape-1";

// Where the right answer is a refusal for this clause, the right answer to the request as
// mended(asked) has it.
template <typename Mend>
void overlooks(reshape_plugin& table, Mend) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    Asked mended = asked;
    if (!Mend{}(right, mended)) return Misreading::none();
    reshape_message why;
    const RightAnswer other = right_answer(*mended.request(), &why);
    return other.produces() ? Misreading::of(other.sizes) : Misreading::none();
  });
}

}  // namespace

MUTANT("f64-refused", Breaks("C3"), Caught("shape", "shape"), On("openvino-reshape-1/count-2.f64"),
       Says("f64 data is refused")) {
  refuses_types<ElementType::f64>(table);
}

MUTANT("bf16-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/count-2.bf16"), Says("bf16 data is refused")) {
  refuses_types<ElementType::bf16>(table);
}

MUTANT("8-bit-floats-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/count-17-every-type.f8e4m3"),
       Says("data of the two 8-bit floats is refused")) {
  refuses_types<ElementType::f8e4m3, ElementType::f8e5m2>(table);
}

MUTANT("4-bit-data-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/count-2.i4"), Says("data of 4 bits is refused")) {
  refuses_types<ElementType::i4, ElementType::u4>(table);
}

MUTANT("unsigned-16-and-32-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/count-17-every-type.u32"), Says("data of u16 and u32 is refused")) {
  refuses_types<ElementType::u16, ElementType::u32>(table);
}

MUTANT("boolean-data-refused-everywhere", Breaks("C3"), Caught("shape", "shape"),
       On("onednn-graph-reshape-1/count-17-every-type.boolean"),
       Says("boolean data is refused where the document admits every type")) {
  refuses_types<ElementType::boolean>(table);
}

MUTANT("only-i32-and-i64-patterns", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/integers-plain.i16"),
       Says("patterns of the other integer types are refused")) {
  refuses_where(table, [](const Asked& asked, const Sizes&) {
    return asked.pattern_type != ElementType::i32 && asked.pattern_type != ElementType::i64;
  });
}

MUTANT("unsigned-patterns-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/integers-plain.u64"), Says("patterns without a sign are refused")) {
  refuses_pattern_types<ElementType::u4, ElementType::u8, ElementType::u16, ElementType::u32,
                        ElementType::u64>(table);
}

MUTANT("4-bit-patterns-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/integers-plain.i4"), Says("patterns of 4 bits are refused")) {
  refuses_pattern_types<ElementType::i4, ElementType::u4>(table);
}

MUTANT("any-data-type", Breaks("data.type"), Caught("shape", "shape"),
       On("onednn-graph-static-reshape-1/refused-type.f64"),
       Says("the data's type is not looked at, since its bytes are only copied")) {
  overlooks(table, [](const RightAnswer& right, Asked& asked) {
    asked.dialect = asked.pattern_type == ElementType::i64 ? kGraph : asked.dialect;
    return right.refused_for("data.type");
  });
}

MUTANT("f64-is-a-float-too", Breaks("data.type"), Caught("shape", "shape"),
       On("onednn-graph-dynamic-reshape-1/refused-type.f64"),
       Says("where f32, f16 and bf16 are admitted, f64 is as well")) {
  overlooks(table, [](const RightAnswer& right, Asked& asked) {
    const bool meant = right.refused_for("data.type") && asked.data_type == ElementType::f64;
    asked.dialect = kGraph;
    return meant;
  });
}

MUTANT("integers-are-admitted-too", Breaks("data.type"), Caught("shape", "shape"),
       On("onednn-graph-dynamic-reshape-1/refused-type.i32"),
       Says("where f32, f16 and bf16 are admitted, i32 and i8 are as well")) {
  overlooks(table, [](const RightAnswer& right, Asked& asked) {
    const bool meant = right.refused_for("data.type") &&
                       (asked.data_type == ElementType::i32 || asked.data_type == ElementType::i8);
    asked.dialect = kGraph;
    return meant;
  });
}

MUTANT("i64-pattern-where-i32-is-asked", Breaks("pattern.type"), Caught("shape", "shape"),
       On("onednn-graph-dynamic-reshape-1/refused-integer-pattern.i64"),
       Says("the dynamic dialect takes i64 patterns as well as i32 ones")) {
  overlooks(table, [](const RightAnswer& right, Asked& asked) {
    const bool meant = right.refused_for("pattern.type") &&
                       asked.pattern_type == ElementType::i64 && asked.dialect == kDynamic;
    asked.dialect = kGraph;
    return meant;
  });
}

MUTANT("any-integer-pattern", Breaks("pattern.type"), Caught("shape", "shape"),
       On("onednn-graph-dynamic-reshape-1/refused-integer-pattern.i64"),
       Says("every integer type is taken for a pattern, in every dialect")) {
  overlooks(table, [](const RightAnswer& right, Asked& asked) {
    const bool meant = right.refused_for("pattern.type") && is_integer(asked.pattern_type);
    asked.dialect = kGraph;
    return meant;
  });
}

MUTANT("pattern-type-not-looked-at", Breaks("pattern.type"), Caught("shape", "shape"),
       On("openvino-reshape-1/refused-float-pattern.f32"),
       LikePublicBug("microsoft/onnxruntime#32105"),
       Says("a pattern of f32 is read as the 32-bit integers that its bits make")) {
  overlooks(table, [](const RightAnswer& right, Asked& asked) {
    const bool meant = right.refused_for("pattern.type") && asked.pattern_type == ElementType::f32;
    if (meant) asked.read_pattern_as(ElementType::i32);
    return meant;
  });
}

MUTANT("scalar-pattern-accepted", Breaks("pattern.one-dimensional"), Caught("shape", "shape"),
       On("openvino-reshape-1/pattern-0d"),
       Says("a pattern of rank 0 is taken as a list of one value")) {
  overlooks(table, [](const RightAnswer& right, Asked& asked) {
    const bool meant =
        right.refused_for("pattern.one-dimensional") && asked.pattern_shape.rank() == 0;
    asked.pattern_shape = Shape{1};
    return meant;
  });
}

MUTANT("matrix-pattern-flattened", Breaks("pattern.one-dimensional"), Caught("shape", "shape"),
       On("openvino-reshape-1/pattern-2d-row"),
       Says("a pattern of two dimensions or more is read row by row")) {
  overlooks(table, [](const RightAnswer& right, Asked& asked) {
    const bool meant =
        right.refused_for("pattern.one-dimensional") && asked.pattern_shape.rank() > 1;
    asked.pattern_shape = Shape{static_cast<std::int64_t>(asked.pattern.size())};
    return meant;
  });
}

MUTANT("every-dialect-is-openvino", Breaks("C4"), Caught("shape", "shape"),
       On("onednn-graph-dynamic-reshape-1/refused-type.f64"),
       Says("every request is read by OpenVINO's document")) {
  speaks_only<kOpenvino>(table);
}

MUTANT("every-dialect-is-the-older-graph", Breaks("C4"), Caught("shape", "shape"),
       On("onednn-graph-dynamic-reshape-1/refused-type.f64"),
       Says("every request is read by the older document of oneDNN Graph")) {
  speaks_only<kGraph>(table);
}

MUTANT("every-dialect-is-static", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/count-2.f64"),
       Says("every request is read by the document of StaticReshape")) {
  speaks_only<kStatic>(table);
}

MUTANT("every-dialect-is-dynamic", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/count-2.f64"),
       Says("every request is read by the document of DynamicReshape")) {
  speaks_only<kDynamic>(table);
}

MUTANT("static-sizes-have-to-be-positive", Breaks("zero.copies"), Caught("shape", "shape"),
       On("onednn-graph-static-reshape-1/one-to-twelve-inferred"),
       Says("StaticReshape takes its table at its word: 0 and -1 are not positive")) {
  refuses_where(table, [](const Asked& asked, const Sizes&) {
    return asked.dialect.find("static") != std::string::npos &&
           std::any_of(asked.pattern.begin(), asked.pattern.end(),
                       [](PatternValue value) { return value < 1; });
  });
}

MUTANT("static-sizes-known-means-no-empty-data", Breaks("C3"), Caught("shape", "shape"),
       On("onednn-graph-static-reshape-1/infer-zero-first-true"),
       Says("StaticReshape refuses data without elements")) {
  refuses_where(table, [](const Asked& asked, const Sizes&) {
    return asked.dialect.find("static") != std::string::npos && is_empty(asked.data);
  });
}

MUTANT("dynamic-flag-ignored", Breaks("C3"), Caught("shape", "shape"),
       On("onednn-graph-dynamic-reshape-1/zero-moves-right"),
       Says("DynamicReshape copies zeros whatever its flag says")) {
  misunderstand(table, [](Asked& asked) {
    if (asked.dialect == kDynamic && asked.special_zero == 0) asked.special_zero = 1;
  });
}

}  // namespace reshape::conformance::self
