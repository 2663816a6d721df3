#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/abi/dlpack_types.h"
#include "conformance/abi/reshape_plugin.h"
#include "optimized/reshape.h"
#include "optimized/setting.h"
#include "reference/tensor/declared_dialects.h"
#include "reference/tensor/tensor_view.h"

// The optimized implementation behind the C contract: it translates, resolves, plans and runs.
namespace reshape::optimized {
namespace {

// What a call returns: a status, with a sentence unless it is RESHAPE_OK.
struct Reply {
  reshape_status status = RESHAPE_OK;
  std::string why = {};
};

Reply rejected(std::string why) { return {RESHAPE_REJECTED, std::move(why)}; }
Reply unsupported(std::string why) { return {RESHAPE_UNSUPPORTED, std::move(why)}; }
Reply failed(std::string why) { return {RESHAPE_FAILED, std::move(why)}; }

// Room for the sizes of any tensor, on the stack for all that occur.
template <typename Value>
class Room {
 public:
  std::span<Value> of(std::size_t count) {
    if (count <= few_.size()) return std::span<Value>(few_).first(count);
    many_.resize(count);
    return many_;
  }

 private:
  std::array<Value, 12> few_;
  std::vector<Value> many_;
};

std::span<const std::int64_t> sizes_of(const DLTensor& tensor) {
  return {tensor.shape, static_cast<std::size_t>(tensor.ndim)};
}

bool has_negative_size(const DLTensor& tensor) {
  return std::ranges::any_of(sizes_of(tensor), [](std::int64_t size) { return size < 0; });
}

Shape shape_of(const DLTensor& tensor) {
  return Shape(std::vector<std::int64_t>(tensor.shape, tensor.shape + tensor.ndim));
}

bool on_cpu(const DLTensor& tensor) { return tensor.device.device_type == kDLCPU; }

std::byte* start_of(const DLTensor& tensor) {
  // A null pointer (empty tensors) stays null: nothing is added to it.
  return tensor.data == nullptr ? nullptr
                                : static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
}

// Where the elements lie, counted from start_of(). Nothing where a dense layout has no strides.
std::optional<Layout> layout_of(const DLTensor& tensor) {
  Layout layout{shape_of(tensor), {}, 0};
  if (tensor.strides != nullptr) {
    layout.strides.assign(tensor.strides, tensor.strides + tensor.ndim);
  } else if (auto dense = row_major_strides(layout.shape)) {
    layout.strides = *std::move(dense);
  } else if (is_empty(layout.shape)) {
    layout.strides.assign(layout.shape.rank(), 0);
  } else {
    return std::nullopt;
  }
  return layout;
}

// The values of a dense tensor of integers, for as many as there is room.
void read_values(const DLTensor& tensor, ElementType type, std::span<PatternValue> values) {
  const std::byte* start = start_of(tensor);
  const int unused = 64 - bits(type);
  for (std::size_t at = 0; at < values.size(); ++at) {
    const std::uint64_t element = load_element(type, start, static_cast<std::int64_t>(at));
    if (is_signed_integer(type)) {
      values[at] = static_cast<std::int64_t>(element << unused) >> unused;
    } else {
      values[at] = element;
    }
  }
}

// One request read out of the contract's structs; nothing is owned but the room for what had to be
// widened.
class Inference {
 public:
  // Resolves the request: afterwards `sizes` are those of the output, if the reply is RESHAPE_OK.
  Reply infer(const reshape_request& request);

  std::span<const std::int64_t> sizes() const { return sizes_; }
  ElementType type() const { return type_; }

 private:
  Reply read(const reshape_request& request);
  Resolved resolve_narrow(const Dialect& dialect, const std::int64_t* values);
  Resolved resolve_wide(const Dialect& dialect);
  ShapePattern pattern() const;

  const DLTensor* data_ = nullptr;
  const DLTensor* pattern_ = nullptr;
  ElementType type_ = ElementType::f32;
  ElementType pattern_type_ = ElementType::i64;
  std::size_t pattern_count_ = 0;
  std::optional<bool> special_zero_;
  Room<PatternValue> pattern_room_;
  Room<std::int64_t> sizes_room_;
  std::span<std::int64_t> sizes_;
};

Reply Inference::read(const reshape_request& request) {
  data_ = request.data;
  pattern_ = request.pattern;
  const auto type = element_type_of(data_->dtype);
  if (!type) return rejected("data.type: no element type of the contract has the dtype of data");
  type_ = *type;
  const auto pattern_type = element_type_of(pattern_->dtype);
  if (!pattern_type) {
    return rejected("pattern.type: no element type of the contract has the dtype of the pattern");
  }
  pattern_type_ = *pattern_type;
  if (has_negative_size(*data_)) return rejected("the data has a size below 0");
  if (has_negative_size(*pattern_)) return rejected("the pattern has a size below 0");
  if (!on_cpu(*pattern_)) return unsupported("the pattern is not on the CPU");

  switch (request.special_zero) {
    case RESHAPE_FLAG_MISSING: break;
    case RESHAPE_FLAG_FALSE: special_zero_ = false; break;
    case RESHAPE_FLAG_TRUE: special_zero_ = true; break;
    default:
      return rejected("special_zero is " + std::to_string(request.special_zero) +
                      ", which is neither true nor false nor missing");
  }
  // No dialect reads the values of a pattern that is not of integers: its type alone is refused.
  if (is_integer(pattern_type_)) {
    std::int64_t count = 1;
    for (const std::int64_t size : sizes_of(*pattern_)) count *= size;
    pattern_count_ = static_cast<std::size_t>(count);
  }
  sizes_ = sizes_room_.of(pattern_count_);
  return {};
}

Resolved Inference::resolve_narrow(const Dialect& dialect, const std::int64_t* values) {
  return resolve(dialect,
                 Asked<std::int64_t>{type_,
                                     sizes_of(*data_),
                                     pattern_type_,
                                     {values, pattern_count_},
                                     pattern_->ndim,
                                     special_zero_},
                 sizes_);
}

Resolved Inference::resolve_wide(const Dialect& dialect) {
  const std::span<PatternValue> values = pattern_room_.of(pattern_count_);
  read_values(*pattern_, pattern_type_, values);
  return resolve(dialect,
                 Asked<PatternValue>{type_, sizes_of(*data_), pattern_type_, values, pattern_->ndim,
                                     special_zero_},
                 sizes_);
}

// The pattern as a value that can be printed; only asked for on refusals.
ShapePattern Inference::pattern() const {
  ShapePattern pattern{pattern_type_, std::vector<PatternValue>(pattern_count_), std::nullopt};
  read_values(*pattern_, pattern_type_, pattern.values);
  return pattern;
}

Reply Inference::infer(const reshape_request& request) {
  if (!setting().fault.empty()) return failed(setting().fault);
  if (request.struct_size < sizeof(reshape_request)) {
    return unsupported("the request is of an older version of the contract");
  }
  const Dialect* dialect = declared_dialect(request.dialect);
  if (dialect == nullptr) {
    return unsupported("no dialect is called '" + std::string(request.dialect) + "'");
  }
  if (Reply reply = read(request); reply.status != RESHAPE_OK) return reply;

  const std::byte* start = start_of(*pattern_);
  const bool in_place = pattern_type_ == ElementType::i64 &&
                        reinterpret_cast<std::uintptr_t>(start) % alignof(std::int64_t) == 0;
  const Resolved answer =
      in_place ? resolve_narrow(*dialect, reinterpret_cast<const std::int64_t*>(start))
               : resolve_wide(*dialect);
  if (answer.gives_shape()) return {};
  return rejected(why_refused(answer, shape_of(*data_), pattern()));
}

Reply infer_shape(const reshape_request& request, reshape_shape& shape) {
  Inference inference;
  Reply reply = inference.infer(request);
  if (reply.status != RESHAPE_OK) return reply;
  const std::span<const std::int64_t> sizes = inference.sizes();
  if (std::cmp_greater(sizes.size(), shape.capacity)) {
    return failed("the shape has " + std::to_string(sizes.size()) + " sizes, but room is for " +
                  std::to_string(shape.capacity));
  }
  std::ranges::copy(sizes, shape.sizes);
  shape.rank = static_cast<std::int32_t>(sizes.size());
  return reply;
}

// Resolves the request and compares the output that the caller brings with it.
Reply infer_for(const reshape_request& request, const DLTensor& output, Inference& inference) {
  Reply reply = inference.infer(request);
  if (reply.status != RESHAPE_OK) return reply;
  // clause: output.shape
  if (!std::ranges::equal(sizes_of(output), inference.sizes())) {
    return rejected("output.shape: the output is " + text_of_sizes(sizes_of(output)) +
                    ", but the request produces " + text_of_sizes(inference.sizes()));
  }
  if (!on_cpu(*request.data)) return unsupported("the data is not on the CPU");
  return reply;
}

Reply execute(const reshape_request& request, const DLTensor& output) {
  Inference inference;
  Reply reply = infer_for(request, output, inference);
  if (reply.status != RESHAPE_OK) return reply;
  // clause: output.type
  if (element_type_of(output.dtype) != inference.type()) {
    return rejected("output.type: the output is not " + std::string(name(inference.type())) +
                    " as the data is");
  }
  if (!on_cpu(output)) return unsupported("the output is not on the CPU");

  const std::optional<Layout> from = layout_of(*request.data);
  const std::optional<Layout> to = layout_of(output);
  if (!from || !to) return failed("a dense tensor of that shape cannot be addressed");
  const Result<CopyPlan> copy = plan_copy(inference.type(), *from, *to);
  if (!copy) return failed(copy.error().text());
  const Result<Ran> ran = run(*copy, start_of(*request.data), start_of(output), pool_for(*copy));
  if (!ran) return rejected(ran.error().text());
  return reply;
}

Reply view(const reshape_request& request, DLTensor& output) {
  Inference inference;
  Reply reply = infer_for(request, output, inference);
  if (reply.status != RESHAPE_OK) return reply;
  std::optional<Layout> from = layout_of(*request.data);
  if (!from) return failed("a dense tensor of that shape cannot be addressed");
  const Result<ReshapePlan> planned =
      plan({inference.type(), *std::move(from), shape_of(output), std::nullopt, true});
  if (!planned) return failed(planned.error().text());
  const auto* alias = std::get_if<AliasPlan>(&*planned);
  if (alias == nullptr) return unsupported("no strides show the data in this shape: copy it");
  output.data = request.data->data;
  output.byte_offset = request.data->byte_offset;
  std::ranges::copy(alias->layout.strides, output.strides);
  return reply;
}

// Runs a call so that no exception crosses the C contract.
template <typename Call>
reshape_status guarded(reshape_message* why, Call call) noexcept {
  const auto say = [why](std::string_view sentence) {
    const std::size_t length = std::min(sentence.size(), sizeof(why->text) - 1);
    std::memcpy(why->text, sentence.data(), length);
    why->text[length] = '\0';
  };
  try {
    const Reply reply = call();
    if (reply.status != RESHAPE_OK) say(reply.why);
    return reply.status;
  } catch (const std::exception& failure) {
    say(failure.what());
    return RESHAPE_FAILED;
  }
}

reshape_status infer_shape_call(const reshape_request* request, reshape_shape* shape,
                                reshape_message* why) {
  return guarded(why, [&] { return infer_shape(*request, *shape); });
}

reshape_status execute_call(const reshape_request* request, DLTensor* output,
                            reshape_message* why) {
  return guarded(why, [&] { return execute(*request, *output); });
}

reshape_status view_call(const reshape_request* request, DLTensor* output, reshape_message* why) {
  return guarded(why, [&] { return view(*request, *output); });
}

std::string names_of_dialects() {
  std::string names;
  for (const Dialect& dialect : declared_dialects()) {
    if (!names.empty()) names += ' ';
    names += dialect.name;
  }
  return names;
}

const reshape_plugin& plugin() {
  static const std::string dialects = names_of_dialects();
  static const std::string element_types = ElementTypes::all().text();
  static const std::string pattern_types = ElementTypes::integers().text();
  static const reshape_plugin table = [] {
    reshape_plugin filled{};
    filled.abi_version = RESHAPE_ABI_VERSION;
    filled.struct_size = sizeof(reshape_plugin);
    reshape_description& description = filled.description;
    description.name = "optimized";
    description.version = RESHAPE_OPTIMIZED_VERSION;
    description.dialects = dialects.c_str();
    description.element_types = element_types.c_str();
    description.pattern_types = pattern_types.c_str();
    description.capabilities = RESHAPE_STRIDED_INPUT | RESHAPE_STRIDED_OUTPUT |
                               RESHAPE_NEGATIVE_STRIDES | RESHAPE_IN_PLACE | RESHAPE_VIEWS |
                               RESHAPE_STARTS_THREADS;
    description.max_rank = 0;
    description.alignment = 1;
    filled.infer_shape = infer_shape_call;
    filled.execute = execute_call;
    filled.view = view_call;
    return filled;
  }();
  return table;
}

}  // namespace
}  // namespace reshape::optimized

extern "C" const reshape_plugin* reshape_plugin_entry(void) {
  return &reshape::optimized::plugin();
}
