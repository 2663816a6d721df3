#include "conformance/property/generator.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "conformance/oracle/ruling_of.h"
#include "conformance/property/bends.h"
#include "conformance/property/one_change.h"
#include "conformance/property/patterns.h"
#include "conformance/property/shape_pairs.h"

namespace reshape::conformance {
namespace {

constexpr int kTries = 24;
// Larger requests (after a bend) are asked for their shape only.
constexpr std::int64_t kMostElements = std::int64_t{1} << 21;

// A request that should produce, before anything is broken.
struct Draft {
  Request request;
  Shape output;
  std::string_view family;
  std::optional<Placement> placed_data = {}, placed_output = {};
};

Draft draft(const Dialect& dialect, const Aim& aim, const Abilities& abilities, Choices& choices) {
  const Family& family = draw_family(aim.kind == Ruling::Kind::produces, choices);
  const ShapePair pair = family.draw(choices);
  Draft draft{{}, pair.output, family.name, pair.placed_data, pair.placed_output};
  Request& request = draft.request;
  request.dialect = dialect.name;
  request.data = pair.data;
  request.shape_only = pair.shape_only;
  const ElementTypes types = dialect.data_types & abilities.data_types;
  const ElementTypes preferred = types & family.prefers;
  request.data_type =
      draw_type(preferred.empty() ? types : preferred, choices).value_or(ElementType::f32);
  write_pattern(dialect, pair.output, request, choices, pair.inferred);
  choose_pattern_type(dialect.pattern_types & abilities.pattern_types, request, choices);
  return draft;
}

bool within(const Abilities& abilities, const Request& request, const Shape& output) {
  return abilities.max_rank == 0 ||
         (request.data.rank() <= abilities.max_rank && output.rank() <= abilities.max_rank);
}

// Whether the strides fit: even an empty shape has strides that are products of its other sizes.
bool fits_memory(const Shape& shape) {
  std::int64_t places = 1;
  for (const std::int64_t size : shape) {
    if (size > kMostElements / places) return false;
    places *= std::max<std::int64_t>(size, 1);
  }
  return true;
}

Generated finished(const Dialect& dialect, Draft draft, const Abilities& abilities,
                   Choices& choices) {
  Generated generated;
  generated.ruling = ruling_of(dialect, draft.request);
  generated.aim = aim_of(generated.ruling);
  generated.family = draft.family;
  if (!fits_memory(draft.request.data) || !fits_memory(draft.output)) {
    draft.request.shape_only = true;
  }
  if (draft.placed_data || draft.placed_output) {
    generated.layout =
        lay_out(draft.request, draft.placed_data, draft.placed_output, abilities.layouts);
  } else if (generated.ruling.kind == Ruling::Kind::produces) {
    generated.layout =
        draw_layout(draft.request, generated.ruling.shape, abilities.layouts, choices);
  } else {
    generated.layout = draw_data_layout(draft.request, abilities.layouts, choices);
  }
  generated.request = std::move(draft.request);
  return generated;
}

}  // namespace

Generated generate_in_class(const Dialect& dialect, const Aim& aim, const Abilities& abilities,
                            Choices& choices) {
  std::optional<Draft> candidate;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    candidate = draft(dialect, aim, abilities, choices);
    if (aim.kind != Ruling::Kind::produces &&
        !bend(dialect, aim, abilities.data_types, abilities.pattern_types, candidate->request,
              choices)) {
      continue;
    }
    if (!within(abilities, candidate->request, candidate->output)) continue;
    if (aim_of(ruling_of(dialect, candidate->request)) == aim) {
      return finished(dialect, *std::move(candidate), abilities, choices);
    }
  }
  // No draw was of the class (a fuzzer's bytes ran out, say): use its plainest member.
  Draft plain{{}, Shape{2, 3}, "plain"};
  plain.request = plainest(dialect, aim);
  return finished(dialect, std::move(plain), abilities, choices);
}

std::optional<Generated> generate_changed(const Dialect& dialect, const Generated& before,
                                          const Abilities& abilities, Choices& choices) {
  Draft draft{before.request, {}, before.family};
  for (int attempt = 0; attempt < kTries; ++attempt) {
    draft.request = before.request;
    if (!change_one_thing(dialect, abilities.data_types, abilities.pattern_types, draft.request,
                          choices)) {
      continue;
    }
    const Ruling ruling = ruling_of(dialect, draft.request);
    if (ruling == before.ruling && draft.request.data_type == before.request.data_type) continue;
    if (ruling.kind == Ruling::Kind::produces) draft.output = ruling.shape;
    if (!within(abilities, draft.request, draft.output)) continue;
    return finished(dialect, std::move(draft), abilities, choices);
  }
  return std::nullopt;
}

Generated generate(const Dialect& dialect, const Abilities& abilities, Choices& choices) {
  const std::vector<Aim> aims = aims_of(dialect);
  // Half of the requests produce: only those move bytes.
  if (choices.chance(50)) {
    return generate_in_class(dialect, aims.front(), abilities, choices);
  }
  return generate_in_class(dialect, choices.one_of(aims), abilities, choices);
}

}  // namespace reshape::conformance
