#include "reference/tensor/ruling.h"

#include <algorithm>
#include <utility>

namespace reshape {

PermittedShape PermittedShape::exactly(const Shape& shape) {
  return {{shape.begin(), shape.end()}};
}

bool PermittedShape::admits(const Shape& shape) const {
  if (shape.rank() != sizes.size()) return false;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    if (shape[axis] < 0 || (sizes[axis] && *sizes[axis] != shape[axis])) return false;
  }
  return true;
}

Ruling Ruling::produces(Shape shape) { return {Kind::produces, std::move(shape), {}, false, {}}; }

Ruling Ruling::rejects(std::string clause) {
  return {Kind::rejects, {}, std::move(clause), false, {}};
}

Ruling Ruling::unspecified(std::string clause, bool may_reject,
                           std::vector<PermittedShape> permitted) {
  return {Kind::unspecified, {}, std::move(clause), may_reject, std::move(permitted)};
}

bool Ruling::permits_rejecting() const {
  return kind == Kind::rejects || (kind == Kind::unspecified && may_reject);
}

bool Ruling::permits(const Shape& produced) const {
  if (kind == Kind::produces) return produced == shape;
  return kind == Kind::unspecified &&
         std::any_of(permitted.begin(), permitted.end(),
                     [&](const PermittedShape& one) { return one.admits(produced); });
}

std::string text(const PermittedShape& shape) {
  std::string form = "[";
  for (std::size_t axis = 0; axis < shape.sizes.size(); ++axis) {
    if (axis != 0) form += ',';
    form += shape.sizes[axis] ? std::to_string(*shape.sizes[axis]) : "*";
  }
  return form + ']';
}

std::string text(const Ruling& ruling) {
  switch (ruling.kind) {
    case Ruling::Kind::produces: return "produces " + text(ruling.shape);
    case Ruling::Kind::rejects: return "rejects " + ruling.clause;
    case Ruling::Kind::unspecified: break;
  }
  std::string permits = ruling.may_reject ? "rejects" : "";
  for (const PermittedShape& shape : ruling.permitted) {
    permits += (permits.empty() ? "produces " : " | produces ") + text(shape);
  }
  return "unspecified " + ruling.clause + " permits " + permits;
}

}  // namespace reshape
