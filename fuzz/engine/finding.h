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

// Identifies a bug, so that thousands of inputs that show it are one finding, and minimising an
// input cannot drift to another bug.
struct Token {
  std::string implementation;  // "optimized", "mine", or the name of a parser
  std::string dialect;         // empty where no document is asked
  std::string clause;          // of the document, or the broken duty of CONTRACT.md
  std::string plane;           // "shape", "bytes", "memory"; "text" for parsers
  std::string kind;            // "answer", "crash", "hang", "written-twice", ...
};
std::string text(const Token& token);  // "optimized|openvino-reshape-1|volume.kept|shape|answer"

// Reports a finding: prints what is wrong and how to replay it, and aborts, which tells the fuzzer.
// The last lines contain the token in the forms that fuzzing services read. A known token ends only
// the input, so that a campaign continues after its first findings: those are the lines of the file
// that the environment variable RESHAPE_FUZZ_KNOWN names. Their count is printed at the end of the
// program: "KNOWN FINDINGS: 12".
struct Finding {
  Token token;
  std::string asked;  // the line of the request, or nothing
  std::string expected;
  std::string answered;
};
[[noreturn]] void report(const Finding& finding);

// Tests one input. Defined by each target.
void test(std::span<const std::uint8_t> bytes);
struct KnownFinding {};  // thrown to end an input whose finding is known

// The token of a finding about `request`. Its clause is the one that decides the ruling.
Token token_for(std::string_view implementation, const conformance::Request& request,
                const Ruling& ruling, std::string_view plane, std::string_view kind);

// The token of a fault that the judge found. Its kind is the watch, or for a broken process how
// that ended. The same bug has the same token, whether it ran in this process or in another.
Token judged_token(std::string_view implementation, const conformance::Request& request,
                   const conformance::Outcome& outcome, const conformance::Fault& fault);

// --- deaths --------------------------------------------------------------------------------------
// After a crash the program cannot reconstruct the request. So in a replay each target records it
// before the call; in a campaign, with millions of calls, it is not recorded.

// True in replays.
extern bool g_remember_subject;
void remember_subject(const Token& token, const std::string& asked);
// The token recorded last (without its kind, which is the way of the crash) and its request; empty
// where nothing was recorded. Safe in signal handlers.
const char* subject_of_death();
const char* asked_at_death();

void remember_request(std::string_view implementation, const conformance::Request& request,
                      const Ruling& ruling, std::string_view plane);

inline void about_to_ask(std::string_view implementation, const conformance::Request& request,
                         const Ruling& ruling, std::string_view plane) {
  if (g_remember_subject) remember_request(implementation, request, ruling, plane);
}

}  // namespace reshape::fuzz
