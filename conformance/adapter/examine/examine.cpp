#include "conformance/adapter/examine/examine.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "conformance/adapter/contract/dl_request.h"
#include "conformance/adapter/contract/inferred.h"
#include "conformance/adapter/contract/thrown.h"
#include "conformance/adapter/examine/callers_settings.h"
#include "conformance/adapter/examine/calls.h"
#include "conformance/adapter/examine/late_writes.h"
#include "conformance/adapter/examine/other_outputs.h"
#include "conformance/adapter/examine/probes.h"
#include "conformance/adapter/examine/process_changes.h"
#include "conformance/adapter/examine/process_watches.h"
#include "conformance/adapter/examine/request_between.h"
#include "conformance/adapter/examine/tensors.h"
#include "conformance/adapter/examine/watches/watch.h"
#include "conformance/adapter/examine/wrong_volume.h"
#include "conformance/adapter/memory/view_alias.h"
#include "conformance/model/another_shape.h"
#include "conformance/model/answered_after.h"
#include "conformance/model/refused.h"
#include "conformance/model/same_bytes.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

// The most bytes of all outputs of one request: the size of an answer of a host process.
constexpr std::int64_t kMostGathered = std::int64_t{768} << 20;
// Right elements up to this size, in bytes, go into the answer; for more it says only that they are
// right. Laws write up to 2048 elements of an answer into their next request.
constexpr std::int64_t kMostSpelledOut = std::int64_t{16} << 10;
// Equal calls for the memory watch are made up to this size.
constexpr std::int64_t kMostRepeated = std::int64_t{20} << 20;
// The same for other ways than a plain execution, where small tensors show a leak as well.
constexpr std::int64_t kMostRepeatedBesides = 1024;
// Of data that is changed between two executions, which are gathered for that.
constexpr std::int64_t kMostChanged = std::int64_t{1} << 20;
// The most elements that a refused request's output may have beyond the data's.
constexpr std::int64_t kMostAskedFor = 1 << 16;

// The first of a row of equal calls that is not answered as the one before the row, which counts as
// call 1.
class RowOfEqualCalls {
 public:
  // To be called after each. `words` says how it was answered.
  template <typename Words>
  void answered(bool alike, Words words) {
    ++calls_;
    if (!alike && differing_.empty()) {
      differing_ = "call " + std::to_string(calls_) + " in a row of equal ones answered " + words();
    }
  }

  void tell(const std::string& first, Plane plane, std::vector<Observation>& seen) const {
    if (differing_.empty()) return;
    seen.push_back({CaughtBy::same_answer, plane, Duty::C17, differing_ + "; the first " + first});
  }

 private:
  std::int64_t calls_ = 1;
  std::string differing_;
};

}  // namespace

struct Examiner::Equipment {
  const reshape_plugin& table;
  const Capabilities& capabilities;
  CallWatches calls;

  Tensors tensors{capabilities};
  ShapeReceiver receiver{};
  DlRequest between{};
  ShapeReceiver between_receiver{};
  std::vector<const GuardedBuffer*> buffers{};  // of an inference
  std::optional<CallersSettings> settings{};
  std::vector<WatchPtr> around_request{};
  bool own_process = false;
  bool little_room_repeated = false;  // once is enough to see whether memory grows there
  bool process_known = false;  // the watches around requests still know the state of the process
  WatchPtr arithmetic = watch_floating_point_control();
};

// The examination of one request.
class Examiner::Examination {
 public:
  Examination(Equipment& equipment, const Request& request)
      : equipment_(equipment),
        request_(request),
        tensors_(equipment.tensors),
        calls_(equipment.calls, outcome_) {
    tensors_.take(request);
  }

  void look_for_growth(Sites sites, std::chrono::milliseconds most) {
    calls_.look_for_growth(sites, most);
  }

  // From now on checks the process after each call instead of after all of them, to see which one
  // changed it.
  void look_closely() { closely_ = true; }

  Outcome run() && {
    equipment_.arithmetic->before({});
    if (!equipment_.process_known) {
      for (const WatchPtr& watch : equipment_.around_request) watch->before({});
    }
    const bool inferred = infer();
    look_at_process(outcome_.observations);
    if (inferred && outcome_.kind == Outcome::Kind::produced) execute_all();
    if (outcome_.kind == Outcome::Kind::rejected) refuse_all();
    if (inferred && !outcome_.executions.empty()) infer_at_last();
    const std::size_t seen = outcome_.observations.size();
    for (const WatchPtr& watch : equipment_.around_request) {
      watch->after({}, Status::ok, outcome_.observations);
    }
    // Changes are undone, but that is not always possible.
    equipment_.process_known = equipment_.own_process && outcome_.observations.size() == seen;
    // Repeated calls are not watched one by one: resets what they changed before the next request
    // is watched.
    std::vector<Observation> told_before;
    equipment_.arithmetic->after({}, Status::ok, told_before);
    return std::move(outcome_);
  }

 private:
  void look_at_process(std::vector<Observation>& seen) {
    if (!closely_) return;
    for (const WatchPtr& watch : equipment_.around_request) {
      watch->after({}, Status::ok, seen);
      watch->before({});
    }
  }

  // --- inference ---------------------------------------------------------------------------------

  bool infer() {
    const std::size_t rank = request_.pattern.values.size();
    std::optional<Inferred> first = infer_once({}, rank);
    if (!first) return false;
    if (!outcome_.observations.empty()) calls_.tell();
    // Enough room for a wrong answer too, or the second answer would differ for lack of room.
    const std::size_t most = std::max(rank, first->shape.rank());
    const std::optional<Inferred> again = infer_once(kInAllForms, most, true);
    if (!again) return false;
    if (text(*first) != text(*again)) {
      const std::optional<std::string> form = form_that_matters(text(*first), most);
      if (!form) return false;
      outcome_.observations.push_back(
          {CaughtBy::same_answer, Plane::shape, Duty::C17,
           "inference answered " + text(*first) + ", and " + text(*again) + ' ' + *form});
    }
    conclude(std::move(*first));
    if (outcome_.kind == Outcome::Kind::produced && !infer_with_little_room()) return false;
    if (!outcome_.observations.empty()) calls_.tell();
    return outcome_.kind != Outcome::Kind::malformed;
  }

  // Equivalent forms of an inference, which must not change the answer.
  struct InferenceForm {
    bool little_room = false;  // for less than the shape
    bool data = false;         // with a pointer to the data, and its strides
    bool receiver = false;     // the receiver is at another place and has no spare room
    RequestForm request = {};
    bool errno_cleared = false;
  };
  static constexpr InferenceForm kInAllForms = {false, true, true, {true, true, true, true}, true};

  // Offers room for one size less than were inferred. Any status but OK is right; nothing may be
  // written beyond the room, nothing at all where it is refused, and the call has to return.
  bool infer_with_little_room() {
    const std::size_t rank = outcome_.shape.rank();
    ShapeReceiver& receiver = equipment_.receiver;
    tensors_.for_inference(false, {});
    if (rank == 0 || !tensors_.arm() || !receiver.arm_short(rank - 1)) return true;
    const std::size_t seen = outcome_.observations.size();
    const bool repeated =
        !std::exchange(equipment_.little_room_repeated, true) || calls_.looks_for_growth();
    const std::optional<Inferred> came = infer_armed({.little_room = true}, repeated);
    const std::string room = std::to_string(rank - 1);
    const std::string where =
        " (there was room for " + room + " of " + std::to_string(rank) + " sizes)";
    for (std::size_t at = seen; at < outcome_.observations.size(); ++at) {
      outcome_.observations[at].saw += where;
    }
    if (!came) outcome_.message += where;
    if (came && came->status == Status::ok) {
      outcome_.observations.push_back({CaughtBy::same_answer, Plane::shape, Duty::C3,
                                       "inference answered " + text(outcome_.shape) +
                                           ", and where there was room for " + room +
                                           " of its sizes " + text(*came)});
    }
    return came.has_value();
  }

  // Finds the form that changes the answer, after inferences without any and with all forms gave
  // different answers. Names a form if two inferences with it differ from the plain answer and two
  // without it do not. Nothing where a call does not return.
  std::optional<std::string> form_that_matters(const std::string& plain, std::size_t most) {
    static const std::pair<InferenceForm, const char*> kForms[] = {
        {{.request = {.pattern_null = true}}, "where the empty pattern is a null pointer"},
        {{.request = {.pattern_offset = true}}, "where the pattern has a byte_offset"},
        {{.request = {.pattern_strides = true}}, "where the pattern's strides are written out"},
        {{.request = {.later_struct = true}}, "where struct_size is larger than in this version"},
        {{.data = true}, "where the data has a pointer and strides"},
        {{.receiver = true}, "where there is just enough room for the sizes"},
        {{.errno_cleared = true}, "where errno is 0 before the call, and not ERANGE"},
    };
    bool returned = true;
    const auto alike = [&](const InferenceForm& form) {
      const std::optional<Inferred> came = infer_once(form, most);
      returned = returned && came;
      return came && text(*came) == plain;
    };
    const auto matters = [&](const InferenceForm& form) {
      return !alike(form) && !alike(form) && alike({}) && alike({});
    };
    std::string says = "when it was asked again";
    if (alike({}) && alike({}) && matters(kInAllForms)) {
      says = "in another form of the same request";
      for (const auto& [form, where] : kForms) {
        if (!returned) break;
        if (alike(form)) continue;
        if (matters(form)) says = where;
        break;
      }
    }
    return returned ? std::optional(says) : std::nullopt;
  }

  // Infers once; with form.receiver there is room for exactly `most` sizes. `repeated`: followed by
  // equal calls to see whether memory grows.
  std::optional<Inferred> infer_once(const InferenceForm& form, std::size_t most,
                                     bool repeated = false) {
    ShapeReceiver& receiver = equipment_.receiver;
    tensors_.for_inference(form.data, form.request);
    if (!tensors_.arm() || !receiver.arm(most, form.receiver)) {
      calls_.end(Outcome::Kind::malformed, nullptr, kNoMemoryToAsk);
      return std::nullopt;
    }
    return infer_armed(form, repeated);
  }

  // The call itself, when arguments and receiver are armed. Nothing where it does not return.
  std::optional<Inferred> infer_armed(const InferenceForm& form, bool repeated = false) {
    ShapeReceiver& receiver = equipment_.receiver;
    CallSite site = tensors_.site();
    equipment_.buffers.assign(site.buffers.begin(), site.buffers.end());
    receiver.append_buffers(equipment_.buffers);
    site.buffers = equipment_.buffers;
    site.shape = &receiver.site();
    site.little_room = form.little_room;
    site.flushes_to_zero = form.receiver;
    site.errno_cleared = form.errno_cleared;
    DlRequest& arguments = tensors_.arguments();
    const auto plug_in = [&] {
      arguments.restore();
      return calls_.made(equipment_.table.infer_shape, arguments.request(), receiver.shape(),
                         arguments.message());
    };
    const std::optional<int> answer = calls_.call(site, nullptr, plug_in, outcome_.observations);
    if (!answer) return std::nullopt;
    // Read before the call is repeated, which overwrites it.
    Inferred inferred = read_inference(*answer, receiver, *arguments.message());
    if (!repeated) return inferred;
    RowOfEqualCalls row;
    const auto in_a_row = [&] {
      receiver.shape()->rank = receiver.site().rank_before;  // the one before has left its own
      const int now = plug_in();
      bool alike = now == *answer;
      if (alike && now == RESHAPE_OK && inferred.malformed.empty()) {
        const Result<Shape> shape = receiver.read();
        alike = shape && *shape == inferred.shape;
      }
      row.answered(alike,
                   [&] { return text(read_inference(now, receiver, *arguments.message())); });
      return now;
    };
    const auto nothing = [] {};
    if (!calls_.repeat(site, nullptr, in_a_row, outcome_.observations, nothing)) {
      return std::nullopt;
    }
    row.tell(text(inferred), Plane::shape, outcome_.observations);
    return inferred;
  }

  void conclude(Inferred inferred) {
    if (!inferred.malformed.empty()) {
      return calls_.end(Outcome::Kind::malformed, nullptr, "answered " + inferred.malformed);
    }
    outcome_.message = std::move(inferred.message);
    switch (inferred.status) {
      case Status::ok:
        outcome_.kind = Outcome::Kind::produced;
        outcome_.shape = std::move(inferred.shape);
        return;
      case Status::rejected: outcome_.kind = Outcome::Kind::rejected; return;
      default: outcome_.kind = Outcome::Kind::unsupported; return;
    }
  }

  // --- execution ---------------------------------------------------------------------------------

  void execute_all() {
    if (!executable(outcome_.shape)) return execute_wrong_volume();
    const Layout out{
        outcome_.shape,
        request_.out_strides ? *request_.out_strides : *row_major_strides(outcome_.shape),
        request_.out_offset};
    const auto out_extent = extent_of(request_.data_type, out);
    if (!tensors_.data_extent() || !out_extent) return;
    const std::int64_t size =
        std::max({tensors_.data_extent()->size, out_extent->size, tensors_.packed_size()});
    const Outcome::Kind kind = outcome_.kind;
    run_probes(probes_for_execution(request_, equipment_.capabilities, size), out);
    if (outcome_.kind == kind && !out_of_memory_) execute_into_another_shape();
  }

  // Offers outputs of as many elements in another shape, which an implementation that checks only
  // the volume or the rank accepts.
  void execute_into_another_shape() {
    // An empty tensor of huge sizes is too large to have strides.
    if (!row_major_strides(another_shape(outcome_.shape))) return;
    const Outcome::Kind kind = outcome_.kind;
    for (const Probe& probe :
         probes_of_another_output(request_, equipment_.capabilities, outcome_.shape)) {
      execute_into_another_shape(probe);
      if (outcome_.kind != kind || out_of_memory_) return;
      // One acceptance is enough.
      if (outcome_.executions.back().status == Status::ok) return;
    }
  }

  // An output that has to be refused: dense, or if the probe writes its strides out, and outputs may
  // have any, in the way that `deciding` decides.
  Layout layout_to_refuse(const Shape& shape, const Probe& probe, const Shape& deciding) const {
    const Capabilities& can = equipment_.capabilities;
    if (!probe.explicit_strides || !can.strided_output) return row_major(shape);
    return refused_output(shape, refused_way(deciding, can.negative_strides), request_.data_type);
  }

  void execute_into_another_shape(const Probe& probe) {
    outcome_.executions.emplace_back().probe = probe;
    const Outcome::Kind kind = outcome_.kind;
    const Shape another = another_shape(outcome_.shape);
    run_probe(probe, layout_to_refuse(another, probe, outcome_.shape), outcome_.executions.back());
    if (!outcome_.executions.back().observations.empty()) calls_.tell();
    if (outcome_.kind != kind || out_of_memory_) return outcome_.executions.pop_back();
    Execution& taken = outcome_.executions.back();
    if (taken.status != Status::ok) return;
    const auto takes = [&](const Shape& one) {
      Execution tried;
      if (outcome_.kind == kind) {
        run_probe(probe, layout_to_refuse(one, probe, outcome_.shape), tried);
      }
      return tried.status == Status::ok && outcome_.kind == kind && !out_of_memory_;
    };
    // Where it depends on the calls before, which others are taken says nothing.
    const std::string others = takes(another_shape(outcome_.shape))
                                   ? which_are_taken(outcome_.shape, takes)
                                   : kRefusedAgain;
    if (outcome_.kind == kind && !out_of_memory_) taken.message = others;
    out_of_memory_ = false;
  }

  // False for a shape of a wrong volume, which is a fault already and has no right elements; see
  // execute_wrong_volume().
  bool executable(const Shape& shape) const {
    const std::optional<std::int64_t> count = element_count(shape);
    if (!count || count != element_count(request_.data)) return false;
    return request_.out_strides ? request_.out_strides->size() == shape.rank()
                                : row_major_strides(shape).has_value();
  }

  // An implementation that infers a wrong volume may write out of bounds: guard pages and canaries
  // detect it. A shape that should have been a refusal is executed here too if its volume is wrong,
  // else by run_probes(). Each execution is reported before its call, so that a death in it loses
  // neither the shape nor the execution. Without a listener both would be lost, so nothing is
  // executed then.
  void execute_wrong_volume() {
    if (!calls_.heard() || !tensors_.data_extent()) return;
    for (const WrongVolume& one :
         wrong_volumes(request_, equipment_.capabilities, outcome_.shape)) {
      if (!tensors_.for_execution(one.probe, one.output) || !tensors_.arm()) return;
      Execution& execution = outcome_.executions.emplace_back();
      execution.probe = one.probe;
      calls_.tell();
      DlRequest& arguments = tensors_.arguments();
      const auto plug_in = [&] {
        return calls_.made(equipment_.table.execute, arguments.request(), arguments.output(),
                           arguments.message());
      };
      const std::optional<int> answer =
          calls_.call(tensors_.site(), &one.probe, plug_in, execution.observations);
      if (!answer) {
        execution.observations.push_back(ended_in_wrong_volume(outcome_.message));
        outcome_.kind = Outcome::Kind::produced;
        outcome_.during.clear();
        outcome_.message.clear();
        return;
      }
      execution.status = status_of(*answer);
    }
  }

  // The shape that the pattern spells out, with what a 0 copies and what is left for a -1; nothing
  // where nothing whole is left, or it is much larger than the data.
  std::optional<Shape> literally_asked(std::int64_t data_count) const {
    std::vector<std::int64_t> sizes;
    std::optional<std::size_t> inferred;
    for (const PatternValue value : request_.pattern.values) {
      if (value < -1 || value > kMostAskedFor || (value == -1 && inferred)) return std::nullopt;
      const std::size_t axis = sizes.size();
      const bool copies = value == 0 && request_.special_zero.value_or(false);
      if (value == -1) inferred = axis;
      sizes.push_back(value == -1                             ? 1
                      : copies && axis < request_.data.rank() ? request_.data.sizes()[axis]
                                                              : static_cast<std::int64_t>(value));
    }
    const std::optional<std::int64_t> known = element_count(Shape(sizes));
    if (inferred && known) {
      if (*known != 0 && data_count % *known != 0) return std::nullopt;
      sizes[*inferred] = *known == 0 ? 0 : data_count / *known;
    }
    Shape shape(std::move(sizes));
    const std::optional<std::int64_t> count = element_count(shape);
    if (!count || *count > std::max(data_count, kMostAskedFor)) return std::nullopt;
    // An empty tensor of huge sizes is too large to have strides.
    if (!row_major_strides(shape)) return std::nullopt;
    return shape;
  }

  // Executes a refused request with outputs that a caller might pass: of the data's shape, and of
  // the shape that the pattern spells out, or of one axis.
  void refuse_all() {
    const std::optional<std::int64_t> count = element_count(request_.data);
    if (!count || !tensors_.data_extent() || !row_major_strides(request_.data)) return;
    const Shape shapes[] = {request_.data, literally_asked(*count).value_or(Shape{*count})};
    int turn = 0;
    for (const Probe& probe : probes_for_refusal(request_, equipment_.capabilities)) {
      const Layout out = layout_to_refuse(shapes[turn++ % 2], probe, request_.data);
      if (!extent_of(request_.data_type, out)) return;
      run_probes({probe}, out);
      if (outcome_.kind != Outcome::Kind::rejected || out_of_memory_) return;
    }
  }

  void run_probes(const std::vector<Probe>& probes, const Layout& out) {
    const Outcome::Kind kind = outcome_.kind;
    std::int64_t gathered = 0;
    for (const Probe& probe : probes) {
      gathered += tensors_.packed_size();
      if (gathered > kMostGathered) return;
      if (outcome_.executions.size() == 1) {
        if (!infer_request_between()) return;
        look_at_process(outcome_.observations);
      }
      if (outcome_.executions.size() == 2 && !infer_in_between(with_other_flag(request_))) return;
      if (outcome_.executions.size() == 3 && !infer_in_between(refused_between(request_))) return;
      outcome_.executions.emplace_back().probe = probe;
      run_probe(probe, out, outcome_.executions.back());
      if (!outcome_.executions.back().observations.empty()) calls_.tell();
      if (outcome_.kind == kind && !out_of_memory_) continue;
      outcome_.executions.pop_back();  // it ended in this one
      return;
    }
  }

  // Infers request_between(). False when that call threw.
  bool infer_request_between() {
    const Request other = request_between(request_);
    std::string came;
    if (!note_in_between(other) || !infer_unwatched(other, 1, came)) return false;
    // If the data's type is supported (this request produced), [5] to [5] is valid in every
    // document.
    if (came.empty() || outcome_.kind != Outcome::Kind::produced) return true;
    const std::string right = text_of_sizes(other.data.sizes());
    DlRequest& arguments = equipment_.between;
    ShapeReceiver& receiver = equipment_.between_receiver;
    if (came == right || !arguments.arm() || !receiver.arm(1, false)) return true;
    // If the answer is the same when repeated, it does not depend on the execution; other cases
    // test it.
    std::string again;
    thrown_by([&] { again = inferred_now(arguments, receiver); });
    if (again == came) return true;
    outcome_.observations.push_back(
        {CaughtBy::same_answer, Plane::shape, Duty::C17,
         "between two executions " + right + " to " + right + " was inferred: " + came});
    return true;
  }

  // An execution that takes over the last inference must not take its flag, or that it was refused.
  // False when a call threw. What is answered is judged where that request is asked itself.
  bool infer_in_between(const std::optional<Request>& other) {
    if (!other) return true;
    std::string came;
    return note_in_between(*other) && infer_unwatched(*other, other->pattern.values.size(), came);
  }

  // Before `other` is inferred: if the request itself is still answered as at first, a later change
  // is the doing of the other. False when the call threw.
  bool note_in_between(const Request& other) {
    std::string came;
    if (!infer_unwatched(request_, most_sizes(), came)) return false;
    if (came == inferred_first()) in_between_ = other;
    return true;
  }

  std::size_t most_sizes() const {
    return std::max(request_.pattern.values.size(), outcome_.shape.rank());
  }

  std::string inferred_first() const {
    return outcome_.kind == Outcome::Kind::rejected ? name(Status::rejected)
                                                    : text_of_sizes(outcome_.shape.sizes());
  }

  // Infers the request once more, so that the next one is inferred directly after it, and not after
  // what was inferred between executions: a note of the last request alone is then asked for what
  // is like it.
  void infer_at_last() {
    const bool refused = outcome_.kind == Outcome::Kind::rejected;
    if (!refused && outcome_.kind != Outcome::Kind::produced) return;
    const std::string before = inferred_first();
    std::string came;
    if (!infer_unwatched(request_, most_sizes(), came) || came.empty() || came == before) return;
    outcome_.observations.push_back(
        {CaughtBy::same_answer, Plane::shape, Duty::C17,
         "inference answered " + before + ", and " + came +
             (in_between_ ? kAfterAnother + print_line(*in_between_) : " after it was executed")});
  }

  // Infers `asked` with room for `most` sizes, without watches. False when the call threw. `came`
  // stays empty where there was no memory to ask with.
  bool infer_unwatched(const Request& asked, std::size_t most, std::string& came) {
    DlRequest& arguments = equipment_.between;
    ShapeReceiver& receiver = equipment_.between_receiver;
    arguments.take(asked);
    if (!arguments.arm() || !receiver.arm(most, false)) return true;
    return calls_.call_unwatched([&] { came = inferred_now(arguments, receiver); });
  }

  std::string inferred_now(DlRequest& arguments, ShapeReceiver& receiver) {
    const int answer = calls_.made(equipment_.table.infer_shape, arguments.request(),
                                   receiver.shape(), arguments.message());
    return text(read_inference(answer, receiver, *arguments.message()));
  }

  // Each way of executing is repeated once, at its first probe, to see whether memory grows.
  bool is_repeated(const Probe& probe) {
    if (calls_.looks_for_growth()) return tensors_.packed_size() <= kMostRepeated;
    const Sites way = site_of(probe.ask);
    if ((repeated_ & way) != 0) return false;
    repeated_ |= way;
    const bool plain =
        probe.ask == Probe::Ask::execute || probe.ask == Probe::Ask::execute_rejected;
    return tensors_.packed_size() <= (plain ? kMostRepeated : kMostRepeatedBesides);
  }

  void run_probe(const Probe& probe, const Layout& out, Execution& execution) {
    execute_probe(probe, out, execution);
    look_at_process(execution.observations);
  }

  void execute_probe(const Probe& probe, const Layout& out, Execution& execution) {
    // If there is no memory for the tensors, which is not the implementation's fault, nothing more
    // is executed; what was seen so far counts.
    out_of_memory_ = !tensors_.for_execution(probe, out) || !tensors_.arm();
    if (out_of_memory_) return;
    const bool view = probe.asks_view();
    DlRequest& arguments = tensors_.arguments();
    const auto function = view ? equipment_.table.view : equipment_.table.execute;
    // What comes late is often the end of a large output. It is copied before the watches take their
    // time, the last byte first.
    std::span<const std::byte> end;
    if (!view && tensors_.packed_size() > kMostSpelledOut) end = tensors_.end_of_output();
    std::vector<std::byte> soon(end.size());
    bool is_first = true;
    const auto plug_in = [&] {
      arguments.restore();
      const int status =
          calls_.made(function, arguments.request(), arguments.output(), arguments.message());
      if (std::exchange(is_first, false)) std::ranges::copy_backward(end, soon.end());
      return status;
    };
    const CallSite site = tensors_.site();
    const std::optional<int> answer = calls_.call(site, &probe, plug_in, execution.observations);
    if (!answer) return;
    execution.status = status_of(*answer);
    if (execution.status != Status::ok) {
      execution.message = text_of(*arguments.message());
    } else if (probe.ask == Probe::Ask::refused_view) {
      // There are no right elements, and reading them might leave the data.
    } else if (view) {
      execution.elements = view_elements(*arguments.output(), request_.data_type, out.shape,
                                         tensors_.data(), execution.observations);
      if (!view_again_) tell_where_a_view_is_right(probe, out, execution);
      const bool right = tensors_.are_as_placed(execution.elements);
      if (right && tensors_.packed_size() > kMostSpelledOut) {
        execution.elements = {};
        execution.as_placed = true;
      }
      if (!right && !execution.elements.empty()) {
        execution.message = "view set the strides " +
                            text_of_sizes({arguments.output()->strides, out.shape.rank()});
      }
    } else {
      read_output(probe, soon, execution);
    }
    if (!is_repeated(probe)) return;
    // The output is wiped, so that an implementation that skips a repeated call on the same buffers
    // shows.
    const bool looked_at = probe.ask == Probe::Ask::execute && execution.status == Status::ok;
    if (looked_at && !calls_.looks_for_growth()) tensors_.wipe_output();
    bool differs = false;
    std::string over = "over an output that was wiped", wrote = "other elements";
    std::vector<std::byte> changed;  // what is right since the data was changed
    std::vector<std::byte> left;     // what the output held then; empty from the next look on
    bool by_elements = false;        // wrong of the changed data, and not what it wrote before
    RowOfEqualCalls row;
    const auto in_a_row = [&] {
      const int now = plug_in();
      row.answered(now == *answer, [&] {
        const std::string why = now == RESHAPE_OK ? "" : text_of(*arguments.message());
        return name(status_of(now)) + (why.empty() ? "" : " (" + why + ")");
      });
      return now;
    };
    calls_.repeat(site, &probe, in_a_row, execution.observations, [&] {
      // In other ways of executing, the data has changed, or there is no output to check.
      if (!looked_at || differs) return;
      differs = !changed.empty()      ? !holds_written(changed)
                : execution.as_placed ? !tensors_.written_as_placed()
                                      : !holds_written(execution.elements);
      if (differs && tensors_.is_wiped()) wrote = "nothing";
      if (differs && !changed.empty()) {
        const bool kept = holds_written(execution.elements);
        // What left the output as it was has skipped the copy, and not taken other elements.
        by_elements = !kept && !left.empty() && !holds_written(left);
        if (kept || by_elements) over = "with one element of the data changed in between";
        if (kept) wrote = "what the data had held before";
        if (by_elements) wrote = "other elements than it holds now";
      }
      left.clear();
      if (differs || calls_.looks_for_growth()) return;
      // So does one that skips a copy whose result seems to be there, by the ends of the output or
      // by a sample of it.
      tensors_.change_middle();
      over = "over its own output, in which the element in the middle was changed,";
      // And one that keeps what lay at the data's address.
      const bool is_right = !execution.as_placed && changed.empty() &&
                            tensors_.output().buffer != &tensors_.data() &&
                            tensors_.packed_size() <= kMostChanged &&
                            same_bytes(execution.elements, tensors_.data_elements());
      if (!is_right) return;
      tensors_.change_data();
      changed = tensors_.data_elements();
      left = written();
    });
    row.tell(name(execution.status), Plane::bytes, execution.observations);
    if (differs) {
      // A copy that is wrong of some elements only answers the same each time.
      execution.observations.push_back({by_elements ? CaughtBy::bytes : CaughtBy::same_answer,
                                        Plane::bytes, by_elements ? Duty::C5 : Duty::C17,
                                        "executed again at once " + over + " it wrote " + wrote});
    }
  }

  // What execute wrote; `soon` is what stood at the end of a large output when it returned.
  void read_output(const Probe& probe, std::span<const std::byte> soon, Execution& execution) {
    execution.as_placed = !soon.empty() && tensors_.written_as_placed();
    if (!execution.as_placed) execution.elements = written();
    const auto late = [&](const std::string& when) {
      execution.observations.push_back(
          {CaughtBy::bytes, Plane::bytes, Duty::C5,
           "the output was still written " + when + " after execute had returned"});
    };
    if (!soon.empty() && !std::ranges::equal(soon, tensors_.end_of_output())) {
      late("while it was looked at,");
    } else if (!execution.as_placed) {
      const auto ms = written_later(execution.elements, probe.poison, [&] { return written(); });
      if (ms) late(std::to_string(*ms) + " ms");
    }
  }

  // The address of this execution's data modulo 64.
  std::uint64_t data_beyond_64() const {
    const DLTensor* data = tensors_.arguments().request()->data;
    return (reinterpret_cast<std::uintptr_t>(data->data) + data->byte_offset) % 64;
  }

  // If a view is outside of the data, tries again with data aligned to 64 bytes, and reports if
  // that works.
  void tell_where_a_view_is_right(const Probe& probe, const Layout& out, Execution& execution) {
    const auto seen =
        std::ranges::find(execution.observations, CaughtBy::view, &Observation::watch);
    const std::uint64_t beyond = data_beyond_64();
    if (seen == execution.observations.end() || beyond == 0) return;
    Probe aligned = probe;
    aligned.placement = Probe::Placement::front;
    aligned.byte_offset = false;
    Execution again;
    const Outcome::Kind kind = outcome_.kind;
    view_again_ = true;
    run_probe(aligned, out, again);
    view_again_ = false;
    const bool is_view = outcome_.kind == kind && !out_of_memory_ && again.status == Status::ok &&
                         data_beyond_64() == 0 && again.observations.empty();
    if (is_view) {
      seen->saw += ", which begins " + std::to_string(beyond) +
                   " bytes behind a multiple of 64; of data at a multiple of 64 they lie within";
    }
  }

  // The output's elements as they are now, row-major and packed.
  std::vector<std::byte> written() const {
    const OutputSite& output = tensors_.output();
    return gather(request_.data_type, *output.layout,
                  output.buffer->bytes().data() + output.extent.base);
  }

  bool holds_written(const std::vector<std::byte>& packed) const {
    const OutputSite& output = tensors_.output();
    return holds(request_.data_type, *output.layout,
                 output.buffer->bytes().data() + output.extent.base, packed);
  }

  Equipment& equipment_;
  const Request& request_;
  Tensors& tensors_;
  bool closely_ = false;
  bool out_of_memory_ = false;
  bool view_again_ = false;
  std::optional<Request> in_between_;  // inferred after an inference that was answered as the first
  Sites repeated_ = 0;
  Outcome outcome_;
  Calls calls_;
};

Examiner::Examiner(const PluginLibrary& library, Process process, CallNotes notes)
    : equipment_(new Equipment{library.table(),
                               library.capabilities(),
                               {std::move(notes), process != Process::not_watched}}) {
  if (process == Process::not_watched) return;
  equipment_->own_process = process == Process::own;
  equipment_->settings.emplace();
  equipment_->around_request = watch_process(library.capabilities().starts_threads);
}

Examiner::~Examiner() = default;

void Examiner::disturbed() { equipment_->process_known = false; }

Outcome Examiner::examine(const Request& request) {
  constexpr std::chrono::milliseconds kQuick{500};  // only quick examinations are repeated
  const auto began = std::chrono::steady_clock::now();
  Outcome outcome = Examination(*equipment_, request).run();
  if (changes_process(outcome) && std::chrono::steady_clock::now() - began < kQuick) {
    Examination closely(*equipment_, request);
    closely.look_closely();
    tell_by_which_execution(std::move(closely).run(), outcome);
  }
  return outcome;
}

Outcome Examiner::examine_growth(const Request& request, Sites sites,
                                 std::chrono::milliseconds most) {
  Examination examination(*equipment_, request);
  examination.look_for_growth(sites, most);
  return std::move(examination).run();
}

}  // namespace reshape::conformance
