#pragma once

#include <oneapi/dnnl/dnnl_graph.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

// A StaticReshape as a compiled partition of oneDNN Graph, through its C interface.
namespace onednn_way {

// A oneDNN status that is not success, and the call that returned it.
struct Refused : std::runtime_error {
  Refused(dnnl_status_t code, const char* call)
      : std::runtime_error(std::string(call) + " answered " + name(code)), status(code) {}
  static std::string name(dnnl_status_t code);
  dnnl_status_t status;
};

void check(dnnl_status_t status, const char* call);

// The pattern, for the attribute `shape`, and the flag. Does not own either.
struct Attributes {
  const std::int64_t* shape;  // never null, not even for an empty list
  std::size_t size;
  const std::uint8_t* special_zero;  // null: not set
};

// Owns a oneDNN object, and destroys it with kDestroy, the function for its type.
template <typename Handle, auto kDestroy>
struct Owned {
  Owned() = default;
  explicit Owned(Handle created) : handle(created) {}
  Owned(Owned&& other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~Owned() {
    if (handle != nullptr) kDestroy(handle);
  }
  Handle handle = nullptr;
};

using Partition = Owned<dnnl_graph_partition_t, dnnl_graph_partition_destroy>;

// A contiguous tensor of these sizes, or of those that are known among them.
dnnl_graph_logical_tensor_t of_sizes(std::size_t id, dnnl_data_type_t type, int rank,
                                     const std::int64_t* sizes);

// Whether oneDNN supports the type on this processor: f16 depends on it. Needs no engine.
bool supports(dnnl_data_type_t type);

class Compiled {
 public:
  // Throws Refused. The caller's logical tensors have the ids 0 (source) and 1 (destination). The
  // operation is added with `announced` in place of the source.
  Compiled(const dnnl_graph_logical_tensor_t& announced, const dnnl_graph_logical_tensor_t& source,
           const dnnl_graph_logical_tensor_t& destination, const Attributes& attributes);

  const dnnl_graph_logical_tensor_t& source() const { return source_; }
  // The destination, with the sizes and the layout that compilation gave it.
  const dnnl_graph_logical_tensor_t& destination() const { return destination_; }
  std::size_t destination_bytes() const;
  void execute(void* from, void* to) const;

 private:
  dnnl_graph_logical_tensor_t source_;
  dnnl_graph_logical_tensor_t destination_;
  Partition partition_;
  Owned<dnnl_graph_compiled_partition_t, dnnl_graph_compiled_partition_destroy> compiled_;
};

}  // namespace onednn_way
