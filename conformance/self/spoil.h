#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/abi/reshape_plugin.h"
#include "conformance/self/mutant.h"
#include "reference/tensor/element_type.h"
#include "reference/tensor/layout.h"
#include "reference/tensor/shape_pattern.h"

// The vocabulary of rows: a right implementation, and ways to spoil what it does.
namespace reshape::conformance::self {

// Concatenates the parts of a sentence.
template <typename... Parts>
std::string said(const Parts&... parts) {
  std::ostringstream sentence;
  (sentence << ... << parts);
  return sentence.str();
}

// The table of the reference, which every mutant starts from.
const reshape_plugin& right();

// The elements of a tensor by their row-major position, wherever its strides put them.
class Elements {
 public:
  explicit Elements(const DLTensor& tensor);

  std::int64_t count() const { return static_cast<std::int64_t>(positions_.size()); }
  ElementType type() const { return type_; }
  std::uint64_t get(std::int64_t at) const;
  void set(std::int64_t at, std::uint64_t bits);
  void swap(std::int64_t a, std::int64_t b);
  // Every element becomes change(its bits).
  template <typename Change>
  void each(Change change) {
    for (std::int64_t at = 0; at < count(); ++at) set(at, change(get(at)));
  }

 private:
  ElementType type_;
  std::byte* base_;
  std::vector<std::int64_t> positions_;  // of each element, counted from base_
};

Shape shape_of(const DLTensor& tensor);
Layout layout_of(const DLTensor& tensor);
bool empty(const DLTensor& tensor);            // no elements
bool walks_backwards(const DLTensor& tensor);  // some stride is negative
std::byte* start_of(const DLTensor& tensor);
// Bytes from the start to behind the last element. Precondition: not empty, no negative strides.
std::int64_t bytes_of(const DLTensor& tensor);

// A request that can be changed before it is passed on.
class Asked {
 public:
  explicit Asked(const reshape_request& request);

  std::int32_t special_zero;
  std::string dialect;
  ElementType data_type;
  ElementType
      pattern_type;  // changing it reads the same bytes as another type: see read_pattern_as
  std::vector<PatternValue> pattern;
  Shape data;
  Shape pattern_shape;

  // Reinterprets the pattern's bytes as another type of the same width.
  void read_pattern_as(ElementType type);

  // Whether a 0 of the pattern copies: by the flag, or by the document without a flag.
  bool zero_copies() const;
  std::size_t minus_ones() const;
  // The pattern with its zeros copied where they copy (1 where the data has no such size); a -1
  // stays.
  std::vector<PatternValue> with_zeros_copied() const;

  // As it was asked.
  const reshape_request& original() const { return original_; }
  // The request with what was changed above; valid as long as this.
  const reshape_request* request();

 private:
  const reshape_request& original_;
  reshape_request changed_;
  DLTensor pattern_tensor_;
  std::vector<std::int64_t> pattern_sizes_;
  std::vector<std::byte> pattern_bytes_;
};

// Infers correctly, then answers change(status, call), also after a refusal.
Steps infers_then(std::function<reshape_status(reshape_status, const Inference&)> change);

// Infers correctly, then spoils the shape: change(request, shape). Not called on a refusal.
Steps after_infer(std::function<void(const reshape_request&, reshape_shape&)> change);

// Executes correctly, then spoils the output: change(request, output). Not called on a refusal.
Steps after_execute(std::function<void(const reshape_request&, DLTensor&)> change);

// Calls `task` before each call, then answers correctly.
Steps before_each_call(std::function<void()> task);

// Answers another request correctly: change(asked) changes the request first.
Steps misunderstand(std::function<void(Asked&)> change);

// Leaks `size` bytes.
void lose(std::size_t size);

using Sizes = std::vector<std::int64_t>;

reshape_status write_shape(const Sizes& sizes, const Inference& call);
// Copies as many elements as both sides have.
reshape_status copy_what_fits(const DLTensor& data, DLTensor& output);

}  // namespace reshape::conformance::self
