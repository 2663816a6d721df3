#pragma once

#include <array>
#include <string_view>

namespace reshape::conformance {

// The duties of an implementation, as CONTRACT.md numbers them, each with what is expected in a few
// words. A fault names the duty; the sentence stands where a report has to say what was expected.
struct Duty {
  std::string_view id;       // "C7"
  std::string_view expects;  // "nothing outside the output is written"
};

inline constexpr std::array kDuties = {
    Duty{"C1", "the library has the entry, and the entry gives a table of this version"},
    Duty{"C2", "the description is true"},
    Duty{"C3", "the shape is the document's"},
    Duty{"C4", "what the document forbids is answered with the status rejected"},
    Duty{"C5", "the output holds the data's elements, bit for bit, in row-major order"},
    Duty{"C6", "the input is left as it was"},
    Duty{"C7", "nothing outside the output is written"},
    Duty{"C8", "the gaps between the output's elements are left as they were"},
    Duty{"C9", "nothing is written when a request is refused"},
    Duty{"C10", "nothing outside the tensors is read"},
    Duty{"C11", "sizes, strides and pattern are left as they were"},
    Duty{"C12", "a view aliases the data whenever it can"},
    Duty{"C13", "in place gives the same elements as out of place"},
    Duty{"C14", "the process is left as it was found"},
    Duty{"C15", "memory does not grow by the call"},
    Duty{"C16", "every call returns: no crash, no exit, no hang"},
    Duty{"C17", "the same request gets the same answer each time"},
    Duty{"C18", "unsupported is answered only outside the description, never for a refusal"},
    Duty{"C19", "every answer but ok carries a message"},
    Duty{"C20", "an output of another shape than the inferred one is refused"},
};

// "" for an id that the contract does not have.
constexpr std::string_view expects(std::string_view duty) {
  for (const Duty& one : kDuties) {
    if (one.id == duty) return one.expects;
  }
  return {};
}

}  // namespace reshape::conformance
