#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace reshape {

// The sizes of a tensor, outermost first. Sizes only: every entry is >= 0, and -1 or a copying 0
// never stands here (that is a ShapePattern). A rank of 0 is a scalar with one element.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::int64_t> sizes) : sizes_(sizes) {}
  explicit Shape(std::vector<std::int64_t> sizes) : sizes_(std::move(sizes)) {}

  std::size_t rank() const { return sizes_.size(); }
  std::int64_t operator[](std::size_t axis) const { return sizes_[axis]; }
  std::span<const std::int64_t> sizes() const { return sizes_; }
  auto begin() const { return sizes_.begin(); }
  auto end() const { return sizes_.end(); }
  void append(std::int64_t size) { sizes_.push_back(size); }
  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  std::vector<std::int64_t> sizes_;
};

// True when some size is 0, so that the tensor has no elements.
bool is_empty(const Shape& shape);

// The product of the sizes, or nothing when it is above 2^63-1. A 0 anywhere gives 0, however large
// the other sizes are; a scalar has 1.
std::optional<std::int64_t> element_count(const Shape& shape);

// "[2,150,4]"; a scalar is "[]".
std::string text(const Shape& shape);
std::string text_of_sizes(std::span<const std::int64_t> values);

}  // namespace reshape
