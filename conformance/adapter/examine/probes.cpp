#include "conformance/adapter/examine/probes.h"

#include <algorithm>

#include "conformance/model/payload.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {
namespace {

using Ask = Probe::Ask;
using Placement = Probe::Placement;
// odd first: its canaries on both sides detect writes that at a guard page would end the process.
constexpr Placement kPlacements[] = {Placement::odd, Placement::front, Placement::back};

// Two rounds of a narrow type distinguish neighbours and elements a power of two apart; any other
// two bytes of a huge tensor are equal once in 65,000 pairs.
constexpr int kRoundsOfHuge = 2;

// The most bytes for probes in place and as a view.
constexpr std::int64_t kLargestShared = 4 * kManyProbes;

// The most elements for each way of refusing an output, in place and into another shape. Of more,
// up to kManyProbes bytes, another shape is refused once: large copies may go a way of their own.
constexpr std::int64_t kMostRefused = 4096;

// The most bytes for several overlapping probes. Above, one shows whether there is room for what is
// read first.
constexpr std::int64_t kSeveralOverlapped = std::int64_t{2} << 20;

// Elements whose bytes are whole and a multiple of the declared alignment: distances between
// tensors that overlap.
std::int64_t whole_unit(ElementType type, const Capabilities& capabilities) {
  return std::max<std::int64_t>(1,
                                std::max<std::int64_t>(8, capabilities.alignment * 8) / bits(type));
}

// About half of an element's bytes, if an element may begin there; else 0.
std::uint8_t part_of_an_element(ElementType type, const Capabilities& capabilities) {
  const std::int64_t width = bits(type) / 8, alignment = capabilities.alignment;
  if (alignment == 0 || alignment >= width) return 0;
  return static_cast<std::uint8_t>(std::max(alignment, width / 2 / alignment * alignment));
}

class ProbePlan {
 public:
  ProbePlan(const Request& request, const Capabilities& capabilities, std::int64_t size)
      : request_(request),
        capabilities_(capabilities),
        count_(element_count(request.data).value_or(0)),
        size_(size),
        small_(size <= kAllPlacements),
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
  // Adds a probe. Varies everything that must not affect the result.
  void add(Ask ask, Payload payload, int round = 0) {
    Probe probe;
    probe.ask = ask;
    probe.payload = payload;
    probe.round = round;
    probe.poison = kPoisons[next_ % 2];
    // With few probes the second one must already lie before the guard page.
    probe.placement = huge_ ? kPlacements[next_ % 2 * 2] : kPlacements[next_ % 3];
    probe.explicit_strides = next_ / 2 % 2 != 0;
    // A byte offset moves the data away from the front guard page, so every placement also comes
    // without one.
    probe.byte_offset = next_ / 3 % 2 != 0;
    // Data and output of large tensors, which one_allocation() leaves out, lie otherwise in a line
    // every other time. In place and of a view the output has the data's pointer.
    const bool apart = ask == Ask::execute && !small_ && next_ % 2 != 0;
    probe.output_offset = probe.byte_offset != apart;
    // In step with none of them.
    probe.errno_left = (next_ + 1) / 2 % 2 == 0;
    probes_.push_back(probe);
    ++next_;
  }

  void without_offsets() { probes_.back().byte_offset = probes_.back().output_offset = false; }

  void cover(Ask ask, Payload payload, int times) {
    for (int i = 0; i < times; ++i) add(ask, payload);
  }

  void empty(Ask ask) {
    const Payload payload = request_.payload.value_or(Payload::distinct);
    cover(ask, payload, 4);
    probes_.back().null_if_empty = true;
    probes_[probes_.size() - 2].null_if_empty = true;
    // A pointer of no bytes, at the guard page itself.
    add(ask, payload);
    probes_.back().placement = Placement::back;
    probes_.back().explicit_strides = false;
    without_offsets();
  }

  void payload_probes(Ask ask, Payload payload) {
    switch (payload) {
      case Payload::distinct: return distinct(ask);
      case Payload::hard: return cover(ask, payload, small_ ? 3 : huge_ ? 1 : 2);
      case Payload::zeros:
        // Zeros find elements that were never written; for a huge tensor the distinct payload is
        // enough.
        if (!huge_ || request_.payload) cover(ask, payload, 2);
        return;
    }
  }

  void distinct(Ask ask) {
    const int each = small_ ? 2 : 1;
    const int least = small_ ? 3 : 2;
    const int rounds = huge_ ? std::min(rounds_, kRoundsOfHuge) : rounds_;
    for (int round = 0; round < rounds; ++round) {
      for (int i = 0; i < each; ++i) add(ask, Payload::distinct, round);
    }
    for (int done = rounds * each; done < least && !(huge_ && done > 0); ++done) {
      add(ask, Payload::distinct);
    }
  }

  // Twice more with the output in the data's allocation: behind the data, and before it.
  void one_allocation() {
    if (count_ == 0 || !small_) return;
    for (const std::int64_t shift : {0, -1}) {
      add(Ask::execute, telling_payload());
      probes_.back().one_allocation = true;
      probes_.back().shift = shift;
      without_offsets();
    }
  }

  // In place (the output on top of the data), if declared and the request allows it.
  void in_place() {
    if (!capabilities_.in_place || request_.out_strides || request_.strides) return;
    if (size_ > kLargestShared) return;
    add(Ask::in_place, telling_payload());
  }

  // Overlapping, if declared. Copying in the wrong direction shows at any distance; a distance of
  // one element tests vectorized copies, and half of the data those that are split between threads.
  // At the last distance at which both share an element, bounds that are one too small see none,
  // and neither do those that count elements where the data's lie further apart.
  void overlap() {
    if (!capabilities_.overlap || request_.in_place || count_ < 2 || size_ > kLargestShared) {
      return;
    }
    const std::int64_t unit = whole_unit(request_.data_type, capabilities_);
    const std::int64_t half = count_ / 2 / unit * unit;
    if (unit < count_) add_overlap(unit);
    if (size_ > kSeveralOverlapped) return;
    if (half != 0) add_overlap(-half);
    if (small_) {
      if (unit < count_) add_overlap(-unit);
      if (half != 0) add_overlap(half);
      const std::int64_t last = (count_ - 1) / unit * unit;
      if (last > half) {
        add_overlap(last);
        add_overlap(-last);
      }
      if (const std::int64_t spanned = span_of_data() / unit * unit; spanned > last) {
        add_overlap(spanned);
      }
      // Where elements may begin at any of their bytes, those of both need not match.
      const std::uint8_t bytes = part_of_an_element(request_.data_type, capabilities_);
      if (bytes != 0 && unit < count_) {
        add_overlap(unit);
        probes_.back().shift_bytes = bytes;
      }
    }
    if (request_.strides || request_.out_strides) add_overlap(0);
  }

  // How many elements lie between the data's lowest and its highest.
  std::int64_t span_of_data() const {
    if (!request_.strides) return count_ - 1;
    return touched({request_.data, *request_.strides, request_.offset}).count() - 1;
  }

  void add_overlap(std::int64_t shift) {
    add(Ask::overlap, telling_payload(), next_ % rounds_);
    probes_.back().shift = shift;
    without_offsets();
  }

  void view() {
    // Nothing is copied: only the elements count, however far apart they lie.
    if (bytes_for(request_.data_type, count_) > kLargestShared) return;
    const Payload payload = telling_payload();
    const int rounds = payload == Payload::distinct && !huge_ ? rounds_ : 1;
    for (int round = 0; round < rounds; ++round) add(Ask::view, payload, round);
    if (!small_) return;
    // An implementation that ignores byte_offset is right only without one, so both are tried.
    const bool offset = probes_.back().byte_offset;
    add(Ask::view, payload);
    probes_.back().byte_offset = !offset;
    probes_.back().null_if_empty = is_empty(request_.data);
  }

  Payload telling_payload() const { return request_.payload.value_or(Payload::distinct); }

  // An empty pattern is also passed with a null pointer, whatever the data is.
  void nulls() {
    if (!request_.pattern.values.empty()) return;
    for (std::size_t i = 0; i < probes_.size(); i += 2) probes_[i].null_if_empty = true;
  }

  const Request& request_;
  const Capabilities& capabilities_;
  const std::int64_t count_;
  const std::int64_t size_;
  const bool small_, huge_;
  const int rounds_;
  std::vector<Probe> probes_;
  int next_ = 0;
};

// Whether refusals are also tested with the output on top of the data: an implementation that sees
// the same memory may skip its checks.
bool refused_over_data(const Request& request, const Capabilities& capabilities) {
  const std::int64_t count = element_count(request.data).value_or(0);
  return capabilities.in_place && !request.strides && !request.out_strides && count > 0 &&
         count <= kMostRefused;
}

// How many elements behind the data an output begins that overlaps half of it; nothing where that
// is not declared.
std::optional<std::int64_t> half_behind(const Request& request, const Capabilities& capabilities) {
  const std::int64_t count = element_count(request.data).value_or(0);
  if (!capabilities.overlap || request.strides || request.out_strides || count > kMostRefused) {
    return std::nullopt;
  }
  const std::int64_t unit = whole_unit(request.data_type, capabilities);
  const std::int64_t half = count / 2 / unit * unit;
  if (half == 0) return std::nullopt;
  return half;
}

}  // namespace

Probe plain_probe(Probe::Ask ask, const Request& request) {
  return {.ask = ask,
          .payload = request.payload.value_or(Payload::distinct),
          .poison = kPoisons[0],
          .errno_left = true};
}

std::vector<Probe> probes_for_execution(const Request& request, const Capabilities& capabilities,
                                        std::int64_t size) {
  if (request.shape_only || capabilities.shape_only) return {};
  return ProbePlan(request, capabilities, size).plan();
}

std::vector<Probe> probes_for_refusal(const Request& request, const Capabilities& capabilities) {
  if (request.shape_only || capabilities.shape_only) return {};
  Probe first = plain_probe(Ask::execute_rejected, request);
  Probe second = first;
  second.poison = kPoisons[1];
  second.placement = Placement::back;
  second.explicit_strides = true;
  second.null_if_empty = true;
  std::vector<Probe> probes = {first, second};
  if (refused_over_data(request, capabilities)) {
    probes.push_back(first);
    probes.back().over_data = true;
  }
  if (const auto half = half_behind(request, capabilities)) {
    probes.push_back(first);
    probes.back().over_data = true;
    probes.back().shift = *half;
  }
  if (capabilities.views) {
    // Two, so that each of the shapes that a refusal is asked in has one.
    first.ask = Ask::refused_view;
    probes.insert(probes.end(), 2, first);
  }
  return probes;
}

std::vector<Probe> probes_of_another_output(const Request& request,
                                            const Capabilities& capabilities,
                                            const Shape& inferred) {
  const std::optional<std::int64_t> count = element_count(inferred);
  if (!capabilities.checks_output || capabilities.shape_only || request.shape_only ||
      request.out_strides || request.out_offset != 0 || !count ||
      bytes_for(request.data_type, *count) > kManyProbes) {
    return {};
  }
  Probe probe = plain_probe(Ask::other_output, request);
  probe.placement = Placement::back;
  std::vector<Probe> probes;
  if (!request.in_place) {
    // Without strides and then with some, which must not be kept for the next output without any.
    probes.push_back(probe);
    if (*count > kMostRefused) return probes;
    probe.explicit_strides = true;
    probes.push_back(probe);
    probe.explicit_strides = false;
  }
  probe.over_data = refused_over_data(request, capabilities);
  if (probe.over_data) probes.push_back(probe);
  if (const auto half = half_behind(request, capabilities); half && !request.in_place) {
    probes.push_back(probe);
    probes.back().over_data = true;
    probes.back().shift = *half;
  }
  if (capabilities.views && !request.in_place) {
    probe.over_data = false;
    probe.ask = Ask::refused_view;
    probes.push_back(probe);
  }
  if (is_empty(request.data)) {
    // And each with null pointers: who sees that there is nothing to copy may skip the checks.
    for (Probe null : std::vector(probes)) {
      null.null_if_empty = true;
      probes.push_back(null);
    }
  }
  return probes;
}

}  // namespace reshape::conformance
