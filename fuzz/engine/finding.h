#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "conformance/model/outcome.h"
#include "conformance/model/request.h"
#include "conformance/model/verdict.h"
#include "reference/tensor/ruling.h"

namespace reshape::fuzz {

// What tells one bug from another, so that thousands of inputs of one bug are one finding, and
// minimising one does not slip into the next.
struct Token {
  std::string implementation;  // "optimized", "mine", or the name of a parser
  std::string dialect;         // empty where no document is asked
  std::string clause;          // of the document, or the duty that is broken
  std::string plane;           // "shape", "bytes", "memory"; "text" for parsers
  std::string kind;            // "answer", "crash", "hang", "written-twice", ...
};
std::string text(const Token& token);  // "optimized|openvino-reshape-1|volume.kept|shape|answer"

// Something is wrong: says what in a few lines, and how to see it again, and aborts, which is how a
// fuzzer learns of it. The last lines carry the token in the forms that fuzzing services read. Ends
// the input, and not the program, where the token is one of those in the file that the environment
// variable RESHAPE_FUZZ_KNOWN names, a line each: a campaign goes on past what it has found. How often
// that was is printed at the end of the program: "KNOWN FINDINGS: 12".
struct Finding {
  Token token;
  std::string asked;  // the line of the request, or nothing
  std::string expected;
  std::string answered;
};
[[noreturn]] void report(const Finding& finding);

// What a target does with an input: each target has its own.
void test(std::span<const std::uint8_t> bytes);
struct KnownFinding {};  // ends it: told before

// The token of a finding about `request`: the clause is the one that the answer rests on.
Token token_for(std::string_view implementation, const conformance::Request& request,
                const Ruling& ruling, std::string_view plane, std::string_view kind);

// The token of what the judge found. How a process broke down tells bugs apart that the watch over
// processes does not. In this process or in another, the same bug has the same token.
Token judged_token(std::string_view implementation, const conformance::Request& request,
                   const conformance::Outcome& outcome, const conformance::Fault& fault);

// --- deaths --------------------------------------------------------------------------------------
// A crash cannot say what was asked. A replay therefore has each target say before what it is about to
// ask; in a campaign, which makes millions of calls, that is not kept.

// True in replays.
extern bool g_remember_subject;
void remember_subject(const Token& token, const std::string& asked);
// What was said last, or empty; without the kind, which the death tells. Safe in signal handlers.
const char* subject_of_death();
const char* asked_at_death();

void remember_request(std::string_view implementation, const conformance::Request& request,
                      const Ruling& ruling, std::string_view plane);

inline void about_to_ask(std::string_view implementation, const conformance::Request& request,
                         const Ruling& ruling, std::string_view plane) {
  if (g_remember_subject) remember_request(implementation, request, ruling, plane);
}

}  // namespace reshape::fuzz
