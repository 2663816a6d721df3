#include "conformance/run/other_types.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "conformance/model/judge.h"
#include "conformance/run/runner.h"

namespace reshape::conformance {
namespace {

constexpr std::string_view kOfPattern = "-pattern";

// What takes megabytes, or lies as far apart, is not asked in a wider type.
constexpr std::int64_t kMostWidened = std::int64_t{1} << 20;  // bytes, or elements apart

bool is_about(const Ruling& answer, std::string_view what) {
  return answer.kind != Ruling::Kind::produces && answer.clause.starts_with(what);
}

bool lies_far_apart(const Request& request) {
  std::vector<std::int64_t> places = {request.offset, request.out_offset};
  for (const std::optional<Strides>& strides : {request.strides, request.out_strides}) {
    if (strides) places.insert(places.end(), strides->begin(), strides->end());
  }
  return std::ranges::any_of(
      places, [](std::int64_t place) { return place > kMostWidened || place < -kMostWidened; });
}

// Whether the request can be laid out in this type, in about as much memory.
bool serves(ElementType type, const Request& request) {
  const bool odd = request.offset % 2 != 0 || request.out_offset % 2 != 0;
  if (bits(type) == 4 && odd) return false;
  if (bits(type) <= bits(request.data_type) || request.shape_only) return true;
  const std::optional<std::int64_t> bytes = data_bytes(request);
  return bytes && *bytes <= kMostWidened && !lies_far_apart(request);
}

// The first is the nearest: not a boolean, of the same width, narrower, of the same kind.
auto distance(ElementType type, ElementType from) {
  const int wider = bits(type) - bits(from);
  return std::tuple(type == ElementType::boolean, wider > 0, std::abs(wider),
                    is_float(type) != is_float(from));
}

// The type that data has where a request has to have some, as Dialect::usual_pattern_type() is of
// patterns. Cases of others are about them: those of 4 bits, and of the highest value of an i16.
constexpr ElementType kUsual = ElementType::f32;

std::optional<ElementType> data_type_for(const Case& written, const Dialect& dialect,
                                         const Capabilities& capabilities) {
  const Request& request = written.request;
  const bool at_stake = is_about(written.expect, "data.type") || request.elements ||
                        written.expect_elements || request.data_type != kUsual ||
                        !dialect.data_types.contains(kUsual);
  if (at_stake) return std::nullopt;
  std::optional<ElementType> nearest;
  for (const ElementType type : dialect.data_types & capabilities.element_types) {
    if (!serves(type, request)) continue;
    if (!nearest || distance(type, request.data_type) < distance(*nearest, request.data_type)) {
      nearest = type;
    }
  }
  return nearest;
}

std::optional<ElementType> pattern_type_for(const Case& written, const Dialect& dialect,
                                            const Capabilities& capabilities) {
  const ShapePattern& pattern = written.request.pattern;
  if (is_about(written.expect, "pattern.type") || pattern.type != dialect.usual_pattern_type()) {
    return std::nullopt;
  }
  for (const ElementType type : dialect.pattern_types & capabilities.pattern_types) {
    if (holds(type, pattern)) return type;
  }
  return std::nullopt;
}

// The case with these types in place of its own; the id tells those that are others.
Case with_types(const Case& written, ElementType data, ElementType pattern) {
  Case other = written;
  const auto set = [&](ElementType& type, ElementType instead, std::string_view behind) {
    if (type == instead) return;
    other.id += kInstead;
    other.id += name(instead);
    other.id += behind;
    type = instead;
  };
  set(other.request.data_type, data, "");
  set(other.request.pattern.type, pattern, kOfPattern);
  return other;
}

}  // namespace

std::optional<Case> in_declared_types(const Case& written, const Dialect& dialect,
                                      const Capabilities& capabilities) {
  std::optional<ElementType> data = written.request.data_type;
  std::optional<ElementType> pattern = written.request.pattern.type;
  const bool declared = capabilities.element_types.contains(*data);
  const bool pattern_declared = capabilities.pattern_types.contains(*pattern);
  if (declared && pattern_declared) return std::nullopt;
  if (!declared) data = data_type_for(written, dialect, capabilities);
  if (!pattern_declared) pattern = pattern_type_for(written, dialect, capabilities);
  if (!data || !pattern) return std::nullopt;
  return with_types(written, *data, *pattern);
}

void ask_in_declared_types(const Suite& suite, const Capabilities& capabilities,
                           std::vector<const Case*>& cases, std::deque<Case>& own) {
  const auto can_be_asked = [&](const Case& one) {
    return !why_unsupported(one.request, expectation_of(one), capabilities);
  };
  // Most implementations have the usual types, and are asked everything as it is written.
  std::map<std::string_view, const Dialect*> without_usual;
  for (const Document& document : suite.documents) {
    const Dialect& dialect = document.dialect;
    const bool has_usual = capabilities.element_types.contains(kUsual) &&
                           capabilities.pattern_types.contains(dialect.usual_pattern_type());
    if (!has_usual) without_usual[dialect.name] = &dialect;
  }
  std::map<std::pair<const Dialect*, std::string_view>, std::vector<const Case**>> lines;
  for (const Case*& one : cases) {
    const auto found = without_usual.find(one->request.dialect);
    if (found != without_usual.end()) lines[{found->second, stem(one->name())}].push_back(&one);
  }
  for (const auto& [line, places] : lines) {
    const bool some = std::ranges::any_of(
        places, [&](const Case* const* place) { return can_be_asked(**place); });
    if (some) continue;
    for (const Case** place : places) {
      std::optional<Case> other = in_declared_types(**place, *line.first, capabilities);
      if (!other || !can_be_asked(*other)) continue;
      *place = &own.emplace_back(*std::move(other));
      break;
    }
  }
}

std::optional<Case> case_in_other_types(const Suite& suite, const std::string& id) {
  const std::string_view written = written_part(id);
  const Document* document = suite.document(id.substr(0, id.find('/')));
  if (written.size() == id.size() || document == nullptr) return std::nullopt;
  const auto found = std::ranges::find(document->cases, written, &Case::id);
  if (found == document->cases.end()) return std::nullopt;
  ElementType data = found->request.data_type, pattern = found->request.pattern.type;
  std::string_view rest = std::string_view(id).substr(written.size());
  while (!rest.empty()) {
    rest.remove_prefix(1);
    std::string_view word = rest.substr(0, rest.find(kInstead));
    rest.remove_prefix(word.size());
    ElementType& into = word.ends_with(kOfPattern) ? pattern : data;
    if (word.ends_with(kOfPattern)) word.remove_suffix(kOfPattern.size());
    const std::optional<ElementType> type = element_type_named(word);
    if (!type) return std::nullopt;
    into = *type;
  }
  Case other = with_types(*found, data, pattern);
  return other.id == id ? std::optional(std::move(other)) : std::nullopt;
}

}  // namespace reshape::conformance
