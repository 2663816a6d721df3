// Checks copy plans without copying: every position of the output is written exactly once, from the
// element that row-major order gives; the plan touches exactly the bytes that it states; where a
// view is possible, it has the same elements as the copy.
#include "optimized/plan.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/text/line.h"
#include "fuzz/engine/finding.h"
#include "fuzz/targets/to_copy.h"
#include "reference/tensor/layout.h"

namespace reshape::fuzz {
namespace {

using conformance::Request;
using optimized::AliasPlan;
using optimized::ByteRange;
using optimized::CopyPlan;
using optimized::Loop;

constexpr std::int64_t kMostElements = 1 << 14;
constexpr std::int64_t kNobody = std::numeric_limits<std::int64_t>::min();

class Plans {
 public:
  Plans(const Request& request, const Ruling& ruling, const Layout& data)
      : request_(request), ruling_(ruling), data_(data) {}

  void check(const std::optional<Layout>& output) {
    const Layout to = output ? *output : row_major(ruling_.shape);
    const Result<CopyPlan> copy = optimized::plan_copy(request_.data_type, data_, to);
    if (!copy) tell("refused", "a plan", copy.error().text());
    check_copy(*copy, to);
    for (const bool alias_allowed : {true, false}) {
      const auto planned =
          optimized::plan({request_.data_type, data_, ruling_.shape, output, alias_allowed});
      if (!planned) tell("refused", "a plan", planned.error().text());
      if (const auto* alias = std::get_if<AliasPlan>(&*planned)) {
        if (!alias_allowed) tell("alias", "a copy, since no view is allowed", "a view");
        check_alias(*alias, output);
      } else {
        check_copy(std::get<CopyPlan>(*planned), to);
      }
    }
  }

 private:
  [[noreturn]] void tell(const char* kind, const std::string& expected,
                         const std::string& answered) {
    report({token_for("optimized", request_, ruling_, "memory", kind),
            conformance::print_line(request_), expected, answered});
  }

  // The position in memory of each element of the data, in row-major order.
  const std::vector<std::int64_t>& sources() {
    if (sources_.empty() && !is_empty(data_.shape)) sources_ = positions_of(data_);
    return sources_;
  }

  static std::vector<std::int64_t> positions_of(const Layout& layout) {
    std::vector<std::int64_t> positions;
    RowMajorWalk walk(layout);
    do {
      positions.push_back(walk.position());
    } while (walk.next());
    return positions;
  }

  // Records for every output position from `first_` on which position it is read from. A nest
  // counts in units of its own size, which may be a whole byte that holds two packed elements.
  void walk(const optimized::LoopNest& nest, std::span<const Loop> loops, std::int64_t read,
            std::int64_t write) {
    if (loops.empty()) return mark(nest.bits, read, write);
    for (std::int64_t step = 0; step < loops.front().count; ++step) {
      walk(nest, loops.subspan(1), read + step * loops.front().source_stride,
           write + step * loops.front().destination_stride);
    }
  }

  void mark(int nest_bits, std::int64_t read, std::int64_t write) {
    const int together = nest_bits / bits(request_.data_type);
    for (int i = 0; i < together; ++i) {
      const std::int64_t place = write * together + i - first_;
      if (place < 0 || std::cmp_greater_equal(place, written_.size())) {
        tell("outside", "positions of the output only", "position " + std::to_string(place));
      }
      std::int64_t& source = written_[static_cast<std::size_t>(place)];
      if (source != kNobody) {
        tell("written-twice", "each position once", "position " + std::to_string(place) + " twice");
      }
      source = read * together + i;
    }
  }

  void check_copy(const CopyPlan& plan, const Layout& to) {
    check_range(plan.read_bytes, data_, "read");
    check_range(plan.write_bytes, to, "written");
    if (is_empty(to.shape)) {
      if (plan.nest.loops.size() != 1 || plan.nest.loops.front().count != 0) {
        tell("empty", "one loop of count 0", optimized::dump(plan));
      }
      return;
    }
    if (plan.nest.bits % bits(request_.data_type) != 0) {
      tell("width", "whole elements", optimized::dump(plan));
    }
    const ElementRange range = touched(to);
    first_ = range.first;
    written_.assign(static_cast<std::size_t>(range.count()), kNobody);
    for (optimized::SeamWalk seams(plan.seams); seams.more(); seams.next()) {
      const optimized::SeamWalk::Run& run = seams.run();
      for (std::int64_t step = 0; step < run.loop.count; ++step) {
        walk(plan.nest, plan.nest.loops,
             plan.nest.read_offset + run.read_offset + step * run.loop.source_stride,
             plan.nest.write_offset + run.write_offset + step * run.loop.destination_stride);
      }
    }
    check_sources(to);
  }

  void check_sources(const Layout& to) {
    const std::vector<std::int64_t> places = positions_of(to);
    std::size_t found = 0;
    for (std::size_t at = 0; at < places.size(); ++at) {
      const std::int64_t source = written_[static_cast<std::size_t>(places[at] - first_)];
      if (source == kNobody) {
        tell("not-written", "every position", "element " + std::to_string(at) + " is not written");
      }
      if (source != sources()[at]) {
        tell("source", "element " + std::to_string(at) + " from " + std::to_string(sources()[at]),
             "from " + std::to_string(source));
      }
      ++found;
    }
    const auto written = static_cast<std::size_t>(std::count_if(
        written_.begin(), written_.end(), [](std::int64_t source) { return source != kNobody; }));
    if (written != found) {
      tell("gap-written", std::to_string(found) + " positions", std::to_string(written));
    }
  }

  // The plan must state exactly the bytes that the layout touches.
  void check_range(const ByteRange& said, const Layout& layout, const std::string& side) {
    const ElementRange range = touched(layout);
    const int width = bits(request_.data_type);
    ByteRange right;
    if (range.count() > 0) {
      right = {range.first * width / 8, (range.last * width + width + 7) / 8};
    }
    if (said == right || (said.empty() && right.empty())) return;
    tell("range", side + " bytes " + std::to_string(right.begin) + ".." + std::to_string(right.end),
         std::to_string(said.begin) + ".." + std::to_string(said.end));
  }

  void check_alias(const AliasPlan& alias, const std::optional<Layout>& output) {
    if (alias.layout.shape != ruling_.shape) {
      tell("alias", text(ruling_.shape), text(alias.layout.shape));
    }
    // A view has to have the requested output layout, if any, from the same base.
    if (output && !is_empty(ruling_.shape) && positions_of(alias.layout) != positions_of(*output)) {
      tell("alias", "the layout asked for", text_of_sizes(alias.layout.strides));
    }
    if (is_empty(ruling_.shape)) return;
    const std::vector<std::int64_t> seen = positions_of(alias.layout);
    for (std::size_t at = 0; at < seen.size(); ++at) {
      if (seen[at] == sources()[at]) continue;
      tell("alias", "element " + std::to_string(at) + " at " + std::to_string(sources()[at]),
           "at " + std::to_string(seen[at]));
    }
  }

  const Request& request_;
  const Ruling& ruling_;
  const Layout& data_;
  std::vector<std::int64_t> sources_;
  std::vector<std::int64_t> written_;
  std::int64_t first_ = 0;
};

}  // namespace

void test(Bytes bytes) {
  const std::optional<ToCopy> asked = to_copy(bytes, kMostElements);
  if (!asked) return;
  const auto& [request, ruling, elements] = *asked;
  const Layout data = conformance::data_layout(request);
  std::optional<Layout> output;
  if (request.out_strides) output = {ruling.shape, *request.out_strides, request.out_offset};
  about_to_ask("optimized", request, ruling, "memory");
  Plans(request, ruling, data).check(output);
}

}  // namespace reshape::fuzz
