#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/model/request.h"
#include "conformance/property/aim.h"
#include "conformance/property/choices.h"
#include "conformance/property/layouts.h"
#include "reference/tensor/dialect.h"
#include "reference/tensor/ruling.h"

namespace reshape::conformance {

// What the generator may ask for. Defaults: everything.
struct Abilities {
  ElementTypes data_types = ElementTypes::all();
  ElementTypes pattern_types = ElementTypes::all();
  std::size_t max_rank = 0;  // 0: no limit
  LayoutAbilities layouts;
};

// One generated request with what is known of it.
struct Generated {
  Request request;
  Aim aim;                  // the class it was built for, which is the class of `ruling`
  Ruling ruling;            // by the rules of the dialect
  std::string_view family;  // of its shapes
  std::string layout;
};

// Draws the class of the answer first, then builds a request in that class; for a refusal exactly
// one clause is broken. Deterministic in the choices. Requests that are executed span less than
// 2^21 elements, except with sparse layouts, which touch few of them.
Generated generate(const Dialect& dialect, const Abilities& abilities, Choices& choices);

// The same for a class that the caller chooses. Precondition: `aim` is one of aims_of(dialect).
// Where the abilities lack a type that the class needs, the result is the nearest possible request,
// with its actual class in `aim`.
Generated generate_in_class(const Dialect& dialect, const Aim& aim, const Abilities& abilities,
                            Choices& choices);

// `before` with one thing changed and a layout of its own, to find incomplete cache keys. Nothing
// where nothing could be changed.
std::optional<Generated> generate_changed(const Dialect& dialect, const Generated& before,
                                          const Abilities& abilities, Choices& choices);

// Simpler requests of the same class: fewer axes, smaller sizes, no layout, a plain type. In the
// order in which they are worth trying; empty when nothing simpler is known. Taking any of them and
// asking again ends after finitely many steps.
std::vector<Request> simpler(const Dialect& dialect, const Request& request);

// The request with a number of it made `smaller`: the size of an axis, or, behind these, a value of
// the pattern. With a size the values change as simpler() changes them. All have its class.
std::vector<Request> with_number(const Dialect& dialect, const Request& request, std::size_t number,
                                 PatternValue smaller);

}  // namespace reshape::conformance
