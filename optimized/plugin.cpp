#include <pthread.h>

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/abi/reshape_plugin.h"
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
LayoutView layout_of(const DLTensor& tensor) {
  const std::span<const std::int64_t> sizes = sizes_of(tensor);
  if (tensor.strides == nullptr) return LayoutView::dense(sizes);
  return {sizes, {tensor.strides, sizes.size()}, 0};
}

[[gnu::noinline]] reshape_status too_many_sizes(std::size_t rank, const reshape_shape& shape,
                                                Sentence& why) {
  why.append("the shape has ");
  append_number(why, rank);
  why.append(" sizes, but room is for ");
  append_number(why, shape.capacity);
  return RESHAPE_FAILED;
}

bool same_dtype(DLDataType one, DLDataType other) {
  return one.code == other.code && one.bits == other.bits && one.lanes == other.lanes;
}

reshape_status infer_shape(const reshape_request& request, reshape_shape& shape, Sentence& why) {
  Inference inference(why);
  if (const reshape_status status = inference.infer(request); status != RESHAPE_OK) return status;
  const std::span<const std::int64_t> sizes = inference.sizes();
  if (std::cmp_greater(sizes.size(), shape.capacity))
    return too_many_sizes(sizes.size(), shape, why);
  for (std::size_t i = 0; i < sizes.size(); ++i) shape.sizes[i] = sizes[i];
  shape.rank = static_cast<std::int32_t>(sizes.size());
  return RESHAPE_OK;
}

// For an output that overlaps the data: copies everything to a buffer, and from there to the
// output.
std::optional<Error> copy_by_way_of_a_buffer(ElementType type, const Side& from, const Side& to,
                                             const std::byte* read, std::byte* write) {
  Side aside(LayoutView::dense(from.layout.sizes));
  if (!look_at(aside)) return fault_of("data", aside);
  CopyPlan out, back;
  if (auto fault = plan_copy(type, from, aside, out)) return fault;
  if (auto fault = plan_copy(type, aside, to, back)) return fault;
  std::vector<std::byte> buffer(static_cast<std::size_t>(out.write_bytes.end));
  run(out, read, buffer.data(), pool_for(out).get());
  run(back, buffer.data(), write, pool_for(back).get());
  return std::nullopt;
}

// Runs a cached copy where there is one; plans it otherwise.
std::optional<Error> copy(ElementType type, const Side& from, const Side& to, const std::byte* read,
                          std::byte* write, Ran& ran) {
  // A contiguous copy is faster to run, or to plan, than to look up.
  const bool worth_knowing = !from.is_one_stretch() || !to.is_one_stretch();
  if (!worth_knowing && run_stretch(type, from, to, read, write)) return std::nullopt;
  if (worth_knowing) {
    if (const auto known = run_known(type, from, to, read, write)) {
      ran = *known;
      return std::nullopt;
    }
  }
  CopyPlan plan;
  if (auto fault = plan_copy(type, from, to, plan)) return fault;
  ran = run(plan, read, write, pool_for(plan).get());
  if (worth_knowing) remember(type, from, to, plan);
  return std::nullopt;
}

[[gnu::noinline]] reshape_status failed(Inference& inference, const Error& fault) {
  return inference.say(RESHAPE_FAILED, {fault.text()});
}

reshape_status execute(const reshape_request& request, const DLTensor& output, Sentence& why) {
  Inference inference(why);
  if (const reshape_status status = inference.infer_for(request, output); status != RESHAPE_OK) {
    return status;
  }
  // clause: output.type
  if (!same_dtype(output.dtype, request.data->dtype)) {
    return inference.say(RESHAPE_REJECTED, {"output.type: the output is not ",
                                            name(inference.type()), " as the data is"});
  }
  if (!on_cpu(output)) return inference.say(RESHAPE_UNSUPPORTED, {"the output is not on the CPU"});

  Side from(layout_of(*request.data)), to(layout_of(output));
  if (!look_at(from)) return failed(inference, fault_of("data", from));
  if (!look_at(to)) return failed(inference, fault_of("output", to));
  const std::byte* read = start_of(*request.data);
  std::byte* write = start_of(output);
  const ElementType type = inference.type();
  Ran ran = Ran::copied;
  if (const auto fault = copy(type, from, to, read, write, ran)) return failed(inference, *fault);
  if (ran == Ran::no_buffer) {
    return inference.say(RESHAPE_REJECTED, {"a tensor with elements has no buffer"});
  }
  if (ran != Ran::overlap) return RESHAPE_OK;
  const auto fault = copy_by_way_of_a_buffer(type, from, to, read, write);
  return fault ? failed(inference, *fault) : RESHAPE_OK;
}

reshape_status view(const reshape_request& request, DLTensor& output, Sentence& why) {
  Inference inference(why);
  if (const reshape_status status = inference.infer_for(request, output); status != RESHAPE_OK) {
    return status;
  }
  Room<std::int64_t> room;  // first in here: where there is no view, the output is left alone
  const std::span<std::int64_t> strides = room.of(inference.sizes().size());
  const Result<bool> exists = plan_view(layout_of(*request.data), inference.sizes(), strides);
  if (!exists) return failed(inference, exists.error());
  if (!*exists) {
    return inference.say(RESHAPE_UNSUPPORTED, {"no strides show the data in this shape: copy it"});
  }
  output.data = request.data->data;
  output.byte_offset = request.data->byte_offset;
  for (std::size_t i = 0; i < strides.size(); ++i) output.strides[i] = strides[i];
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
  // Never freed: a caller may read them while the process ends.
  static const auto& dialects = *new std::string(names_of_dialects());
  static const auto& element_types = *new std::string(ElementTypes::all().text());
  static const auto& pattern_types = *new std::string(ElementTypes::integers().text());
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

// A child of a fork does not have the thread that may be filling the table.
[[maybe_unused]] const int kAtFork = pthread_atfork([] { plugin(); }, nullptr, nullptr);

}  // namespace
}  // namespace reshape::optimized

extern "C" const reshape_plugin* reshape_plugin_entry(void) {
  return &reshape::optimized::plugin();
}
