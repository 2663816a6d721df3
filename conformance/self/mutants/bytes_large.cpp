// Copies so large that another way is taken, and what gets lost on it.
#include "conformance/self/displace.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

// From Bytes bytes on the last element is not written.
template <std::int64_t Bytes>
void loses_the_last_from(reshape_plugin& table) {
  leaves(
      table, [](const Walk&, const Walk& out) { return out.bytes() >= Bytes; },
      [](const Walk&, const Walk& out, std::int64_t at) { return at == out.count() - 1; });
}

}  // namespace

MUTANT("last-lost-from-2-MiB", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-8-mib-and-one"),
       Says("from 2 MiB on the last element is not written")) {
  loses_the_last_from<2 << 20>(table);
}

MUTANT("last-lost-from-4-MiB", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-8-mib-and-one"),
       Says("from 4 MiB on the last element is not written")) {
  loses_the_last_from<4 << 20>(table);
}

MUTANT("last-lost-from-8-MiB", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-8-mib-and-one"),
       Says("from 8 MiB on the last element is not written")) {
  loses_the_last_from<8 << 20>(table);
}

MUTANT("large-gaps-read-densely", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-rows-with-gaps"),
       Says("from 1 MiB on rows with gaps are read without them")) {
  takes_another(
      table, [](const Walk& data, const Walk&) { return data.bytes() >= (1 << 20) && data.gaps(); },
      [](const Walk& data, const Walk&, std::int64_t at) {
        const std::int64_t row = at / data.last_size(0);
        return at > row ? at - row : at;
      });
}

MUTANT("large-transposes-in-strips", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-transpose"),
       Says("transposes from 1 MiB on go in strips of 128 columns, and the second begins late")) {
  takes_another(
      table,
      [](const Walk& data, const Walk&) { return data.bytes() >= (1 << 20) && data.permuted(); },
      [](const Walk& data, const Walk&, std::int64_t at) {
        return at % data.last_size(0) == 128 ? at - 1 : at;
      });
}

MUTANT("large-outputs-with-gaps-short", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-output-with-gaps"),
       Says("from 1 MiB on the last row of an output with gaps is not written")) {
  leaves(
      table, [](const Walk&, const Walk& out) { return out.bytes() >= (1 << 20) && out.gaps(); },
      [](const Walk&, const Walk& out, std::int64_t at) {
        return at >= out.count() - out.last_size(0);
      });
}

}  // namespace reshape::conformance::self
