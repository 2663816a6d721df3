#include <optional>
#include <span>

#include "conformance/adapter/examine/watches/bytes_changed.h"
#include "conformance/adapter/examine/watches/watch.h"

namespace reshape::conformance {
namespace {

// Duty C8. Gaps are between strided elements, before an offset, and in unused halves of bytes of a
// 4-bit output. Duty C21 where data and output share the buffer: bytes outside of the output's
// elements belong to the data.
class OutputGaps : public Watch {
 public:
  void after(const CallSite& site, Status, std::vector<Observation>& seen) override {
    if (site.output == nullptr || site.must_refuse) return;
    const OutputSite& out = *site.output;
    const auto change = changed(out);
    if (!change) return;
    const bool shared = out.shared;
    const char* half = change->half ? " (half of it belongs to the output)" : "";
    seen.push_back({CaughtBy::output_gaps, Plane::memory, shared ? Duty::C21 : Duty::C8,
                    "byte " + std::to_string(change->at) +
                        (shared ? " of the buffer that data and output share" + std::string(half) +
                                      ", not the output's,"
                                : " of the output's buffer" + std::string(half) + ", a gap,") +
                        " changed from " + hex(change->was) + " to " + hex(change->is)});
  }

 private:
  static std::optional<ChangedByte> changed(const OutputSite& out) {
    const std::span<const std::byte> bytes = out.buffer->bytes();
    if (!out.before.empty()) {
      return changed_gap(out.type, *out.layout, out.extent, bytes, out.before);
    }
    if (out.buffer->sparse()) {
      return changed_gap_in(out.buffer->parts(), out.type, *out.layout, out.extent, bytes,
                            out.filling);
    }
    return changed_gap(out.type, *out.layout, out.extent, bytes, out.filling);
  }
};

}  // namespace

WatchPtr watch_output_gaps() { return std::make_unique<OutputGaps>(); }

}  // namespace reshape::conformance
