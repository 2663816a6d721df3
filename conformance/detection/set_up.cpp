#include "conformance/detection/set_up.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace reshape::conformance {
namespace {

constexpr std::size_t kFewRequests = 3;
constexpr std::ptrdiff_t kFewExecutions = 8;
// For so many that fail one of another request may pass, with no condition on requests.
constexpr std::ptrdiff_t kOneIn = 20;

bool null_data_strides(const Executed& one) {
  return !one.probe.explicit_strides && !one.request->strides;
}
bool null_output_strides(const Executed& one) {
  return !one.probe.explicit_strides && !one.request->out_strides;
}
bool data_offset(const Executed& one) { return one.probe.byte_offset || one.request->offset != 0; }
// Behind the data in one allocation the output is reached by its byte_offset.
bool output_offset(const Executed& one) {
  return one.probe.output_offset || (one.probe.one_allocation && one.probe.shift == 0) ||
         one.request->out_offset != 0;
}

struct Facet {
  const char* words;
  bool (*of)(const Executed&);
  // Some with it may pass: which side of the data is written first does not matter at any distance.
  bool some = false;
};

// What is true of data and output together goes before what is true of one of them: where each fits
// as well, it is not known which matters.
constexpr Facet kFacets[] = {
    {"strides that are null",
     [](const Executed& one) { return null_data_strides(one) && null_output_strides(one); }},
    {"strides of the output that are null", null_output_strides},
    {"strides of the data that are null", null_data_strides},
    {"strides written out",
     [](const Executed& one) { return !null_data_strides(one) && !null_output_strides(one); }},
    {"strides of the output written out",
     [](const Executed& one) { return !null_output_strides(one); }},
    {"strides of the data written out",
     [](const Executed& one) { return !null_data_strides(one); }},
    {"a byte_offset", [](const Executed& one) { return data_offset(one) && output_offset(one); }},
    {"a byte_offset of the output", output_offset},
    {"a byte_offset of the data", data_offset},
    {"no byte_offset",
     [](const Executed& one) { return !data_offset(one) && !output_offset(one); }},
    {"no byte_offset of the output", [](const Executed& one) { return !output_offset(one); }},
    {"no byte_offset of the data", [](const Executed& one) { return !data_offset(one); }},
    {"data and output in one allocation",
     [](const Executed& one) { return one.probe.one_allocation; }},
    {"buffers that begin at a page",
     [](const Executed& one) { return one.probe.placement == Probe::Placement::front; }},
    {"buffers that end at a guard page",
     [](const Executed& one) { return one.probe.placement == Probe::Placement::back; }},
    {"buffers that lie within a page",
     [](const Executed& one) { return one.probe.placement == Probe::Placement::odd; }},
    {"errno set to ERANGE before the call",
     [](const Executed& one) { return one.probe.errno_left; }},
    {"errno cleared before the call", [](const Executed& one) { return !one.probe.errno_left; }},
    {"the values that are hard to keep",
     [](const Executed& one) { return one.probe.payload == Payload::hard; }},
    {"an output that held the bytes a5",
     [](const Executed& one) { return one.probe.poison == 0xa5; }},
    {"an output that held the bytes 5a",
     [](const Executed& one) { return one.probe.poison == 0x5a; }},
    {"an output that begins before the data",
     [](const Executed& one) { return one.probe.shift < 0; }, true},
    {"an output that begins behind the data's start",
     [](const Executed& one) { return one.probe.shift > 0; }, true},
};

}  // namespace

std::optional<SetUp> set_up_behind(std::span<const Executed> executions) {
  std::set<const Request*> fail, both;
  for (const Executed& one : executions) {
    if (one.fails) fail.insert(one.request);
  }
  for (const Executed& one : executions) {
    if (!one.fails && fail.contains(one.request)) both.insert(one.request);
  }
  if (both.size() < kFewRequests) return std::nullopt;
  const bool views = std::ranges::all_of(
      executions, [](const Executed& one) { return one.probe.ask == Probe::Ask::view; });
  const char* calls = views ? "views" : "executions";
  std::optional<SetUp> best;
  std::ptrdiff_t fewest = std::numeric_limits<std::ptrdiff_t>::max();
  for (const Facet& facet : kFacets) {
    std::ptrdiff_t failing = 0, others = 0;        // of the requests that fail
    std::ptrdiff_t with = 0;                       // of these: with it
    std::ptrdiff_t beyond = 0, others_beyond = 0;  // of those that pass: with it, and without
    const bool parts = std::ranges::all_of(executions, [&](const Executed& one) {
      const bool holds = facet.of(one);
      if (!fail.contains(one.request)) {
        ++(holds ? beyond : others_beyond);
        return true;
      }
      with += holds;
      failing += one.fails;
      others += !holds;
      return facet.some ? holds || !one.fails : holds == one.fails;
    });
    const bool enough = failing >= kFewExecutions && others >= kFewExecutions;
    if (!parts || !enough || beyond >= fewest) continue;
    fewest = beyond;
    const bool alone = !facet.some && beyond * kOneIn <= failing;
    const std::string how_many =
        facet.some && with != failing ? fmt::format("{} of {}", failing, with)
        : beyond == 0 || !alone       ? fmt::format("each of {}", failing)
                                      : fmt::format("{} of {}", failing, failing + beyond);
    best = SetUp{fmt::format(", in {} {} {}with {}, and in none of {} others", how_many, calls,
                             alone ? "" : "of these requests ", facet.words,
                             alone ? others + others_beyond : others),
                 alone};
  }
  return best;
}

}  // namespace reshape::conformance
