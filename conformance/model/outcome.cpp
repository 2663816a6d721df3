#include "conformance/model/outcome.h"

#include <algorithm>
#include <utility>

#include "conformance/model/payload.h"
#include "conformance/model/same_bytes.h"

namespace reshape::conformance {
namespace {

const char* name(Probe::Ask ask) {
  switch (ask) {
    case Probe::Ask::execute: return "execute";
    case Probe::Ask::sent: return "sent";
    case Probe::Ask::execute_rejected: return "execute-rejected";
    case Probe::Ask::in_place: return "in-place";
    case Probe::Ask::view: return "view";
    case Probe::Ask::wrong_volume: return "execute-wrong-volume";
    case Probe::Ask::other_output: return "execute-other-output";
    case Probe::Ask::refused_view: return "refused-view";
    case Probe::Ask::overlap: return "overlap";
  }
  return "?";
}

const char* name(Probe::Placement placement) {
  switch (placement) {
    case Probe::Placement::front: return "front";
    case Probe::Placement::back: return "back";
    case Probe::Placement::odd: return "odd";
  }
  return "?";
}

std::string in_brackets(const std::string& message) {
  return message.empty() ? std::string() : " (" + message + ")";
}

}  // namespace

const char* name(Plane plane) {
  switch (plane) {
    case Plane::shape: return "shape";
    case Plane::bytes: return "bytes";
    case Plane::memory: return "memory";
  }
  return "?";
}

const char* name(Status status) {
  switch (status) {
    case Status::ok: return "ok";
    case Status::rejected: return "rejected";
    case Status::unsupported: return "unsupported";
    case Status::failed: return "failed";
    case Status::unknown: return "unknown";
  }
  return "?";
}

const char* name(Outcome::Kind kind) {
  switch (kind) {
    case Outcome::Kind::produced: return "produced";
    case Outcome::Kind::rejected: return "rejected";
    case Outcome::Kind::unsupported: return "unsupported";
    case Outcome::Kind::crashed: return "crashed";
    case Outcome::Kind::timed_out: return "timed out";
    case Outcome::Kind::malformed: return "malformed";
    case Outcome::Kind::not_asked: return "not asked";
  }
  return "?";
}

Outcome not_asked(std::string why) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::not_asked;
  outcome.message = std::move(why);
  return outcome;
}

std::string text(const Probe& probe) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string line;
  if (probe.ask != Probe::Ask::execute) line += std::string("ask=") + name(probe.ask) + " ";
  if (probe.ask == Probe::Ask::overlap || probe.shift != 0)
    line += "shift=" + std::to_string(probe.shift) + " ";
  if (probe.shift_bytes != 0) line += "shift_bytes=" + std::to_string(probe.shift_bytes) + " ";
  line += std::string("payload=") + name(probe.payload);
  if (probe.round != 0) line += " round=" + std::to_string(probe.round);
  if (probe.ask == Probe::Ask::sent) return line;  // the rest is about memory
  line += " poison=";
  line += kDigits[probe.poison >> 4];
  line += kDigits[probe.poison & 0xf];
  line += std::string(" placement=") + name(probe.placement);
  line += probe.explicit_strides ? " strides=explicit" : " strides=null";
  if (probe.byte_offset || probe.output_offset) {
    line += " byte_offset=";
    line += !probe.output_offset ? "data" : !probe.byte_offset ? "output" : "both";
  }
  if (probe.errno_left) line += " errno=ERANGE";
  if (probe.null_if_empty) line += " empty=null";
  if (probe.one_allocation) line += " allocation=one";
  if (probe.over_data) line += " output=data";
  return line;
}

bool asks_another_shape(const std::string& probe) {
  for (const Probe::Ask ask : {Probe::Ask::other_output, Probe::Ask::refused_view}) {
    if (probe.starts_with(std::string("ask=") + name(ask) + " ")) return true;
  }
  return false;
}

std::string text(const Outcome& outcome) {
  const std::string kind = name(outcome.kind);
  switch (outcome.kind) {
    case Outcome::Kind::produced: return kind + " " + text(outcome.shape);
    case Outcome::Kind::rejected:
    case Outcome::Kind::unsupported: return kind + in_brackets(outcome.message);
    case Outcome::Kind::crashed:
    case Outcome::Kind::timed_out:
    case Outcome::Kind::malformed: break;
    case Outcome::Kind::not_asked: return kind + ": " + outcome.message;
  }
  // That of an execution is its probe.
  const bool executing = outcome.during.find('=') != std::string::npos;
  const std::string during = outcome.during.empty() ? ""
                             : executing
                                 ? " during execution (" + probe_in_words(outcome.during) + ")"
                                 : " during " + outcome.during;
  return kind + during + (outcome.message.empty() ? "" : ": " + outcome.message);
}

bool died(const Outcome& outcome) {
  return outcome.kind == Outcome::Kind::crashed || outcome.kind == Outcome::Kind::timed_out;
}

bool hung(const Outcome& outcome) {
  return outcome.kind == Outcome::Kind::timed_out ||
         std::any_of(outcome.executions.begin(), outcome.executions.end(),
                     [](const Execution& execution) { return execution.timed_out; });
}

bool same_elements(const Execution& one, const Execution& other) {
  if (one.as_placed != other.as_placed || !same_bytes(one.elements, other.elements)) return false;
  return !one.as_placed ||
         (one.probe.payload == other.probe.payload && one.probe.round == other.probe.round);
}

}  // namespace reshape::conformance
