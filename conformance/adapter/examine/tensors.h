#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "conformance/adapter/contract/dl_request.h"
#include "conformance/adapter/memory/call_site.h"
#include "conformance/adapter/memory/guarded_buffer.h"
#include "conformance/adapter/memory/tensor_image.h"
#include "conformance/model/capabilities.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// The tensors of one request: placed and filled anew for every call, and passed in a DlRequest. The
// buffers are reused from request to request.
class Tensors {
 public:
  explicit Tensors(const Capabilities& capabilities) : capabilities_(capabilities) {}

  // `request` must live until the next take().
  void take(const Request& request);

  // The extent of the data's buffer without a prefix; nothing if it cannot be placed (no strides,
  // too large).
  const std::optional<Extent>& data_extent() const { return data_extent_; }
  std::int64_t packed_size() const;  // of the data's elements in bytes

  // Prepares an inference. with_data: passes a pointer to readable but unfilled memory, and the
  // request's strides; else neither.
  void for_inference(bool with_data, const RequestForm& form);

  // Prepares an execution as the probe says. `out` is the output's layout, and must outlive the use
  // of output(). False when there is no memory.
  bool for_execution(const Probe& probe, const Layout& out);

  // The last step: writes the arrays that are passed, and makes the input read-only. False when
  // there is no memory.
  bool arm();

  DlRequest& arguments() { return arguments_; }
  const GuardedBuffer& data() const { return data_; }
  // What the watches need to know of the current call. Its `shape` is not set.
  CallSite site();
  // Whether the current output holds the probe's payload in row-major order.
  bool written_as_placed() const;
  // The last bytes of the output's buffer, at most 256 KiB: what threads write last.
  std::span<const std::byte> end_of_output() const;
  // Whether these elements of a view, row-major and packed, are that payload.
  bool are_as_placed(std::span<const std::byte> elements) const;
  // Restores what the output's own buffer held before the call, so that the next call has to write
  // it again.
  void wipe_output();
  bool is_wiped() const;  // all of that buffer
  // Inverts the bits of the element in the middle of the output's own buffer, which then holds the
  // right answer but there.
  void change_middle();
  // The data's elements as they are now, row-major and packed.
  std::vector<std::byte> data_elements() const;
  // Inverts the lowest bit of one element of the data, as its owner may between two calls.
  void change_data();
  // The output of the execution at hand; in place it is the data's buffer.
  const OutputSite& output() const { return output_site_; }

 private:
  bool place_data(const Probe& probe);
  void fill_data(const Probe& probe);
  bool packed_fills_data() const;
  void hand_over_data(const Probe& probe);
  bool place_output(const Probe& probe, const Layout& out);
  void tell_gaps_apart();
  void data_as_output(const Probe& probe, const Shape& shape);
  bool place_in_data(const Probe& probe, const Layout& out);
  void leave_output_open(const Shape& shape);
  std::int64_t prefix(bool by_offset) const;
  std::uint64_t offset_bytes(std::int64_t elements) const;

  const Capabilities& capabilities_;
  DlRequest arguments_;
  GuardedBuffer data_{kNameOfData, GuardedBuffer::Mapped::twofold};
  GuardedBuffer output_{"output"};
  std::vector<const GuardedBuffer*> buffers_;  // of the current call

  const Request* request_ = nullptr;
  std::int64_t alignment_ = 1;
  std::optional<Layout> data_layout_;
  std::optional<Extent> data_extent_;
  std::vector<std::byte> packed_;  // the payload last used
  std::pair<Payload, int> packed_of_{Payload::distinct, -1};

  CallKind kind_ = CallKind::infer;
  Probe probe_;
  bool data_given_ = false;
  Extent placed_;  // of the data in the current call
  OutputSite output_site_;
  Layout in_place_layout_;
  std::vector<std::byte> before_;  // what the output's buffer held before the call, if not one byte
  Strides unset_;
};

}  // namespace reshape::conformance
