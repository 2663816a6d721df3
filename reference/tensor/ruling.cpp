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

Ruling Ruling::produces(Shape shape) {
  Ruling ruling;
  ruling.kind = Kind::produces;
  ruling.shape = std::move(shape);
  return ruling;
}

Ruling Ruling::rejects(std::string clause) {
  Ruling ruling;
  ruling.kind = Kind::rejects;
  ruling.clause = std::move(clause);
  return ruling;
}

Ruling Ruling::unspecified(std::string clause, bool may_reject,
                           std::vector<PermittedShape> permitted) {
  Ruling ruling;
  ruling.kind = Kind::unspecified;
  ruling.clause = std::move(clause);
  ruling.may_reject = may_reject;
  ruling.permitted = std::move(permitted);
  return ruling;
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
  std::string form = "unspecified " + ruling.clause + " permits ";
  bool first = true;
  if (ruling.may_reject) {
    form += "rejects";
    first = false;
  }
  for (const PermittedShape& shape : ruling.permitted) {
    form += (first ? "produces " : " | produces ") + text(shape);
    first = false;
  }
  return form;
}

}  // namespace reshape
