#include "partition.h"

#include <oneapi/dnnl/dnnl.h>

namespace onednn_way {
namespace {

// One engine and one stream for the process, created at first use. Never destroyed, so that the
// order of destructors at the end of the process does not matter.
struct Device {
  dnnl_engine_t engine = nullptr;
  dnnl_stream_t stream = nullptr;

  Device() {
    check(dnnl_engine_create(&engine, dnnl_cpu, 0), "dnnl_engine_create");
    check(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags), "dnnl_stream_create");
  }
};

const Device& device() {
  static const Device& only = *new Device;
  return only;
}

using Op = Owned<dnnl_graph_op_t, dnnl_graph_op_destroy>;
using Graph = Owned<dnnl_graph_graph_t, dnnl_graph_graph_destroy>;
using Tensor = Owned<dnnl_graph_tensor_t, dnnl_graph_tensor_destroy>;

}  // namespace

std::string Refused::name(dnnl_status_t code) {
  switch (code) {
    case dnnl_out_of_memory: return "out_of_memory";
    case dnnl_invalid_arguments: return "invalid_arguments";
    case dnnl_unimplemented: return "unimplemented";
    case dnnl_runtime_error: return "runtime_error";
    case dnnl_invalid_graph_op: return "invalid_graph_op";
    case dnnl_invalid_shape: return "invalid_shape";
    case dnnl_invalid_data_type: return "invalid_data_type";
    default: return "status " + std::to_string(code);
  }
}

void check(dnnl_status_t status, const char* call) {
  if (status != dnnl_success) throw Refused(status, call);
}

Partition partition_of(const dnnl_graph_logical_tensor_t& source,
                       const dnnl_graph_logical_tensor_t& destination,
                       const Attributes& attributes) {
  Op op;
  check(dnnl_graph_op_create(&op.handle, 0, dnnl_graph_op_static_reshape, "reshape"), "op_create");
  check(dnnl_graph_op_set_attr_s64(op.handle, dnnl_graph_op_attr_shape, attributes.shape,
                                   attributes.size),
        "op_set_attr_s64(shape)");
  if (attributes.special_zero != nullptr) {
    check(dnnl_graph_op_set_attr_bool(op.handle, dnnl_graph_op_attr_special_zero,
                                      attributes.special_zero, 1),
          "op_set_attr_bool(special_zero)");
  }
  check(dnnl_graph_op_add_input(op.handle, &source), "op_add_input");
  check(dnnl_graph_op_add_output(op.handle, &destination), "op_add_output");

  Graph graph;
  check(dnnl_graph_graph_create(&graph.handle, dnnl_cpu), "graph_create");
  check(dnnl_graph_add_op(graph.handle, op.handle), "add_op");
  check(dnnl_graph_graph_finalize(graph.handle), "graph_finalize");
  check(dnnl_graph_graph_filter(graph.handle, dnnl_graph_partition_policy_fusion), "graph_filter");
  std::size_t partitions = 0;
  check(dnnl_graph_graph_get_partition_num(graph.handle, &partitions), "get_partition_num");
  if (partitions != 1) throw Refused(dnnl_unimplemented, "get_partition_num (not one)");
  Partition partition;
  check(dnnl_graph_graph_get_partitions(graph.handle, 1, &partition.handle), "get_partitions");
  std::uint8_t supported = 0;
  check(dnnl_graph_partition_is_supported(partition.handle, &supported), "is_supported");
  if (supported == 0) throw Refused(dnnl_unimplemented, "partition_is_supported");
  return partition;
}

dnnl_graph_logical_tensor_t of_sizes(std::size_t id, dnnl_data_type_t type, int rank,
                                     const std::int64_t* sizes) {
  dnnl_graph_logical_tensor_t logical;
  check(dnnl_graph_logical_tensor_init_with_dims(&logical, id, type, rank, sizes,
                                                 dnnl_graph_layout_type_strided,
                                                 dnnl_graph_tensor_property_variable),
        "logical_tensor_init_with_dims");
  return logical;
}

bool supports(dnnl_data_type_t type) {
  const std::int64_t one = 1;
  const std::uint8_t special_zero = 0;
  const dnnl_graph_logical_tensor_t source = of_sizes(0, type, 1, &one);
  const dnnl_graph_logical_tensor_t destination = of_sizes(1, type, 1, &one);
  try {
    partition_of(source, destination, {&one, 1, &special_zero});
    return true;
  } catch (const Refused&) {
    return false;
  }
}

Compiled::Compiled(const dnnl_graph_logical_tensor_t& announced,
                   const dnnl_graph_logical_tensor_t& source,
                   const dnnl_graph_logical_tensor_t& destination, const Attributes& attributes)
    : source_(source),
      destination_(destination),
      partition_(partition_of(announced, destination, attributes)) {
  check(dnnl_graph_compiled_partition_create(&compiled_.handle, partition_.handle),
        "compiled_partition_create");
  const dnnl_graph_logical_tensor_t* in = &source_;
  const dnnl_graph_logical_tensor_t* out = &destination_;
  check(dnnl_graph_partition_compile(partition_.handle, compiled_.handle, 1, &in, 1, &out,
                                     device().engine),
        "partition_compile");
  check(dnnl_graph_compiled_partition_query_logical_tensor(compiled_.handle, destination.id,
                                                           &destination_),
        "query_logical_tensor");
}

std::size_t Compiled::destination_bytes() const {
  std::size_t bytes = 0;
  check(dnnl_graph_logical_tensor_get_mem_size(&destination_, &bytes), "get_mem_size");
  return bytes;
}

void Compiled::execute(void* from, void* to) const {
  Tensor source, destination;
  check(dnnl_graph_tensor_create(&source.handle, &source_, device().engine, from), "tensor_create");
  check(dnnl_graph_tensor_create(&destination.handle, &destination_, device().engine, to),
        "tensor_create");
  const_dnnl_graph_tensor_t in = source.handle;
  const_dnnl_graph_tensor_t out = destination.handle;
  check(dnnl_graph_compiled_partition_execute(compiled_.handle, device().stream, 1, &in, 1, &out),
        "compiled_partition_execute");
  check(dnnl_stream_wait(device().stream), "stream_wait");
}

}  // namespace onednn_way
