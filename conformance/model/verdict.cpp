#include "conformance/model/verdict.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "conformance/model/wrong_shape.h"

namespace reshape::conformance {

std::string text(const CrashFrame& frame, const std::string& library) {
  if (frame.line > 0) {
    return frame.function + " at " + frame.file + ":" + std::to_string(frame.line);
  }
  char digits[17] = {};
  std::to_chars(digits, digits + sizeof digits - 1, frame.address, 16);
  return library.substr(library.rfind('/') + 1) + "+0x" + digits;
}

std::string Fault::broken_clause() const {
  const bool of_sizes =
      answered.starts_with("malformed during inference: its answer has 'shape[") ||
      !negative_sizes(answered).empty();
  const bool of_no_answer = watch == CaughtBy::process && !of_sizes;
  const bool says_it_failed =
      watch == CaughtBy::status &&
      (answered.starts_with("execution: failed") || answered.starts_with("execution: unknown"));
  return of_no_answer || says_it_failed ? "" : clause;
}

std::string Fault::fingerprint() const {
  return without_message_numbers(broken() + " | " + name(watch) + " | expected " + expected +
                                 " | " + answered);
}

std::string without_numbers(const std::string& text) {
  std::string words;
  bool in_number = false;
  bool in_hexadecimal = false;  // behind "0x"
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto letter = static_cast<unsigned char>(text[at]);
    in_hexadecimal = (in_hexadecimal && std::isxdigit(letter) != 0) ||
                     (in_number && letter == 'x' && text[at - 1] == '0');
    const bool digit = std::isdigit(letter) != 0 || in_hexadecimal;
    // A list of sizes counts as one number, whatever its length.
    const bool between = in_number && letter == ',';
    if (digit && !in_number) words += '#';
    if (!digit && !between) words += text[at];
    in_number = digit || between;
  }
  return words;
}

std::string without_message_numbers(const std::string& fingerprint) {
  // The message is behind the last bar; what is expected may contain brackets too.
  const std::size_t bar = std::min(fingerprint.rfind(" | "), fingerprint.size());
  const std::size_t message = fingerprint.find(" (", bar);
  if (message == std::string::npos) return fingerprint;
  std::string text = fingerprint.substr(0, message);
  bool in_number = false;
  for (std::size_t at = message; at < fingerprint.size(); ++at) {
    const auto letter = static_cast<unsigned char>(fingerprint[at]);
    // Hexadecimal digits and units belong to the number: 0x7f3a, 12ms.
    const bool number = std::isdigit(letter) != 0 || (in_number && std::isalnum(letter) != 0);
    if (number && !in_number) text += '#';
    if (!number) text += fingerprint[at];
    in_number = number;
  }
  return text;
}

const CrashFrame* Verdict::frame() const {
  for (const Fault& fault : faults) {
    if (fault.frame) return &*fault.frame;
  }
  return nullptr;
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
