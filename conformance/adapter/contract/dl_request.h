#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conformance/abi/reshape_plugin.h"
#include "conformance/adapter/memory/call_site.h"
#include "conformance/adapter/memory/guarded_buffer.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// Forms of one request that mean the same.
struct RequestForm {
  bool pattern_null = false;     // an empty pattern comes with a null pointer
  bool pattern_offset = false;   // the pattern lies behind a byte_offset
  bool pattern_strides = false;  // the pattern's dense strides are written out
  bool later_struct = false;     // the struct is larger, as that of a caller of a later version
};

// A Request as it crosses the C contract. Every array that is handed over (sizes, strides, pattern
// values, the dialect's name, the message) stands in a guarded buffer of its own, against the page
// behind it, so that reading one entry too many faults. What the implementation has to leave alone is
// read-only, so that a write faults even where it changes nothing. Written afresh for every call.
class DlRequest {
 public:
  DlRequest();

  // Takes over the dialect, the sizes, the pattern and the flag. The data has no pointer and no
  // strides yet.
  void take(const Request& request);

  // Where the data lies. `strides` null: handed over as null, which means dense.
  void data_at(void* pointer, std::uint64_t byte_offset, const Strides* strides);
  // Where the output goes. Precondition as above; `pointer` is null for a view.
  void output_at(ElementType type, const Shape& shape, void* pointer, std::uint64_t byte_offset,
                 const Strides* strides);
  // In another form, which means the same. As a struct without any of it until this is called.
  void in_form(const RequestForm& form) { form_ = form; }
  // The last step before a call: writes all arrays, and fills the message with bytes that end no
  // text. False when there is no memory.
  bool arm();

  const reshape_request* request() const { return &request_.now; }
  DLTensor* output() { return &output_; }
  reshape_message* message() const;

  // What has to be the same after the call. Of a view's output the pointer, the offset and the
  // strides are the implementation's to set.
  std::span<const Argument> arguments(CallKind call);
  // Every buffer above, for the canaries.
  void append_buffers(std::vector<const GuardedBuffer*>& buffers) const;

 private:
  // An array at the end of its page.
  struct Array {
    // plain: the implementation may write in it. twofold: it may not.
    explicit Array(const char* name, GuardedBuffer::Mapped mapped = GuardedBuffer::Mapped::twofold)
        : buffer(name, mapped) {}
    template <typename T>
    T* write(std::span<const T> values, std::int64_t alignment = alignof(T),
             Probe::Placement placement = Probe::Placement::back);
    GuardedBuffer buffer;
  };

  DLTensor tensor(ElementType type, std::size_t rank) const;
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
  // As a caller of a later version has it: with members behind it that this version does not know.
  struct LaterRequest {
    reshape_request now{};
    std::uint64_t appended[2] = {~std::uint64_t{0}, ~std::uint64_t{0}};
  };
  LaterRequest request_{};
  std::vector<Argument> arguments_;
};

}  // namespace reshape::conformance
