#include "conformance/model/verdict.h"

namespace reshape::conformance {

std::string Fault::fingerprint() const {
  const std::string& broken = clause.empty() ? duty : clause;
  return broken + " | " + watch + " | expected " + expected + " | " + answered;
}

const char* name(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::pass: return "pass";
    case Verdict::Kind::fail: return "fail";
    case Verdict::Kind::unsupported: return "unsupported";
    case Verdict::Kind::mistrusted: return "mistrusted";
  }
  return "?";
}

const char* name(Verdict::PlaneState state) {
  switch (state) {
    case Verdict::PlaneState::not_asked: return "not asked";
    case Verdict::PlaneState::pass: return "pass";
    case Verdict::PlaneState::fail: return "fail";
  }
  return "?";
}

}  // namespace reshape::conformance
