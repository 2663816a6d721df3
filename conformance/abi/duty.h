#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace reshape::conformance {

// The duties of an implementation, as CONTRACT.md numbers them. A fault names the duty that was
// broken.
enum class Duty : std::uint8_t {
  none,  // no duty: a clause of a document is broken
  C1,
  C2,
  C3,
  C4,
  C5,
  C6,
  C7,
  C8,
  C9,
  C10,
  C11,
  C12,
  C13,
  C14,
  C15,
  C16,
  C17,
  C18,
  C19,
  C20,
  C21,
};

// What each duty demands, in the words of reports. C1 comes first.
inline constexpr std::array<std::string_view, 21> kDuties = {
    "the library has the entry, and the entry gives a table of this version",
    "the description is true",
    "the shape is the document's",
    "what the document forbids is answered with the status rejected",
    "the output holds the data's elements, bit for bit, in row-major order",
    "the input is left as it was",
    "nothing outside the output is written",
    "the gaps between the output's elements are left as they were",
    "nothing is written when a request is refused",
    "nothing outside the tensors is read",
    "sizes, strides and pattern are left as they were",
    "a view aliases the data whenever it can",
    "in place gives the same elements as out of place",
    "the process is left as it was found",
    "memory does not grow by the call",
    "every call returns: no crash, no exit, no hang",
    "the same request gets the same answer each time",
    "unsupported is answered only outside the description, never for a refusal",
    "every answer but ok carries a message",
    "an output of another shape than the inferred one is refused",
    "an output that overlaps the data gets the elements that it gets apart from it",
};
constexpr std::string_view expects(Duty duty) {
  return duty == Duty::none ? std::string_view() : kDuties[static_cast<std::size_t>(duty) - 1];
}

// What is wrong where a duty is broken.
inline constexpr std::array<std::string_view, kDuties.size()> kBreaches = {
    "the library has no entry that gives a table of this version",
    "the description is not true",
    "another shape than the document's is answered",
    "what the document forbids is not answered with the status rejected",
    "the output does not hold the data's elements, bit for bit, in row-major order",
    "the input is written",
    "something outside the output is written",
    "the gaps between the output's elements are written",
    "something is written when a request is refused",
    "something outside the tensors is read",
    "sizes, strides or pattern are written",
    "a view does not alias the data where it can",
    "in place gives other elements than out of place",
    "the process is not left as it was found",
    "memory grows by the call",
    "a call does not return: it crashes, exits or hangs",
    "the same request does not get the same answer each time",
    "unsupported is answered within the description, or for a refusal",
    "an answer other than ok carries no message",
    "an output of another shape than the inferred one is not refused",
    "an output that overlaps the data gets other elements than apart from it",
};
constexpr std::string_view breach(Duty duty) {
  return duty == Duty::none ? std::string_view() : kBreaches[static_cast<std::size_t>(duty) - 1];
}

inline constexpr std::array<const char*, kDuties.size() + 1> kDutyNames = {
    "",    "C1",  "C2",  "C3",  "C4",  "C5",  "C6",  "C7",  "C8",  "C9",  "C10",
    "C11", "C12", "C13", "C14", "C15", "C16", "C17", "C18", "C19", "C20", "C21"};
// "C7"; "" for none.
constexpr const char* name(Duty duty) { return kDutyNames[static_cast<std::size_t>(duty)]; }
// Duty::none for anything else than a duty's name.
constexpr Duty duty_named(std::string_view name) {
  for (std::size_t at = 1; at < kDutyNames.size(); ++at) {
    if (kDutyNames[at] == name) return static_cast<Duty>(at);
  }
  return Duty::none;
}

// A clause of a document ("volume.kept") or a duty: what a mutant breaks, or what a law follows
// from.
struct ClauseOrDuty {
  constexpr ClauseOrDuty() = default;
  constexpr ClauseOrDuty(const char* id) : clause(id) {}  // NOLINT: rows of tables say either
  constexpr ClauseOrDuty(Duty one) : duty(one) {}         // NOLINT
  std::string_view clause = {};                           // empty where it is a duty
  Duty duty = Duty::none;
};
constexpr std::string_view name(const ClauseOrDuty& one) {
  return one.duty == Duty::none ? one.clause : std::string_view(name(one.duty));
}

}  // namespace reshape::conformance
