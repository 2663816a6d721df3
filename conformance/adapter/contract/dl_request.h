#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conformance/abi/reshape_plugin.h"
#include "conformance/adapter/memory/call_site.h"
#include "conformance/adapter/memory/guarded_buffer.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// A tensor on the CPU that has no pointers yet.
DLTensor dl_tensor(ElementType type, std::size_t rank);
// What reshape_request::special_zero is for the request's flag.
int flag_of(const Request& request);

// Equivalent forms of one request.
struct RequestForm {
  bool pattern_null = false;     // an empty pattern comes with a null pointer
  bool pattern_offset = false;   // the pattern lies behind a byte_offset
  bool pattern_strides = false;  // the pattern's dense strides are written out
  bool later_struct = false;     // struct_size is larger, as from a caller of a later version
};

// A Request in the form of the C contract. Every array that is passed (sizes, strides, pattern
// values, the dialect's name, the message) lies in a guarded buffer of its own, directly before a
// guard page, so that reading one entry too many faults; the name does in one form, and else behind
// one. What the implementation must not change is read-only, so that a write faults even if it
// changes nothing. Rewritten for every call.
class DlRequest {
 public:
  DlRequest();

  // Copies the dialect, the sizes, the pattern and the flag. Afterwards the data has no pointer and
  // no strides.
  void take(const Request& request);

  // Sets where the data lies. `strides` null: passed as null, which means dense.
  void data_at(void* pointer, std::uint64_t byte_offset, const Strides* strides);
  // Sets where the output goes; `pointer` is null for a view.
  void output_at(ElementType type, const Shape& shape, void* pointer, std::uint64_t byte_offset,
                 const Strides* strides);
  // Sets an equivalent form; by default none of its flags are set.
  void in_form(const RequestForm& form) { form_ = form; }
  // The last step before a call: writes all arrays, and fills the message with bytes without a NUL.
  // False when there is no memory.
  bool arm();
  // Before a call is repeated: undoes what the call before changed of the request, of the tensors
  // and of the output's strides. What else is passed is read-only. Precondition: arm() was true.
  void restore();

  const reshape_request* request() const { return &request_.now; }
  DLTensor* output() { return &output_; }
  reshape_message* message() const;

  // What must be unchanged after the call: all arguments, of which a call that makes a view sets the
  // output's pointer, offset and strides.
  std::span<const Argument> arguments(CallKind call);
  // Every buffer above, for the canaries.
  void append_buffers(std::vector<const GuardedBuffer*>& buffers) const;

 private:
  // An array at the end of its page.
  struct Array {
    // plain: the implementation may write to it. twofold: it must not.
    explicit Array(const char* name, GuardedBuffer::Mapped mapped = GuardedBuffer::Mapped::twofold)
        : buffer(name, mapped) {}
    template <typename T>
    T* write(std::span<const T> values, std::int64_t alignment = alignof(T),
             Probe::Placement placement = Probe::Placement::back);
    GuardedBuffer buffer;
  };

  bool pattern_strides_null() const { return !form_.pattern_strides || pattern_shape_.empty(); }

  Array dialect_{"dialect name"};
  Array data_sizes_{"sizes of the data"};
  Array data_strides_{"strides of the data"};
  Array pattern_values_{"pattern"};
  Array pattern_sizes_{"sizes of the pattern"};
  Array pattern_strides_{"strides of the pattern"};
  Array output_sizes_{"sizes of the output"};
  Array output_strides_{"strides of the output", GuardedBuffer::Mapped::plain};  // a view sets them
  Array message_{"message", GuardedBuffer::Mapped::plain};

  // What arm() writes.
  std::string dialect_name_;
  std::vector<std::int64_t> data_shape_, pattern_shape_, output_shape_;
  std::vector<std::int64_t> data_step_, output_step_;
  bool data_strides_null_ = true;
  bool output_strides_null_ = true;
  RequestForm form_;
  std::vector<std::byte> pattern_bytes_;
  std::int64_t pattern_alignment_ = 1;

  DLTensor data_{};
  DLTensor pattern_{};
  DLTensor output_{};
  // As from a caller of a later version: with further members that this version does not know.
  struct LaterRequest {
    reshape_request now{};
    std::uint64_t appended[2] = {~std::uint64_t{0}, ~std::uint64_t{0}};
  };
  LaterRequest request_{};
  // As arm() left them.
  struct Armed {
    LaterRequest request{};
    DLTensor data{}, pattern{}, output{};
  } armed_;
  std::vector<Argument> arguments_;
};

}  // namespace reshape::conformance
