#include "conformance/adapter/examine/probes.h"

#include <algorithm>

#include "conformance/model/payload.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {
namespace {

using Ask = Probe::Ask;
using Placement = Probe::Placement;
// odd first: there, canaries on both sides catch what at the guards would end the process.
constexpr Placement kPlacements[] = {Placement::odd, Placement::front, Placement::back};

// Two rounds of a narrow type tell neighbours apart, and what lies a power of two away; any other two
// of a huge tensor's elements look alike once in 65,000 pairs of bytes.
constexpr int kRoundsOfHuge = 2;

// In place and as a view only up to here.
constexpr std::int64_t kLargestShared = 4 * kManyProbes;

// Of what has to be refused in place or into another shape: more elements show nothing else.
constexpr std::int64_t kMostRefused = 4096;

// Overlapping only up to here: more shows nothing else.
constexpr std::int64_t kLargestOverlapped = std::int64_t{2} << 20;

class ProbePlan {
 public:
  ProbePlan(const Request& request, const Capabilities& capabilities, std::int64_t size)
      : request_(request),
        capabilities_(capabilities),
        count_(element_count(request.data).value_or(0)),
        size_(size),
        huge_(size > kManyProbes),
        rounds_(request.elements ? 1 : distinct_rounds(request.data_type, count_)) {}

  std::vector<Probe> plan() && {
    const Ask ask = request_.in_place ? Ask::in_place : Ask::execute;
    if (is_empty(request_.data)) {
      empty(ask);
    } else if (request_.elements) {
      cover(ask, Payload::distinct, 3);
    } else {
      for (Payload payload : {Payload::distinct, Payload::hard, Payload::zeros}) {
        if (!request_.payload || *request_.payload == payload) payload_probes(ask, payload);
      }
    }
    if (ask == Ask::execute) one_allocation();
    if (ask == Ask::execute) in_place();
    if (capabilities_.views && !request_.in_place && !request_.out_strides) view();
    overlap();
    nulls();
    return std::move(probes_);
  }

 private:
  // Each probe differs from the one before in all that does not matter to the answer.
  void add(Ask ask, Payload payload, int round = 0) {
    Probe probe;
    probe.ask = ask;
    probe.payload = payload;
    probe.round = round;
    probe.poison = kPoisons[next_ % 2];
    // Of few probes the second one already has to see reads behind the end.
    probe.placement = huge_ ? kPlacements[next_ % 2 * 2] : kPlacements[next_ % 3];
    probe.explicit_strides = next_ / 2 % 2 != 0;
    // A prefix keeps the data away from the page before it, so every placement comes without one too.
    probe.byte_offset = next_ / 3 % 2 != 0;
    probes_.push_back(probe);
    ++next_;
  }

  void cover(Ask ask, Payload payload, int times) {
    for (int i = 0; i < times; ++i) add(ask, payload);
  }

  void empty(Ask ask) {
    cover(ask, request_.payload.value_or(Payload::distinct), 4);
    probes_.back().null_if_empty = true;
    probes_[probes_.size() - 2].null_if_empty = true;
  }

  void payload_probes(Ask ask, Payload payload) {
    const bool small = size_ <= kAllPlacements;
    const bool huge = huge_;
    switch (payload) {
      case Payload::distinct: return distinct(ask, small, huge);
      case Payload::hard: return cover(ask, payload, small ? 3 : huge ? 1 : 2);
      case Payload::zeros:
        // Zeros show what was never written; a huge tensor's distinct payload does so as well.
        if (!huge || request_.payload) cover(ask, payload, 2);
        return;
    }
  }

  void distinct(Ask ask, bool small, bool huge) {
    const int each = small ? 2 : 1;
    const int least = small ? 3 : 2;
    const int rounds = huge ? std::min(rounds_, kRoundsOfHuge) : rounds_;
    for (int round = 0; round < rounds; ++round) {
      for (int i = 0; i < each; ++i) add(ask, Payload::distinct, round);
    }
    for (int done = rounds * each; done < least && !(huge && done > 0); ++done) {
      add(ask, Payload::distinct);
    }
  }

  // Once more with the output in the data's allocation, behind it.
  void one_allocation() {
    if (count_ == 0 || size_ > kAllPlacements) return;
    add(Ask::execute, telling_payload());
    probes_.back().one_allocation = true;
    probes_.back().byte_offset = false;
  }

  // Declared, and the request allows it: once more with the output on top of the data.
  void in_place() {
    if (!capabilities_.in_place || request_.out_strides || request_.strides) return;
    if (size_ > kLargestShared) return;
    add(Ask::in_place, telling_payload());
  }

  // Declared: once more with the output over a part of the data. Copying in the wrong direction shows at
  // any distance; one element apart shows who moves many at once, half of the data who shares the work.
  void overlap() {
    if (!capabilities_.overlap || request_.in_place || count_ < 2 || size_ > kLargestOverlapped) {
      return;
    }
    // Whole bytes, and the alignment that was asked for.
    const std::int64_t unit = std::max<std::int64_t>(
        1, std::max<std::int64_t>(8, capabilities_.alignment * 8) / bits(request_.data_type));
    const std::int64_t half = count_ / 2 / unit * unit;
    if (unit < count_) add_overlap(unit);
    if (half != 0) add_overlap(-half);
    if (size_ <= kAllPlacements) {
      if (unit < count_) add_overlap(-unit);
      if (half != 0) add_overlap(half);
    }
    if (request_.strides || request_.out_strides) add_overlap(0);
  }

  void add_overlap(std::int64_t shift) {
    add(Ask::overlap, telling_payload(), next_ % rounds_);
    probes_.back().shift = shift;
    probes_.back().byte_offset = false;
  }

  void view() {
    if (size_ > kLargestShared) return;
    const Payload payload = telling_payload();
    const int rounds = payload == Payload::distinct && !huge_ ? rounds_ : 1;
    for (int round = 0; round < rounds; ++round) add(Ask::view, payload, round);
    if (size_ > kAllPlacements) return;
    // A view without the byte offset is right where there is none, and the other way round.
    const bool offset = probes_.back().byte_offset;
    add(Ask::view, payload);
    probes_.back().byte_offset = !offset;
  }

  Payload telling_payload() const { return request_.payload.value_or(Payload::distinct); }

  // An empty pattern comes with a null pointer too, whatever the data is.
  void nulls() {
    if (!request_.pattern.values.empty()) return;
    for (std::size_t i = 0; i < probes_.size(); i += 2) probes_[i].null_if_empty = true;
  }

  const Request& request_;
  const Capabilities& capabilities_;
  const std::int64_t count_;
  const std::int64_t size_;
  const bool huge_;
  const int rounds_;
  std::vector<Probe> probes_;
  int next_ = 0;
};

// Whether what has to be refused comes with the output on top of the data as well: who sees that both are in
// one place may think that there is nothing to do.
bool refused_over_data(const Request& request, const Capabilities& capabilities) {
  const std::int64_t count = element_count(request.data).value_or(0);
  return capabilities.in_place && !request.strides && !request.out_strides && count > 0 &&
         count <= kMostRefused;
}

}  // namespace

std::vector<Probe> probes_for_execution(const Request& request, const Capabilities& capabilities,
                                        std::int64_t size) {
  if (request.shape_only || capabilities.shape_only) return {};
  return ProbePlan(request, capabilities, size).plan();
}

std::vector<Probe> probes_for_refusal(const Request& request, const Capabilities& capabilities) {
  if (request.shape_only || capabilities.shape_only) return {};
  Probe first;
  first.ask = Ask::execute_rejected;
  first.payload = request.payload.value_or(Payload::distinct);
  first.poison = kPoisons[0];
  Probe second = first;
  second.poison = kPoisons[1];
  second.placement = Placement::back;
  second.explicit_strides = true;
  second.null_if_empty = true;
  std::vector<Probe> probes = {first, second};
  if (refused_over_data(request, capabilities)) {
    Probe third = first;
    third.over_data = true;
    probes.push_back(third);
  }
  return probes;
}

std::vector<Probe> probes_of_another_output(const Request& request,
                                            const Capabilities& capabilities,
                                            const Shape& inferred) {
  const std::optional<std::int64_t> count = element_count(inferred);
  if (!capabilities.checks_output || capabilities.shape_only || request.shape_only ||
      request.out_strides || request.out_offset != 0 || !count || *count > kMostRefused) {
    return {};
  }
  Probe probe;
  probe.ask = Probe::Ask::other_output;
  probe.payload = request.payload.value_or(Payload::distinct);
  probe.poison = kPoisons[0];
  probe.placement = Probe::Placement::back;
  std::vector<Probe> probes;
  if (!request.in_place) probes.push_back(probe);
  probe.over_data = refused_over_data(request, capabilities);
  if (probe.over_data) probes.push_back(probe);
  return probes;
}

}  // namespace reshape::conformance
