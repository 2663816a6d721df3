// Compares the reference's rules with the optimized ones, clause by clause, and both with
// counting.h.
#include "optimized/resolve.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "conformance/text/line.h"
#include "fuzz/engine/clause_counters.h"
#include "fuzz/engine/finding.h"
#include "fuzz/input/bytes.h"
#include "fuzz/input/decode.h"
#include "fuzz/targets/counting.h"
#include "reference/reshape.h"
#include "reference/resolve.h"
#include "reference/tensor/declared_dialects.h"
#include "reference/tensor/dialect_questions.h"

namespace reshape::fuzz {
namespace {

using conformance::Request;
using optimized::Resolved;

// Large enough for the pattern of any decoded request.
using Room = std::array<std::int64_t, 64>;

std::string text_of(const Resolved& answer, std::span<const std::int64_t> sizes) {
  switch (answer.kind) {
    case Resolved::Kind::produces: return "produces " + text_of_sizes(sizes);
    case Resolved::Kind::rejects: return std::string("rejects ") + id(answer.clause);
    case Resolved::Kind::open: break;
  }
  return std::string("open at ") + id(answer.clause) + ": " + text_of_sizes(sizes) +
         (answer.takes ? ", produced" : ", refused");
}

// The first difference between the two answers; null where they are equal in every part.
const char* difference(const Ruling& ruling, const Resolved& answer,
                       std::span<const std::int64_t> sizes) {
  switch (ruling.kind) {
    case Ruling::Kind::produces:
      if (answer.kind != Resolved::Kind::produces) return "answer";
      return std::ranges::equal(ruling.shape.sizes(), sizes) ? nullptr : "shape";
    case Ruling::Kind::rejects:
      if (answer.kind != Resolved::Kind::rejects) return "answer";
      return ruling.clause == id(answer.clause) ? nullptr : "clause";
    case Ruling::Kind::unspecified: break;
  }
  if (answer.kind != Resolved::Kind::open) return "answer";
  if (ruling.clause != id(answer.clause)) return "clause";
  const auto& permitted = ruling.permitted.front().sizes;
  if (permitted.size() != sizes.size()) return "shape";
  for (std::size_t at = 0; at < sizes.size(); ++at) {
    const bool open = static_cast<std::int32_t>(at) == answer.open_size;
    if (open != !permitted[at] || (!open && *permitted[at] != sizes[at])) return "shape";
  }
  const bool takes = reference::decide(ruling).kind == Ruling::Kind::produces;
  return takes == answer.takes ? nullptr : "choice";
}

// Whether this input uses changed rules, which the line of a request cannot express.
bool g_rules_changed = false;

[[noreturn]] void tell(std::string_view who, const Request& request, const Ruling& ruling,
                       const char* kind, const std::string& answered) {
  report({token_for(who, request, ruling, "shape", kind), conformance::print_line(request),
          text(ruling),
          g_rules_changed ? answered + " (the dialect's answers were changed: replay the input)"
                          : answered});
}

template <typename Value>
void compare(const Dialect& dialect, const Request& request, const Ruling& ruling,
             std::span<const Value> pattern) {
  static Room room;
  const std::span<std::int64_t> sizes = std::span(room).first(pattern.size());
  const ShapePattern& asked = request.pattern;
  const auto rank = asked.tensor_shape ? static_cast<std::int32_t>(asked.tensor_shape->rank()) : 1;
  const Resolved answer =
      optimized::resolve(dialect,
                         optimized::Asked<Value>{request.data_type, request.data.sizes(),
                                                 asked.type, pattern, rank, request.special_zero},
                         sizes);
  if (const char* kind = difference(ruling, answer, sizes)) {
    tell("optimized", request, ruling, kind, text_of(answer, sizes));
  }
}

// Converts the pattern to 64 bits where it fits, for the optimized rules' 64-bit instance.
bool narrow(const ShapePattern& pattern, Room& narrowed) {
  constexpr PatternValue kLow = std::numeric_limits<std::int64_t>::min();
  constexpr PatternValue kHigh = std::numeric_limits<std::int64_t>::max();
  for (std::size_t at = 0; at < pattern.values.size(); ++at) {
    if (pattern.values[at] < kLow || pattern.values[at] > kHigh) return false;
    narrowed[at] = static_cast<std::int64_t>(pattern.values[at]);
  }
  return true;
}

// Recording a derivation must not change the answer. Only checked in replays, because it is slow.
void check_derivation(const Dialect& dialect, const Request& request,
                      const reference::Question& question, const Ruling& ruling) {
  reference::Derivation derivation;
  const Ruling again = reference::resolve(dialect, question, &derivation);
  if (again != ruling) tell("reference", request, ruling, "derivation", text(again));
  if (derivation.empty()) tell("reference", request, ruling, "derivation", "no step");
}

// A document with one or two of its declared rules changed, as another document might declare them.
// This reaches combinations of rules that no built-in document has.
const Dialect& answered_otherwise(const Dialect& dialect, std::uint32_t turn) {
  static Dialect other;
  other = dialect;
  const auto next = [&turn](std::uint32_t count) {
    const std::uint32_t chosen = turn % count;
    turn /= count;
    return chosen;
  };
  const auto answer_one = [&] {
    const std::span<const DialectQuestion> questions = dialect_questions();
    const DialectQuestion& question = questions[next(static_cast<std::uint32_t>(questions.size()))];
    const auto count = static_cast<std::uint32_t>(question.answers.size());
    question.set(other, question.answers[next(count)].value);
  };
  answer_one();
  answer_one();
  return other;
}

}  // namespace

void test(Bytes bytes) {
  static Request request;
  static reference::Question question;
  decode(bytes, request);
  question.data_type = request.data_type;
  question.data = request.data;
  question.pattern = request.pattern;
  question.special_zero = request.special_zero;
  const Dialect& declared = *declared_dialect(request.dialect);
  // One input in sixteen uses changed rules.
  const std::uint32_t turn = turn_of(bytes);
  const Dialect& dialect = turn % 16 == 0 ? answered_otherwise(declared, turn / 16) : declared;
  g_rules_changed = &dialect != &declared;
  about_to_ask("reference", request, {}, "shape");
  const Ruling ruling = reference::resolve(dialect, question);
  count_clause(request, ruling);
  if (const char* wrong = wrong_by_counting(dialect, question, ruling)) {
    tell("reference", request, ruling, "count", wrong);
  }
  if (g_remember_subject) check_derivation(dialect, request, question, ruling);
  about_to_ask("optimized", request, ruling, "shape");
  const std::vector<PatternValue>& values = request.pattern.values;
  compare<PatternValue>(dialect, request, ruling, values);
  static Room narrowed;
  if (narrow(request.pattern, narrowed)) {
    compare<std::int64_t>(dialect, request, ruling, std::span(narrowed).first(values.size()));
  }
}

}  // namespace reshape::fuzz
