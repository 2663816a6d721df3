// Laws about a Reshape of a Reshape.
#include <algorithm>
#include <utility>

#include "conformance/model/payload.h"
#include "conformance/property/laws/answers.h"
#include "conformance/property/laws/laws.h"
#include "conformance/property/shape_pairs.h"

namespace reshape::conformance::laws {
namespace {

using Sizes = std::vector<std::int64_t>;

Sizes sizes_of(const Shape& shape) { return {shape.begin(), shape.end()}; }

Shape with_ones(const Shape& shape, Choices& choices) {
  return conformance::with_ones(shape, choices.between(1, 2), choices);
}

// Another shape of as many elements.
Shape on_the_way(const Shape& data, const Shape& output, Choices& choices) {
  Sizes sizes = sizes_of(choices.chance(50) ? data : output);
  const std::optional<std::int64_t> count = element_count(data);
  switch (choices.below(3)) {
    case 0:
      if (count) return Shape{*count};
      break;
    case 1: return with_ones(Shape(std::move(sizes)), choices);
    default: break;
  }
  std::reverse(sizes.begin(), sizes.end());
  return Shape(std::move(sizes));
}

// The request with one payload only, since these laws compare the elements of two requests.
Request telling(Request request, Choices& choices) {
  if (!request.elements) {
    request.payload = choices.chance(50) ? Payload::distinct : Payload::hard;
  }
  return request;
}

std::string over(const Request& request) {
  return text(request.data) + " to " + text_of_pattern(request) + ": ";
}

// Asks `next` with the elements of `before` as data, and compares shape and elements with `right`.
Trial compare_chain(Request next, const Outcome& before, const Outcome& right, const Shape& shape,
                    PropertyCheck& property) {
  const auto elements = elements_of(before, next.data_type);
  if (elements && writable(next)) {
    next.elements = elements;
    next.payload.reset();
  } else {
    next.shape_only = true;
  }
  if (!property.promised(next, shape)) {
    return Trial::discarded("a request on the way is not promised");
  }
  const Outcome after = property.ask(next);
  if (!produced(after) || after.shape != shape) {
    return Trial::broken(over(next) + text(after) + " instead of " + text(shape));
  }
  if (next.shape_only) return Trial::held();
  if (elements_of(after, next.data_type) != elements_of(right, next.data_type)) {
    return Trial::broken(over(next) + "other elements than on the direct way");
  }
  return Trial::held();
}

}  // namespace

Trial volume_kept(const Request& input, PropertyCheck& property) {
  const Outcome outcome = property.ask(input);
  if (outcome.kind != Outcome::Kind::produced) return Trial::discarded("no shape is produced");
  const auto asked = element_count(input.data);
  const auto came = element_count(outcome.shape);
  if (asked == came) return Trial::held();
  return Trial::broken(text(input.data) + " became " + text(outcome.shape));
}

Trial composition(const Request& asked, PropertyCheck& property) {
  const Request input = telling(asked, property.choices());
  const Outcome direct = property.ask(input);
  if (!produced(direct)) return Trial::discarded("no shape is produced");
  const Shape middle = on_the_way(input.data, direct.shape, property.choices());
  Request first = property.plain(input, input.data, middle);
  first.strides = input.strides;
  first.offset = input.offset;
  first.payload = input.payload;
  if (!property.promised(first, middle)) {
    return Trial::discarded("the shape on the way is not promised");
  }
  const Outcome half = property.ask(first);
  if (!produced(half) || half.shape != middle) {
    return Trial::broken(over(first) + text(half) + " instead of " + text(middle));
  }
  return compare_chain(property.plain(input, middle, direct.shape), half, direct, direct.shape,
                       property);
}

Trial round_trip(const Request& asked, PropertyCheck& property) {
  const Request input = telling(property.dense(asked), property.choices());
  const Outcome there = property.ask(input);
  if (!produced(there)) return Trial::discarded("no shape is produced");
  Request stay = property.plain(input, input.data, input.data);
  stay.payload = input.payload;
  if (!property.promised(stay, input.data))
    return Trial::discarded("no pattern type holds the data's own sizes");
  const Outcome right = property.ask(stay);
  if (!produced(right) || right.shape != input.data) {
    return Trial::broken(over(stay) + text(right) + " instead of the same");
  }
  return compare_chain(property.plain(input, there.shape, input.data), there, right, input.data,
                       property);
}

Trial ones_inserted(const Request& asked, PropertyCheck& property) {
  const Request input = telling(property.dense(asked), property.choices());
  const Outcome without = property.ask(input);
  if (!produced(without)) return Trial::discarded("no shape is produced");
  const Shape data = with_ones(input.data, property.choices());
  const Shape output = with_ones(without.shape, property.choices());
  Request with = property.plain(input, data, output);
  with.payload = input.payload;
  if (!property.promised(with, output)) {
    return Trial::discarded("these sizes cannot be asked for, or are not promised");
  }
  const Outcome outcome = property.ask(with);
  if (!produced(outcome) || outcome.shape != output) {
    return Trial::broken(over(with) + text(outcome) + " instead of " + text(output));
  }
  if (elements_of(outcome, input.data_type) == elements_of(without, input.data_type)) {
    return Trial::held();
  }
  return Trial::broken(over(with) + "other elements than without the 1s");
}

Trial idempotent(const Request& asked, PropertyCheck& property) {
  const Request input = telling(property.dense(asked), property.choices());
  const Outcome once = property.ask(input);
  if (!produced(once)) return Trial::discarded("no shape is produced");
  Request twice = input;
  twice.data = once.shape;
  return compare_chain(std::move(twice), once, once, once.shape, property);
}

Trial batch_permutation(const Request& input, PropertyCheck& property) {
  const auto count = element_count(input.data);
  if (!writable(input) || *count == 0 || *count > 512) {
    return Trial::discarded("too large to write its elements out");
  }
  const Outcome one = property.ask(telling(property.dense(input), property.choices()));
  if (!produced(one)) return Trial::discarded("no shape is produced");
  const std::int64_t batch = property.choices().between(2, 4);
  Sizes data = sizes_of(input.data);
  Sizes output = sizes_of(one.shape);
  data.insert(data.begin(), batch);
  output.insert(output.begin(), batch);
  Request request = property.plain(input, Shape(std::move(data)), Shape(std::move(output)));
  if (!property.promised(request)) return Trial::discarded("ranks that high are not promised");
  std::vector<std::uint64_t> elements;
  for (std::int64_t at = 0; at < batch * *count; ++at) {
    elements.push_back(payload_bits(Payload::distinct, input.data_type, at));
  }
  request.elements = elements;
  const Outcome before = property.ask(request);
  std::rotate(elements.begin(), elements.begin() + *count, elements.end());
  request.elements = elements;
  const Outcome after = property.ask(request);
  auto right = elements_of(before, input.data_type);
  if (!produced(before) || !right) return Trial::broken(over(request) + text(before));
  std::rotate(right->begin(), right->begin() + *count, right->end());
  if (produced(after) && elements_of(after, input.data_type) == right) return Trial::held();
  return Trial::broken(over(request) + "the parts of the output do not follow those of the data");
}

}  // namespace reshape::conformance::laws
