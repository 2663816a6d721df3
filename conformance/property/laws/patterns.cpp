// Ways of asking for the same shape.
#include <algorithm>
#include <utility>

#include "conformance/property/laws/answers.h"
#include "conformance/property/laws/laws.h"

namespace reshape::conformance::laws {
namespace {

std::string versus(const Outcome& one, const Outcome& other) {
  return text(one) + ", but " + text(other);
}

bool same_shape(const Outcome& one, const Outcome& other) {
  return one.kind == other.kind && one.shape == other.shape;
}

}  // namespace

Trial minus_one_resolves(const Request& input, PropertyCheck& property) {
  Request request = property.dense(input);
  request.payload = Payload::distinct;
  const Outcome plain_one = property.ask(request);
  if (!produced(plain_one)) return Trial::discarded("no shape is produced");
  const Shape& shape = plain_one.shape;
  if (shape.rank() == 0) return Trial::discarded("a scalar has no size to be inferred");
  const auto axis = static_cast<std::size_t>(property.choices().below(shape.rank()));
  for (std::size_t other = 0; other < shape.rank(); ++other) {
    if (other != axis && shape[other] == 0) {
      return Trial::discarded("beside a size of 0 many sizes fit");
    }
  }
  Request inferred = property.plain(request, input.data, shape);
  inferred.payload = request.payload;
  inferred.pattern.values[axis] = -1;
  property.fit_pattern_type(inferred);
  if (!property.promised(inferred)) return Trial::discarded("no promised pattern type holds a -1");
  const Outcome outcome = property.ask(inferred);
  if (outcome.kind == Outcome::Kind::produced && outcome.shape == shape) return Trial::held();
  return Trial::broken("-1 in place of " + std::to_string(shape[axis]) + ": " +
                       versus(plain_one, outcome));
}

Trial flag_without_zeros(const Request& input, PropertyCheck& property) {
  if (property.dialect().zero != ZeroRule::by_flag || !input.special_zero) {
    return Trial::discarded("no flag is given");
  }
  const auto& values = input.pattern.values;
  if (std::count(values.begin(), values.end(), 0) != 0)
    return Trial::discarded("the pattern has a 0");
  Request request = input;
  request.special_zero = true;
  const Outcome with = property.ask(request);
  request.special_zero = false;
  const Outcome without = property.ask(request);
  if (const auto differing = difference(with, without)) {
    return Trial::broken("special_zero true, and then false: " + *differing);
  }
  return Trial::held();
}

Trial element_type_free(const Request& input, PropertyCheck& property) {
  const ElementTypes known = property.dialect().data_types;
  if (!known.contains(input.data_type)) return Trial::discarded("the type itself is refused");
  Request request = property.dense(input);
  request.shape_only = true;
  request.payload.reset();
  std::optional<Outcome> first;
  for (const ElementType type : known& property.capabilities().element_types) {
    request.data_type = type;
    const Outcome outcome = property.ask(request);
    if (!first) first = outcome;
    if (!same_shape(*first, outcome)) {
      return Trial::broken(std::string(name(type)) + ": " + versus(outcome, *first));
    }
  }
  return first ? Trial::held() : Trial::discarded("no type of this document is promised");
}

}  // namespace reshape::conformance::laws
