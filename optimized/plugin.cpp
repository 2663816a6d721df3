#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/abi/reshape_plugin.h"
#include "optimized/axes.h"
#include "optimized/inference.h"
#include "optimized/known_copies.h"
#include "optimized/reshape.h"
#include "optimized/sentence.h"
#include "optimized/setting.h"
#include "reference/tensor/declared_dialects.h"

// The optimized implementation behind the C contract: it translates, resolves, plans and runs.
namespace reshape::optimized {
namespace {

// Where the elements of a tensor lie, counted from start_of().
class Placed {
 public:
  explicit Placed(const DLTensor& tensor) : sizes_(sizes_of(tensor)) {
    if (tensor.strides != nullptr) {
      strides_ = {tensor.strides, sizes_.size()};
      return;
    }
    const std::span<std::int64_t> dense = room_.of(sizes_.size());
    addressable_ = row_major_strides(sizes_, dense) || std::ranges::find(sizes_, 0) != sizes_.end();
    strides_ = dense;
  }
  Placed(const Placed&) = delete;

  // False where a dense layout has no strides.
  bool addressable() const { return addressable_; }
  LayoutView layout() const { return {sizes_, strides_, 0}; }

 private:
  std::span<const std::int64_t> sizes_;
  std::span<const std::int64_t> strides_;
  Room<std::int64_t> room_;
  bool addressable_ = true;
};

reshape_status infer_shape(const reshape_request& request, reshape_shape& shape, Sentence& why) {
  Inference inference(why);
  if (const reshape_status status = inference.infer(request); status != RESHAPE_OK) return status;
  const std::span<const std::int64_t> sizes = inference.sizes();
  if (std::cmp_greater(sizes.size(), shape.capacity)) {
    why.append("the shape has ");
    append_number(why, sizes.size());
    why.append(" sizes, but room is for ");
    append_number(why, shape.capacity);
    return RESHAPE_FAILED;
  }
  std::ranges::copy(sizes, shape.sizes);
  shape.rank = static_cast<std::int32_t>(sizes.size());
  return RESHAPE_OK;
}

constexpr std::string_view kNotAddressable = "a dense tensor of that shape cannot be addressed";

// Where the output overlaps the data: its elements are put aside, and from there to their places.
std::optional<Error> copy_by_way_of_a_buffer(ElementType type, const LayoutView& from,
                                             const LayoutView& to, const std::byte* read,
                                             std::byte* write) {
  Room<std::int64_t> room;
  const std::span<std::int64_t> dense = room.of(from.sizes.size());
  row_major_strides(from.sizes, dense);  // there are, since the data has elements in memory
  const LayoutView aside(from.sizes, dense, 0);
  CopyPlan out, back;
  if (auto fault = plan_copy(type, from, aside, out)) return fault;
  if (auto fault = plan_copy(type, aside, to, back)) return fault;
  std::vector<std::byte> buffer(static_cast<std::size_t>(out.write_bytes.end));
  run(out, read, buffer.data(), pool_for(out));
  run(back, buffer.data(), write, pool_for(back));
  return std::nullopt;
}

reshape_status execute(const reshape_request& request, const DLTensor& output, Sentence& why) {
  Inference inference(why);
  if (const reshape_status status = inference.infer_for(request, output); status != RESHAPE_OK) {
    return status;
  }
  // clause: output.type
  if (type_of(output.dtype) != inference.type()) {
    return inference.say(RESHAPE_REJECTED, {"output.type: the output is not ",
                                            name(inference.type()), " as the data is"});
  }
  if (!on_cpu(output)) return inference.say(RESHAPE_UNSUPPORTED, {"the output is not on the CPU"});

  const Placed from(*request.data), to(output);
  if (!from.addressable() || !to.addressable()) {
    return inference.say(RESHAPE_FAILED, {kNotAddressable});
  }
  const std::byte* read = start_of(*request.data);
  std::byte* write = start_of(output);
  const ElementType type = inference.type();
  const auto said = [&](const Result<Ran>& ran) {
    if (!ran) return inference.say(RESHAPE_REJECTED, {ran.error().text()});
    if (*ran != Ran::overlap) return RESHAPE_OK;
    const auto fault = copy_by_way_of_a_buffer(type, from.layout(), to.layout(), read, write);
    return fault ? inference.say(RESHAPE_FAILED, {fault->text()}) : RESHAPE_OK;
  };
  if (const auto ran = run_known(type, from.layout(), to.layout(), read, write)) return said(*ran);
  CopyPlan copy;
  if (const auto fault = plan_copy(type, from.layout(), to.layout(), copy)) {
    return inference.say(RESHAPE_FAILED, {fault->text()});
  }
  const Result<Ran> ran = run(copy, read, write, pool_for(copy));
  if (ran) remember(type, from.layout(), to.layout(), copy);
  return said(ran);
}

reshape_status view(const reshape_request& request, DLTensor& output, Sentence& why) {
  Inference inference(why);
  if (const reshape_status status = inference.infer_for(request, output); status != RESHAPE_OK) {
    return status;
  }
  const Placed from(*request.data);
  if (!from.addressable()) return inference.say(RESHAPE_FAILED, {kNotAddressable});
  Room<std::int64_t> room;  // nothing is written to the output where there is no view
  const std::span<std::int64_t> strides = room.of(inference.sizes().size());
  const Result<bool> exists = plan_view(from.layout(), inference.sizes(), strides);
  if (!exists) return inference.say(RESHAPE_FAILED, {exists.error().text()});
  if (!*exists) {
    return inference.say(RESHAPE_UNSUPPORTED, {"no strides show the data in this shape: copy it"});
  }
  output.data = request.data->data;
  output.byte_offset = request.data->byte_offset;
  std::ranges::copy(strides, output.strides);
  return RESHAPE_OK;
}

// Runs a call so that no exception crosses the C contract.
template <typename Call>
reshape_status guarded(reshape_message* message, Call call) noexcept {
  try {
    Sentence why(message->text);
    return call(why);
  } catch (const std::exception& failure) {
    Sentence(message->text).append(failure.what());
    return RESHAPE_FAILED;
  }
}

reshape_status infer_shape_call(const reshape_request* request, reshape_shape* shape,
                                reshape_message* why) {
  return guarded(why, [&](Sentence& said) { return infer_shape(*request, *shape, said); });
}

reshape_status execute_call(const reshape_request* request, DLTensor* output,
                            reshape_message* why) {
  return guarded(why, [&](Sentence& said) { return execute(*request, *output, said); });
}

reshape_status view_call(const reshape_request* request, DLTensor* output, reshape_message* why) {
  return guarded(why, [&](Sentence& said) { return view(*request, *output, said); });
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
                               RESHAPE_NEGATIVE_STRIDES | RESHAPE_IN_PLACE | RESHAPE_OVERLAP |
                               RESHAPE_VIEWS | RESHAPE_STARTS_THREADS;
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
