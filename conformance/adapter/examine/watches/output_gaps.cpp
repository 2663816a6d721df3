#include "conformance/adapter/examine/watches/bytes_changed.h"
#include "conformance/adapter/examine/watches/watch.h"

namespace reshape::conformance {
namespace {

// Duty C8. Gaps lie between strided elements, before an offset, and in the halves of bytes that a
// 4-bit output does not use.
class OutputGaps : public Watch {
 public:
  void before(const CallSite&) override {}
  void after(const CallSite& site, Status, std::vector<Observation>& seen) override {
    if (site.output == nullptr || site.must_refuse) return;
    const OutputSite& out = *site.output;
    const auto change =
        out.buffer->sparse()
            ? changed_gap_in(out.buffer->parts(), out.type, *out.layout, out.extent,
                             out.buffer->bytes(), out.filling)
            : changed_gap(out.type, *out.layout, out.extent, out.buffer->bytes(), out.filling);
    if (!change) return;
    const char* what = change->half ? " (half of it belongs to the output)" : "";
    seen.push_back({CaughtBy::output_gaps, Plane::memory, Duty::C8,
                    "byte " + std::to_string(change->at) + " of the output's buffer" + what +
                        ", a gap, changed from " + hex(change->was) + " to " + hex(change->is)});
  }
};

}  // namespace

WatchPtr watch_output_gaps() { return std::make_unique<OutputGaps>(); }

}  // namespace reshape::conformance
