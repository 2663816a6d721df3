#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/abi/dlpack_types.h"
#include "conformance/abi/reshape_plugin.h"
#include "reference/reshape.h"
#include "reference/resolve.h"
#include "reference/tensor/declared_dialects.h"
#include "reference/tensor/layout.h"
#include "reference/tensor/tensor_view.h"

// The reference behind the C contract: it translates, and decides nothing that the rules decide.
namespace reshape::reference {
namespace {

// What a call returns: a status, with a sentence unless it is RESHAPE_OK.
struct Reply {
  reshape_status status = RESHAPE_OK;
  std::string why = {};
  Shape shape = {};  // of the output; RESHAPE_OK only
};

Reply rejected(std::string why) { return {RESHAPE_REJECTED, std::move(why)}; }
Reply unsupported(std::string why) { return {RESHAPE_UNSUPPORTED, std::move(why)}; }

std::string dtype_text(DLDataType dtype) {
  if (const auto type = element_type_of(dtype)) return std::string(name(*type));
  return fmt::format("a type of code {}, {} bits, {} lanes", dtype.code, dtype.bits, dtype.lanes);
}

// The sizes, or nothing when there is a negative one.
std::optional<Shape> shape_of(const DLTensor& tensor) {
  Shape shape;
  for (std::int32_t axis = 0; axis < tensor.ndim; ++axis) {
    if (tensor.shape[axis] < 0) return std::nullopt;
    shape.append(tensor.shape[axis]);
  }
  return shape;
}

bool on_cpu(const DLTensor& tensor) { return tensor.device.device_type == kDLCPU; }

std::byte* start_of(const DLTensor& tensor) {
  // A null pointer (empty tensors) stays null: nothing is added to it.
  return tensor.data == nullptr ? nullptr
                                : static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
}

// The value of an integer element's bits: sign-extended if the type is signed.
PatternValue value_of(ElementType type, std::uint64_t element) {
  if (!is_signed_integer(type)) return element;
  const int unused = 64 - bits(type);
  return static_cast<std::int64_t>(element << unused) >> unused;
}

// The pattern as the rules read it, from a dense tensor of any rank. The values of a type that is
// not an integer are left out: no dialect reads them, the type alone is refused.
ShapePattern pattern_of(const DLTensor& tensor, ElementType type, const Shape& shape) {
  ShapePattern pattern{type, {}, std::nullopt};
  if (shape.rank() != 1) pattern.tensor_shape = shape;
  if (!is_integer(type)) return pattern;
  const std::int64_t count = element_count(shape).value_or(0);
  for (std::int64_t at = 0; at < count; ++at) {
    pattern.values.push_back(value_of(type, load_element(type, start_of(tensor), at)));
  }
  return pattern;
}

Reply asked_of_rules(const Dialect& dialect, const Question& question) {
  Ruling ruling = decide(resolve(dialect, question));
  if (ruling.kind == Ruling::Kind::produces) return {RESHAPE_OK, {}, std::move(ruling.shape)};
  // Refusals are rare, so only they pay for a derivation: the request is resolved a second time.
  Derivation derivation;
  resolve(dialect, question, &derivation);
  return rejected(ruling.clause + ": " + derivation.back().says);
}

Reply infer(const reshape_request& request) {
  if (request.struct_size < sizeof(reshape_request)) {
    return unsupported("the request is of an older version of the contract");
  }
  const Dialect* dialect = declared_dialect(request.dialect);
  if (dialect == nullptr) {
    return unsupported(fmt::format("the dialect '{}' is not known", request.dialect));
  }
  if (!on_cpu(*request.pattern)) return unsupported("the pattern is not on the CPU");

  Question question;
  const auto data_type = element_type_of(request.data->dtype);
  if (!data_type) return rejected("data.type: data is " + dtype_text(request.data->dtype));
  question.data_type = *data_type;
  const auto pattern_type = element_type_of(request.pattern->dtype);
  if (!pattern_type) {
    return rejected("pattern.type: the pattern is " + dtype_text(request.pattern->dtype));
  }
  const auto data_shape = shape_of(*request.data);
  const auto pattern_shape = shape_of(*request.pattern);
  if (!data_shape || !pattern_shape) return rejected("a tensor has a negative size");
  question.data = *data_shape;
  question.pattern = pattern_of(*request.pattern, *pattern_type, *pattern_shape);

  switch (request.special_zero) {
    case RESHAPE_FLAG_MISSING: break;
    case RESHAPE_FLAG_FALSE: question.special_zero = false; break;
    case RESHAPE_FLAG_TRUE: question.special_zero = true; break;
    default: return rejected(fmt::format("special_zero is {}", request.special_zero));
  }
  return asked_of_rules(*dialect, question);
}

// Where the elements lie, counted from start_of(). Precondition: not empty.
Layout layout_of(const DLTensor& tensor, const Shape& shape) {
  if (tensor.strides == nullptr) return row_major(shape);
  return {shape, {tensor.strides, tensor.strides + tensor.ndim}, 0};
}

// True when some byte may belong to both: the ranges from first to last byte meet.
bool overlap(const TensorView& left, const MutableTensorView& right) {
  const auto bytes = [](ElementType type, const Layout& layout, const std::byte* base) {
    const auto address = reinterpret_cast<std::intptr_t>(base);
    const ElementRange range = touched(layout);
    const std::int64_t width = bits(type);
    // In bits first, so that half bytes need no case; the shift rounds down below 0 as well.
    return std::pair{address + ((range.first * width) >> 3),
                     address + ((range.last * width + width - 1) >> 3)};
  };
  const auto [left_first, left_last] = bytes(left.type, left.layout, left.base);
  const auto [right_first, right_last] = bytes(right.type, right.layout, right.base);
  return left_first <= right_last && right_first <= left_last;
}

Reply execute(const reshape_request& request, const DLTensor& output) {
  Reply reply = infer(request);
  if (reply.status != RESHAPE_OK) return reply;

  const DLTensor& data = *request.data;
  const ElementType type = *element_type_of(data.dtype);
  // clause: output.type
  if (element_type_of(output.dtype) != type) {
    return rejected(fmt::format("output.type: the output is {}, but data is {}",
                                dtype_text(output.dtype), name(type)));
  }
  // clause: output.shape
  const auto output_shape = shape_of(output);
  if (output_shape != reply.shape) {
    return rejected(fmt::format("output.shape: the output is {}, but the request produces {}",
                                output_shape ? text(*output_shape) : "of a negative size",
                                text(reply.shape)));
  }
  if (!on_cpu(data) || !on_cpu(output)) return unsupported("a tensor is not on the CPU");
  if (is_empty(*output_shape)) return reply;

  const TensorView from{type, layout_of(data, *shape_of(data)), start_of(data)};
  const MutableTensorView to{type, layout_of(output, *output_shape), start_of(output)};
  if (!overlap(from, to)) {
    copy_elements(from, to);
    return reply;
  }
  // The sides overlap: everything is read into a buffer before anything is written.
  const std::int64_t count = *element_count(*output_shape);
  std::vector<std::byte> aside(static_cast<std::size_t>(bytes_for(type, count)));
  const Layout packed = row_major(Shape{count});
  copy_elements(from, {type, packed, aside.data()});
  copy_elements({type, packed, aside.data()}, to);
  return reply;
}

void write(std::string_view sentence, reshape_message* why) {
  const std::size_t length = std::min(sentence.size(), sizeof(why->text) - 1);
  std::memcpy(why->text, sentence.data(), length);
  why->text[length] = '\0';
}

// Runs a call so that no exception crosses the C contract.
template <typename Call>
reshape_status guarded(reshape_message* why, Call call) noexcept {
  try {
    const Reply reply = call();
    if (reply.status != RESHAPE_OK) write(reply.why, why);
    return reply.status;
  } catch (const std::exception& failure) {
    write(failure.what(), why);
    return RESHAPE_FAILED;
  }
}

reshape_status infer_shape(const reshape_request* request, reshape_shape* shape,
                           reshape_message* why) {
  return guarded(why, [&]() -> Reply {
    Reply reply = infer(*request);
    if (reply.status != RESHAPE_OK) return reply;
    if (static_cast<std::int64_t>(reply.shape.rank()) > shape->capacity) {
      return {RESHAPE_FAILED, fmt::format("the shape has {} sizes, but only {} fit",
                                          reply.shape.rank(), shape->capacity)};
    }
    std::copy(reply.shape.begin(), reply.shape.end(), shape->sizes);
    shape->rank = static_cast<std::int32_t>(reply.shape.rank());
    return reply;
  });
}

reshape_status execute_request(const reshape_request* request, DLTensor* output,
                               reshape_message* why) {
  return guarded(why, [&] { return execute(*request, *output); });
}

std::string names_of_dialects() {
  const auto names = declared_dialects() | std::views::transform(&Dialect::name);
  return fmt::format("{}", fmt::join(names, " "));
}

const reshape_plugin& plugin() {
  static const std::string dialects = names_of_dialects();
  static const std::string element_types = ElementTypes::all().text();
  static const std::string pattern_types = ElementTypes::integers().text();
  static const reshape_plugin table = [] {
    reshape_plugin filled{};
    filled.abi_version = RESHAPE_ABI_VERSION;
    filled.struct_size = sizeof(reshape_plugin);
    filled.description.name = "reference";
    filled.description.version = RESHAPE_REFERENCE_VERSION;
    filled.description.dialects = dialects.c_str();
    filled.description.element_types = element_types.c_str();
    filled.description.pattern_types = pattern_types.c_str();
    filled.description.capabilities = RESHAPE_STRIDED_INPUT | RESHAPE_STRIDED_OUTPUT |
                                      RESHAPE_NEGATIVE_STRIDES | RESHAPE_IN_PLACE | RESHAPE_OVERLAP;
    filled.description.alignment = 1;
    filled.infer_shape = infer_shape;
    filled.execute = execute_request;
    return filled;
  }();
  return table;
}

}  // namespace
}  // namespace reshape::reference

extern "C" const reshape_plugin* reshape_plugin_entry(void) {
  return &reshape::reference::plugin();
}
