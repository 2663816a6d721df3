#include "reference/reshape.h"

#include <optional>
#include <utility>
#include <vector>

namespace reshape::reference {
namespace {

// The shape, if exactly one is permitted and all its sizes are known.
std::optional<Shape> definite_shape(const std::vector<PermittedShape>& permitted) {
  if (permitted.size() != 1) return std::nullopt;
  Shape shape;
  for (const auto& size : permitted.front().sizes) {
    if (!size) return std::nullopt;
    shape.append(*size);
  }
  return shape;
}

}  // namespace

Ruling decide(Ruling ruling) {
  if (ruling.kind != Ruling::Kind::unspecified) return ruling;
  auto shape = definite_shape(ruling.permitted);
  // `clause` names only the first open point; the count may be above 2^63-1 as well.
  if (shape && element_count(*shape)) return Ruling::produces(std::move(*shape));
  return Ruling::rejects(std::move(ruling.clause));
}

// clause: content.kept
void copy_elements(const TensorView& from, const MutableTensorView& to) {
  const std::int64_t count = element_count(from.layout.shape).value_or(0);
  const ElementType type = from.type;
  RowMajorWalk read(from.layout);
  RowMajorWalk write(to.layout);
  // Two walks in row-major order, a step at a time: the n-th element read is the n-th written.
  for (std::int64_t done = 0; done < count; ++done) {
    store_element(type, to.base, write.position(), load_element(type, from.base, read.position()));
    read.next();
    write.next();
  }
}

}  // namespace reshape::reference
