#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/tensor/shape.h"

namespace reshape {

// A shape that an unspecified situation permits. An absent size stands for any size >= 0 ("*").
struct PermittedShape {
  std::vector<std::optional<std::int64_t>> sizes;

  static PermittedShape exactly(const Shape& shape);
  bool admits(const Shape& shape) const;
  friend bool operator==(const PermittedShape&, const PermittedShape&) = default;
};

// What a document answers to a request. There are three answers, not two.
struct Ruling {
  enum class Kind : std::uint8_t { produces, rejects, unspecified };

  Kind kind = Kind::rejects;
  Shape shape;                            // produces: the output shape
  std::string clause;                     // rejects: the broken one; unspecified: the open one
  bool may_reject = false;                // unspecified only
  std::vector<PermittedShape> permitted;  // unspecified only: the shapes that are not wrong

  static Ruling produces(Shape shape);
  static Ruling rejects(std::string clause);
  static Ruling unspecified(std::string clause, bool may_reject,
                            std::vector<PermittedShape> permitted);
  bool permits_rejecting() const;
  bool permits(const Shape& produced) const;
  friend bool operator==(const Ruling&, const Ruling&) = default;
};

std::string text(const PermittedShape& shape);  // "[0,*]"
// "produces [2,3]", "rejects minus-one.once",
// "unspecified minus-one.beside-copied-zero permits rejects | produces [0,*]"
std::string text(const Ruling& ruling);

}  // namespace reshape
