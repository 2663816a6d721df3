#include "conformance/detection/subject.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/model/another_shape.h"
#include "conformance/model/answered_after.h"
#include "conformance/model/wrong_shape.h"
#include "conformance/run/request_parts.h"
#include "conformance/text/line.h"
#include "reference/tensor/declared_dialects.h"
#include "reference/tensor/zero_copies.h"

namespace reshape::conformance {
namespace {

const Fault* fault_about(const Verdict& verdict, std::initializer_list<Duty> duties) {
  const auto found = std::ranges::find_if(verdict.faults, [&](const Fault& fault) {
    return fault.clause.empty() && std::ranges::find(duties, fault.duty) != duties.end();
  });
  return found == verdict.faults.end() ? nullptr : &*found;
}

bool has_numbers(const std::string& text) {
  return text.find_first_of("0123456789") != std::string::npos;
}

Subject of_duty(Duty duty) { return {"", duty, std::string(breach(duty))}; }

// Which of the arguments was changed, in the words of the watch: "byte 0 changed from 00 to 60 of
// the ndim in the tensor of the output".
Subject of_changed_arguments(const Fault& fault) {
  constexpr std::string_view kOf = " of the ";
  const std::size_t at = fault.answered.find(kOf);
  if (fault.watch != CaughtBy::arguments_unchanged || at == std::string::npos) {
    return of_duty(Duty::C11);
  }
  return {"", Duty::C11, "the call changes the " + fault.answered.substr(at + kOf.size())};
}

// What was changed, in the words of the watch where no numbers are in them.
Subject of_a_changed_process(const Fault& fault) {
  return {"", Duty::C14,
          "the process is not left as it was found: " +
              (has_numbers(fault.answered) ? name(fault.watch) : fault.answered)};
}

// Why an answer of `view` is none, in the words of the examination, where no numbers are in them.
Subject of_no_view(const Fault& fault) {
  if (fault.answered == "unsupported for dense data") return {"", Duty::C12, kMakesNoView};
  return has_numbers(fault.answered) ? of_duty(Duty::C12) : Subject{"", Duty::C12, fault.answered};
}

std::vector<std::int64_t> sizes_of_the_answer(const CaseResult& failure) {
  if (!failure.produced) return negative_sizes(failure.verdict.faults.front().answered);
  const std::span<const std::int64_t> sizes = failure.produced->sizes();
  return {sizes.begin(), sizes.end()};
}

// For a shape that is wrong on some axes only: the clause by which these sizes arise. A wrong
// copied size makes an inferred one wrong as well, so copies go first.
std::optional<Subject> by_wrong_axes(const CaseResult& failure) {
  const Request& request = failure.asked->request;
  const auto right = right_sizes(failure.asked->expect);
  const auto& values = request.pattern.values;
  const std::vector<std::int64_t> came = sizes_of_the_answer(failure);
  if (right.empty() || right.size() != came.size() || right.size() != values.size()) {
    return std::nullopt;
  }
  const Dialect* dialect = declared_dialect(request.dialect);
  const bool copies = dialect != nullptr && zero_copies(*dialect, request.special_zero);
  bool zero = false, inferred = false, plain = false;
  for (std::size_t axis = 0; axis < right.size(); ++axis) {
    if (!right[axis] || *right[axis] == came[axis]) continue;
    zero |= values[axis] == 0;
    inferred |= values[axis] == -1;
    plain |= values[axis] != 0 && values[axis] != -1;
  }
  if (plain) return std::nullopt;
  if (zero && copies) {
    return Subject{"zero.copies", Duty::C3, "a size that the pattern copies is wrong"};
  }
  if (zero) return Subject{"zero.literal", Duty::C3, "a plain 0 of the pattern is another size"};
  if (inferred)
    return Subject{"minus-one.inferred", Duty::C3, "the size that -1 stands for is wrong"};
  return std::nullopt;
}

std::string of_a_wrong_answer(const CaseResult& failure, const Fault& fault) {
  const bool must_refuse = failure.asked->expect.kind == Ruling::Kind::rejects;
  if (fault.duty == Duty::C18)
    return "what was promised, or must be refused, is called unsupported";
  if (must_refuse) return "what must be refused is answered with a shape";
  if (!failure.produced) return "what has an answer is refused";
  return failure.produced->rank() == failure.asked->request.pattern.values.size()
             ? "other sizes are answered"
             : "a shape of another rank is answered";
}

const char* of_no_answer(const Fault& fault) {
  const auto is = [&](const char* words) {
    return fault.answered.find(words) != std::string::npos;
  };
  if (is("answered what is no shape")) {
    return "what is answered is no shape: it has a size that is negative or not known";
  }
  return is("inference: answered failed") ? "inference says that it failed"
                                          : "the answer cannot be read";
}

// Whether a child's answer was not read because of a size: "has 'shape[1]' -2, which is below 0".
bool says_a_size(std::string_view answered, std::string_view why) {
  return answered.starts_with("malformed during inference: its answer has 'shape[") &&
         answered.find(why) != std::string_view::npos;
}

// Of sizes that no shape can have, it is the document's rule about them that is broken; elsewhere
// no answer was read at all.
Subject of_an_unreadable_answer(const CaseResult& failure, const Fault& fault) {
  const bool below =
      says_a_size(fault.answered, ", which is below 0") || !negative_sizes(fault.answered).empty();
  const bool above = says_a_size(fault.answered, ", which is above ");
  if (below || above) {
    if (std::optional<Subject> axes = by_wrong_axes(failure)) return *axes;
    const bool must_refuse = failure.asked->expect.kind == Ruling::Kind::rejects;
    return {fault.clause, fault.duty,
            std::string(must_refuse ? "what must be refused is answered with a size "
                                    : "a size is answered ") +
                (below ? "below 0" : "above 2^63-1")};
  }
  return {fault.broken_clause(), fault.duty, of_no_answer(fault)};
}

const char* of_wrong_elements(Duty duty) {
  switch (duty) {
    case Duty::C12: return "elements of a view are wrong";
    case Duty::C13: return "elements are wrong in place";
    case Duty::C17: return "the elements of an earlier execution are answered";
    case Duty::C21: return "elements are wrong where the output overlaps the data";
    default: return "elements are wrong";
  }
}

const char* of_wrong_status(Duty duty) {
  switch (duty) {
    case Duty::C4: return "inference refuses, and execution does not";
    case Duty::C17: return "inference answers with a shape, and execution refuses";
    case Duty::C18: return "what was promised is called unsupported when it is executed";
    default: return "execution says that it failed";
  }
}

// The form of a request in which inference answers differently, in the examination's words: " where
// the pattern has a byte_offset". These come last, behind any message of the implementation.
Subject of_changing_answer(const Fault& fault, const Request& request) {
  // About the elements of a repeated call: the answer is the whole sentence, and has no numbers.
  const bool wrote = fault.watch == CaughtBy::same_answer && fault.plane == Plane::bytes &&
                     !fault.answered.starts_with("call ");
  if (wrote) return {"", Duty::C17, fault.answered};
  if (const std::size_t at = fault.answered.find(kAfterAnother); at != std::string::npos) {
    const Result<Request> other = parse_line(fault.answered.substr(at + kAfterAnother.size()));
    const std::string alike = other ? how_alike(*other, request) : "";
    return {"", Duty::C17,
            "inference answers otherwise after another request was inferred" +
                (alike.empty() ? "" : ", one " + alike)};
  }
  if (fault.answered.starts_with("call ") &&
      fault.answered.find(" in a row of equal ones answered ") != std::string::npos) {
    return {"", Duty::C17, "a later one of equal calls in a row is answered otherwise"};
  }
  const std::size_t at = fault.answered.rfind(" where ");
  const bool told = fault.watch == CaughtBy::same_answer && fault.plane == Plane::shape &&
                    at != std::string::npos && fault.answered.find(')', at) == std::string::npos;
  if (!told) return of_duty(Duty::C17);
  return {"", Duty::C17, "inference answers otherwise" + fault.answered.substr(at)};
}

// How many outputs of a kind were asked, and taken, in the examination's words: "2 of 3".
struct Taken {
  int taken = 0, asked = 0;

  bool some() const { return taken > 0; }
  bool all() const { return some() && taken == asked; }
};
std::optional<Taken> taken_behind(std::string_view words, std::string_view kind) {
  const std::size_t at = words.rfind(kind);
  if (at == std::string_view::npos) return std::nullopt;
  Taken counted;
  const std::string numbers(words.substr(at + kind.size()));
  if (std::sscanf(numbers.c_str(), "%d of %d", &counted.taken, &counted.asked) != 2) {
    return std::nullopt;
  }
  return counted;
}

// Which outputs of another shape are accepted, from the examination's words.
Subject of_another_output(const Fault& fault) {
  if (fault.answered.find(": ok") == std::string::npos) {
    return {"", Duty::C20, "an output of another shape is answered with a failure, not refused"};
  }
  if (fault.answered.starts_with("a view ")) {
    return {"", Duty::C20, "a view is made in another shape than the inferred one"};
  }
  if (fault.answered.ends_with(kRefusedAgain)) {
    return {"", Duty::C20,
            "an output of another shape is executed, and refused when it is asked again"};
  }
  const auto taken = [&](std::string_view kind) { return taken_behind(fault.answered, kind); };
  const auto ones = taken("axes of size 1 alone it takes "), sizes = taken("other sizes ");
  const auto same = taken("of its rank "), another = taken("of another rank ");
  const bool by_ones = ones && sizes && ones->some() != sizes->some();
  const bool by_rank = same && another && same->some() && !another->some();
  if (by_ones && by_rank) {
    // Those that differ in axes of size 1 may be refused for their rank.
    const bool all_by_ones = ones->some() ? ones->all() : sizes->all();
    if (all_by_ones == same->all()) return of_duty(Duty::C20);
  }
  if (by_rank && (!by_ones || same->all())) {
    return {"", Duty::C20,
            "an output of another shape is executed that has the rank of the inferred one, and "
            "refused where it has another rank"};
  }
  if (!by_ones) return of_duty(Duty::C20);
  return {"", Duty::C20,
          ones->some()
              ? "an output is executed that differs from the inferred shape in axes of size 1 "
                "alone, and refused where other sizes differ"
              : "an output is executed whose sizes differ from the inferred shape, and refused "
                "where it differs in axes of size 1 alone"};
}

}  // namespace

Subject subject_of(const CaseResult& failure) {
  const Verdict& verdict = failure.verdict;
  const Fault& first = verdict.faults.front();
  if (first.watch == CaughtBy::process) {
    // An out-of-bounds access says more than the death that it caused.
    if (const Fault* touched = fault_about(verdict, {Duty::C6, Duty::C7, Duty::C10, Duty::C11})) {
      return of_duty(touched->duty);
    }
    if (first.duty == Duty::C16) return of_duty(Duty::C16);
    return of_an_unreadable_answer(failure, first);
  }
  if (first.duty == Duty::C17 && first.clause.empty()) {
    if (const Fault* changed = fault_about(verdict, {Duty::C6, Duty::C11})) {
      return changed->duty == Duty::C11 ? of_changed_arguments(*changed) : of_duty(changed->duty);
    }
    return of_changing_answer(first, failure.asked->request);
  }
  if (first.duty == Duty::C19 && first.plane == Plane::memory) {
    return {"", Duty::C19,
            first.answered.ends_with(": nothing was written into it")
                ? "nothing is written into a message"
                : "a message does not end within its array"};
  }
  if (first.duty == Duty::C14) return of_a_changed_process(first);
  if (first.duty == Duty::C21 && first.plane == Plane::memory) {
    return {"", Duty::C21, "more than the elements is written where the output overlaps the data"};
  }
  if (first.clause.empty() && first.duty == Duty::C5 && first.watch == CaughtBy::bytes) {
    return {"", Duty::C5, "execute returns before it has written the output"};
  }
  if (first.duty == Duty::C20 && first.clause.empty()) return of_another_output(first);
  constexpr std::string_view kAligned = "; of data at a multiple of 64 they lie within";
  if (first.watch == CaughtBy::view && first.answered.ends_with(kAligned)) {
    return {"", Duty::C12,
            "elements of the view lie outside of data that begins at no multiple of 64 bytes, and "
            "within data at one"};
  }
  if (first.watch == CaughtBy::view && first.clause.empty()) return of_no_view(first);
  if (first.duty == Duty::C12 && first.answered.starts_with("view: rejected")) {
    return {"", Duty::C12, "a view is refused that may only be called unsupported"};
  }
  if (first.clause.empty()) {
    return first.duty == Duty::C11 ? of_changed_arguments(first) : of_duty(first.duty);
  }
  if (first.watch == CaughtBy::shape) {
    if (std::optional<Subject> axes = by_wrong_axes(failure)) return *axes;
    return {first.clause, first.duty, of_a_wrong_answer(failure, first)};
  }
  if (first.watch == CaughtBy::bytes)
    return {first.clause, first.duty, of_wrong_elements(first.duty)};
  if (first.answered.starts_with("view: ")) {
    return {first.clause, first.duty, "inference refuses, and a view is made"};
  }
  // A status that says that it failed breaks no clause of the document.
  return {first.duty == Duty::C5 ? first.broken_clause() : first.clause, first.duty,
          of_wrong_status(first.duty)};
}

}  // namespace reshape::conformance
