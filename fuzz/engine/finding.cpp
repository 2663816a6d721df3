#include "fuzz/engine/finding.h"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>

#include "conformance/text/line.h"

namespace reshape::fuzz {
namespace {

std::array<char, 512> g_subject{};
std::array<char, 2048> g_asked{};

// The tokens from the file RESHAPE_FUZZ_KNOWN.
const std::set<std::string>& known_tokens() {
  static const std::set<std::string> known = [] {
    std::set<std::string> tokens;
    const char* file = std::getenv("RESHAPE_FUZZ_KNOWN");
    std::ifstream stream(file == nullptr ? "" : file);
    for (std::string line; std::getline(stream, line);) tokens.insert(line);
    return tokens;
  }();
  return known;
}

std::atomic<std::uint64_t> g_known = 0;

void count_known() {
  if (g_known++ == 0) {
    std::atexit([] {
      std::fprintf(stderr, "KNOWN FINDINGS: %llu\n",
                   static_cast<unsigned long long>(g_known.load()));
    });
  }
}

}  // namespace

bool g_remember_subject = false;

std::string text(const Token& token) {
  return token.implementation + '|' + token.dialect + '|' + token.clause + '|' + token.plane + '|' +
         token.kind;
}

void report(const Finding& finding) {
  const std::string token = text(finding.token);
  if (known_tokens().contains(token)) {
    count_known();
    throw KnownFinding();
  }
  std::fprintf(stderr, "\nFINDING   %s, %s plane, %s: %s\n", finding.token.implementation.c_str(),
               finding.token.plane.c_str(), finding.token.clause.c_str(),
               finding.token.kind.c_str());
  if (!finding.asked.empty()) {
    std::fprintf(stderr, "  asked     %s\n", finding.asked.c_str());
  }
  std::fprintf(stderr, "  expected  %s\n  answered  %s\n", finding.expected.c_str(),
               finding.answered.c_str());
  if (!finding.token.dialect.empty()) {
    std::fprintf(stderr, "  replay    reshape-conformance replay '%s' -i LIB\n",
                 finding.asked.c_str());
  }
  std::fprintf(stderr, "Assertion failure: %s\nDEDUP_TOKEN: %s\n", token.c_str(), token.c_str());
  // So that a replay does not report this abort as a crash of the implementation.
  g_subject[0] = '\0';
  std::abort();
}

Token token_for(std::string_view implementation, const conformance::Request& request,
                const Ruling& ruling, std::string_view plane, std::string_view kind) {
  const bool produces = ruling.kind == Ruling::Kind::produces;
  return {std::string(implementation), request.dialect,
          produces ? (plane == "shape" ? "output.shape" : "content.kept") : ruling.clause,
          std::string(plane), std::string(kind)};
}

Token judged_token(std::string_view implementation, const conformance::Request& request,
                   const conformance::Outcome& outcome, const conformance::Fault& fault) {
  return {std::string(implementation), request.dialect, fault.broken(), name(fault.plane),
          fault.watch == conformance::CaughtBy::process ? name(outcome.kind) : name(fault.watch)};
}

void remember_subject(const Token& token, const std::string& asked) {
  Token open = token;
  open.kind.clear();
  std::snprintf(g_subject.data(), g_subject.size(), "%s", text(open).c_str());
  std::snprintf(g_asked.data(), g_asked.size(), "%s", asked.c_str());
}

const char* subject_of_death() { return g_subject.data(); }
const char* asked_at_death() { return g_asked.data(); }

void remember_request(std::string_view implementation, const conformance::Request& request,
                      const Ruling& ruling, std::string_view plane) {
  remember_subject(token_for(implementation, request, ruling, plane, ""),
                   conformance::print_line(request));
}

}  // namespace reshape::fuzz
