#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/abi/duty.h"
#include "conformance/model/caught_by.h"
#include "conformance/model/request.h"
#include "reference/tensor/shape.h"

namespace reshape::conformance {

// What can be at fault: the shape, the bytes (bit for bit, row-major), or the memory contract.
enum class Plane : std::uint8_t { shape, bytes, memory };
inline constexpr int kPlanes = 3;
const char* name(Plane plane);

// Something that a watch saw during a call. A fact, not a judgement.
struct Observation {
  CaughtBy watch = CaughtBy::none;
  Plane plane = Plane::memory;
  Duty duty = Duty::none;
  std::string saw;  // "byte 5 of the output's gaps changed from a5 to 00"
};

// How one run was set up. Together with the Request it says everything that differs between runs.
struct Probe {
  enum class Ask : std::uint8_t {
    execute,           // with the inferred shape
    sent,              // of a child: the data by value, and the output as its answer
    execute_rejected,  // inference refused: execute must refuse as well and write nothing
    in_place,
    view,
    // Inference answered a shape of another volume than the data's. Executed with an output of
    // either volume; only the memory is judged, since there are no right elements.
    wrong_volume,
    // With an output of as many elements in another shape than the inferred one: to be refused.
    other_output,
    // A view of a request that inference refused, or in another shape than the inferred one: not to
    // be made.
    refused_view,
    // The output lies over a part of the data, `shift` elements behind it, or over all of it in
    // other strides.
    overlap,
  };
  static constexpr Ask kLastAsk = Ask::overlap;
  // Where the buffer lies between its two guard pages.
  enum class Placement : std::uint8_t {
    front,  // starts at the page: aligned; canaries fill the rest
    back,   // ends at the guard page behind it, as near as the alignment allows
    odd,    // starts one declared alignment behind the page start
  };

  Ask ask = Ask::execute;
  Payload payload = Payload::distinct;
  int round = 0;  // of the distinct payload
  // Of an output that overlaps the data: its lowest element from the data's, in elements, and the
  // bytes that it lies further behind, fewer than an element has. See also one_allocation.
  std::int64_t shift = 0;
  std::uint8_t shift_bytes = 0;
  std::uint8_t poison = 0;  // what the output held before
  Placement placement = Placement::front;
  bool explicit_strides = false;  // dense strides are written out instead of null
  // The start of the data, and of an output apart from it, is reached by byte_offset instead of by
  // the pointer.
  bool byte_offset = false;
  bool output_offset = false;
  // Before the call errno is ERANGE, which an earlier call of the caller's own left; else 0.
  bool errno_left = false;
  bool null_if_empty = false;  // empty tensors come with a null pointer
  // The output lies behind the data in one allocation, as in an arena: both have the same pointer
  // and differ in byte_offset only. With a negative shift it ends where the data begins, and has a
  // pointer of its own.
  bool one_allocation = false;
  // A request that has to be refused, executed with the output on top of the data.
  bool over_data = false;

  bool asks_view() const { return ask == Ask::view || ask == Ask::refused_view; }
  // The output has not the inferred shape, so it is right to refuse it.
  bool asks_another_shape() const { return ask == Ask::other_output || ask == Ask::refused_view; }

  friend bool operator==(const Probe&, const Probe&) = default;
};
std::string text(const Probe& probe);  // "payload=hard poison=a5 placement=back strides=null"
// The text of a probe, or one word of it, for people: "buffers that end at a guard page".
std::string probe_in_words(std::string_view probe);
std::string probe_word_in_words(std::string_view word);
// Probe::asks_another_shape() of the text of a probe.
bool asks_another_shape(const std::string& probe);

// The implementation's answer to one call.
enum class Status : std::uint8_t { ok, rejected, unsupported, failed, unknown };
const char* name(Status status);

// One call of execute (or view) and what was seen.
struct Execution {
  Probe probe;
  Status status = Status::ok;
  // Of the implementation; where another shape is taken: which others are; of a view whose elements
  // are not as placed: its strides.
  std::string message;
  std::vector<std::byte> elements;  // the output gathered row-major and packed; empty unless ok
  // The output holds the elements of the probe's payload, bit for bit and in row-major order. They
  // are many, and left out of `elements`.
  bool as_placed = false;
  std::vector<Observation> observations;
  // For a wrong_volume only: the call never returned. The inferred shape still counts.
  bool timed_out = false;
};

// Whether both produced the same elements.
bool same_elements(const Execution& one, const Execution& other);

// The outcome of a Request: the answer to inference, then every execution. States facts, without
// regard to what was expected.
struct Outcome {
  enum class Kind : std::uint8_t {
    produced,
    rejected,
    unsupported,
    crashed,
    timed_out,
    malformed,
    // The machine lacked a resource to ask it; `message` says which. Says nothing about the
    // implementation.
    not_asked,
  };

  Kind kind = Kind::malformed;
  Shape shape;          // produced: as inferred
  std::string message;  // of the implementation, or of the crash, or what is malformed
  std::vector<Observation> observations;  // during inference, or from the crash handler
  std::vector<Execution> executions;
  // What the library does once in each process, at its first use, which this request happened to
  // be: not the request's fault.
  std::vector<Observation> at_first_use;
  std::string during;  // crashed, timed out, malformed: the probe, or "inference"
  // Crashed or timed out: the address of the innermost frame within the library, counted as in its
  // file.
  std::optional<std::uint64_t> crashed_at;
  double seconds = 0;
  // No answer came in time, but the busy machine gave it less processor time than that: not proven
  // to hang.
  bool kept_from_it = false;
  bool cut_short = false;  // a repeated request that ran out of time before all repetitions
};
// An Outcome of Kind::not_asked.
Outcome not_asked(std::string why);
const char* name(Outcome::Kind kind);
bool died(const Outcome& outcome);  // crashed or timed out: it cost the process that it lived in
bool hung(const Outcome& outcome);  // some call never returned: it cost a deadline
std::string text(const Outcome& outcome);  // "produced [2,5]", "rejected (volume differs)", ...

}  // namespace reshape::conformance
