#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/self/spoil.h"

// The words of mutants that get the shape wrong: what is right, and what a mistaken reading makes of it.
namespace reshape::conformance::self {

// What the reference answers: a shape, or a refusal with the clause that it names.
struct RightAnswer {
  reshape_status status = RESHAPE_OK;
  Sizes sizes;
  std::string clause;  // "volume.kept"; empty unless it is refused

  bool produces() const { return status == RESHAPE_OK; }
  bool refused_for(std::string_view this_clause) const { return clause == this_clause; }
};
RightAnswer right_answer(const reshape_request& request, reshape_message* why);

// What a mistaken reading makes of a request.
class Misreading {
 public:
  // The right answer stands.
  static Misreading none() { return Misreading(Kind::none, {}); }
  static Misreading refusal() { return Misreading(Kind::refusal, {}); }
  static Misreading of(Sizes sizes) { return Misreading(Kind::shape, std::move(sizes)); }
  // A shape where there is one, else the right answer.
  static Misreading perhaps(std::optional<Sizes> sizes) {
    return sizes ? of(*std::move(sizes)) : none();
  }

  bool is_none() const { return kind_ == Kind::none; }
  bool is_refusal() const { return kind_ == Kind::refusal; }
  const Sizes& sizes() const { return sizes_; }

 private:
  enum class Kind { none, refusal, shape };
  Misreading(Kind kind, Sizes sizes) : kind_(kind), sizes_(std::move(sizes)) {}
  Kind kind_;
  Sizes sizes_;
};

reshape_status answer_inference(const RightAnswer& right, const Misreading& instead,
                                reshape_shape* shape, reshape_message* why);
reshape_status answer_execution(const reshape_request& request, const Misreading& instead,
                                DLTensor* output, reshape_message* why);

// Answers what read(asked, right) makes of a request. A shape is executed by copying what fits.
template <typename Read>
void misreads(reshape_plugin& table, Read) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const RightAnswer right = right_answer(*request, why);
    return answer_inference(right, Read{}(Asked(*request), right), shape, why);
  };
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    const RightAnswer right = right_answer(*request, why);
    return answer_execution(*request, Read{}(Asked(*request), right), output, why);
  };
}

// Refuses what it should not where which(asked, right sizes) says so.
template <typename Which>
void refuses_where(reshape_plugin& table, Which) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    if (!right.produces() || !Which{}(asked, right.sizes)) return Misreading::none();
    return Misreading::refusal();
  });
}

// Produces another shape than the right one: change(asked, sizes) changes the right sizes.
template <typename Change>
void reshapes_otherwise(reshape_plugin& table, Change) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    if (!right.produces()) return Misreading::none();
    Sizes sizes = right.sizes;
    Change{}(asked, sizes);
    return Misreading::of(std::move(sizes));
  });
}

// A pattern with its zeros copied, as sizes, with 1 where the -1 stands.
struct PlainPattern {
  Sizes sizes;
  std::optional<std::size_t> minus_one;
  Sizes with(std::int64_t inferred) const;
};
// Nothing where a value cannot be a size, or where there are several -1.
std::optional<PlainPattern> plain_pattern(const Asked& asked);

Sizes sizes_of(const Shape& shape);

// The product in the arithmetic of Number, which wraps around or rounds.
template <typename Number>
Number product_in(const Sizes& sizes) {
  if constexpr (std::is_floating_point_v<Number>) {
    Number product = 1;
    for (const std::int64_t size : sizes) product *= static_cast<Number>(size);
    return product;
  } else {
    std::uint64_t product = 1;
    for (const std::int64_t size : sizes) product *= static_cast<std::uint64_t>(size);
    return static_cast<Number>(product);
  }
}

// Both volumes in the arithmetic of Number: equal ones are the same to it.
template <typename Number>
Misreading compares_volumes_in(const Asked& asked, const RightAnswer& right) {
  if (!right.produces() && !right.refused_for("volume.kept")) return Misreading::none();
  const auto plain = plain_pattern(asked);
  if (!plain || plain->minus_one) return Misreading::none();
  if (product_in<Number>(plain->sizes) != product_in<Number>(sizes_of(asked.data))) {
    return Misreading::refusal();
  }
  return Misreading::of(plain->sizes);
}

// The request has one -1, data with elements, and known sizes that are not 0; its right answer rests
// on the division alone.
std::optional<PlainPattern> division(const Asked& asked, const RightAnswer& right);

// The -1 as divide(count of the data, product of the known sizes) gives it, negative for a refusal.
template <typename Divide>
void infers(reshape_plugin& table, Divide) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = division(asked, right);
    if (!plain) return Misreading::none();
    const std::int64_t size = Divide{}(sizes_of(asked.data), plain->sizes);
    return size < 0 ? Misreading::refusal() : Misreading::of(plain->with(size));
  });
}

template <typename Number>
void compares_in(reshape_plugin& table) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    return compares_volumes_in<Number>(asked, right);
  });
}

}  // namespace reshape::conformance::self
