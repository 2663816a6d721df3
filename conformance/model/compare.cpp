#include "conformance/model/compare.h"

#include <algorithm>
#include <unordered_map>

#include "conformance/model/payload.h"
#include "conformance/model/poison_bits.h"
#include "conformance/model/same_bytes.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {
namespace {

// As many digits as the type has: 0x5 for four bits, 0x3f800000 for 32.
std::string hexadecimal(std::uint64_t value, ElementType type) {
  std::string form = "0x";
  for (int shift = bits(type) - 4; shift >= 0; shift -= 4) {
    form += "0123456789abcdef"[(value >> shift) & 0xf];
  }
  return form;
}

// "element 4 [1,1]": the position, and the same as an index where there is more than one axis.
std::string element(std::int64_t position, const Shape& shape) {
  std::string form = "element " + std::to_string(position);
  if (shape.rank() < 2) return form;
  std::vector<std::int64_t> index(shape.rank());
  std::int64_t rest = position;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    index[axis] = rest % shape[axis];
    rest /= shape[axis];
  }
  return form + " " + text_of_sizes(index);
}

std::vector<std::int64_t> first_in_each_place(const Request& request) {
  if (!request.strides || is_empty(request.data) ||
      request.strides->size() != request.data.rank()) {
    return {};
  }
  const Layout layout = data_layout(request);
  // Nested strides share no place. The check below also finds none in other layouts without
  // overlap.
  if (strides_nest(layout)) return {};
  std::vector<std::int64_t> first;
  RowMajorWalk walk(layout);
  // Elements that share places usually have fewer places than elements: then use an array by place.
  const ElementRange range = touched(layout);
  const bool few = range.count() <= 4 * *element_count(layout.shape);
  std::vector<std::int64_t> by_place(few ? static_cast<std::size_t>(range.count()) : 0, -1);
  std::unordered_map<std::int64_t, std::int64_t> of_many;
  do {
    const std::int64_t place = walk.position();
    std::int64_t& holder = few ? by_place[static_cast<std::size_t>(place - range.first)]
                               : of_many.try_emplace(place, -1).first->second;
    if (holder < 0) holder = std::ssize(first);
    first.push_back(holder);
  } while (walk.next());
  return first;
}

}  // namespace

RightElements::RightElements(const Request& request, Shape shape,
                             const std::vector<std::uint64_t>* answer)
    : request_(request),
      type_(request.data_type),
      shape_(std::move(shape)),
      count_(element_count(shape_).value_or(0)),
      answer_(answer) {}

std::uint64_t RightElements::bits_at(std::int64_t position, Payload payload, int round) const {
  const auto index = static_cast<std::size_t>(position);
  if (answer_) return (*answer_)[index];
  if (first_there_ && index < first_there_->size()) position = (*first_there_)[index];
  return request_.elements ? (*request_.elements)[static_cast<std::size_t>(position)]
                           : payload_bits(payload, type_, position, round);
}

bool RightElements::places_are_apart() {
  if (!first_there_) first_there_ = first_in_each_place(request_);
  return first_there_->empty();
}

const std::vector<std::byte>& RightElements::packed(Payload payload, int round) {
  auto [entry, fresh] = laid_out_.try_emplace({payload, round});
  if (!fresh) return entry->second;
  const bool apart = places_are_apart();
  std::vector<std::byte>& bytes = entry->second;
  bytes.resize(static_cast<std::size_t>(bytes_for(type_, count_)));
  if (!answer_ && !request_.elements && apart) {
    fill_payload(payload, type_, round, count_, bytes);
    return bytes;
  }
  for (std::int64_t position = 0; position < count_; ++position) {
    store_element(type_, bytes.data(), position, bits_at(position, payload, round));
  }
  return bytes;
}

bool RightElements::holds_earlier(const Execution& execution, std::span<const Execution> before) {
  constexpr std::size_t kTelling = 4;  // bytes
  if (answer_ || request_.elements || execution.elements.size() < kTelling) return false;
  return std::any_of(before.begin(), before.end(), [&](const Execution& earlier) {
    const Probe& probe = earlier.probe;
    return probe.payload != Payload::zeros && earlier.status == Status::ok &&
           same_bytes(execution.elements, packed(probe.payload, probe.round));
  });
}

const std::vector<std::byte>& RightElements::of(const Execution& execution) {
  return packed(execution.probe.payload, execution.probe.round);
}

std::vector<std::byte> RightElements::came(const Execution& execution) const {
  if (!execution.as_placed) return execution.elements;
  std::vector<std::byte> placed(static_cast<std::size_t>(bytes_for(type_, count_)));
  fill_payload(execution.probe.payload, type_, execution.probe.round, count_, placed);
  return placed;
}

std::optional<Difference> RightElements::difference(const Execution& execution) {
  const std::vector<std::uint64_t>* written = answer_             ? answer_
                                              : request_.elements ? &*request_.elements
                                                                  : nullptr;
  if (written && static_cast<std::int64_t>(written->size()) != count_) {
    return Difference{std::to_string(written->size()) + " elements",
                      std::to_string(count_) + " elements"};
  }
  const Probe& probe = execution.probe;
  if (execution.as_placed && !written && places_are_apart()) return std::nullopt;
  const std::vector<std::byte>& right = of(execution);
  if (execution.as_placed) {
    Execution spelled_out;
    spelled_out.probe = probe;
    spelled_out.elements = came(execution);
    return difference(spelled_out);
  }
  if (execution.elements.size() != right.size()) {
    return Difference{std::to_string(right.size()) + " bytes of elements",
                      std::to_string(execution.elements.size()) + " bytes of elements"};
  }
  if (same_bytes(execution.elements, right)) return std::nullopt;

  std::int64_t first = -1;
  std::int64_t differing = 0, untouched = 0;
  // A child's output never lay in poisoned memory.
  const bool poisoned = probe.ask != Probe::Ask::sent;
  const std::uint64_t poison = poison_bits(probe.poison, type_);
  for (std::int64_t position = 0; position < count_; ++position) {
    const std::uint64_t came = load_element(type_, execution.elements.data(), position);
    if (load_element(type_, right.data(), position) == came) continue;
    if (differing++ == 0) first = position;
    if (poisoned && came == poison) ++untouched;
  }
  if (differing == 0) return std::nullopt;  // only the unused half of the last byte differs

  const std::string place = element(first, shape_);
  const std::uint64_t came = load_element(type_, execution.elements.data(), first);
  // An element of few bits may be wrong and equal the poison by chance, but hardly all.
  const std::string is = " is " + hexadecimal(came, type_);
  const std::string what = untouched == differing       ? " holds the poison: never written"
                           : poisoned && came == poison ? is + ", which the output held before, too"
                                                        : is;
  return Difference{place + " is " + hexadecimal(load_element(type_, right.data(), first), type_),
                    place + what + ", " + std::to_string(differing) + " of " +
                        std::to_string(count_) + " differ"};
}

}  // namespace reshape::conformance
