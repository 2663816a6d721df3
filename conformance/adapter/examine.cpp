#include "conformance/adapter/examine.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "conformance/adapter/dl_request.h"
#include "conformance/adapter/probes.h"
#include "conformance/adapter/shape_receiver.h"
#include "conformance/adapter/tensor_image.h"
#include "conformance/adapter/thrown.h"
#include "conformance/adapter/view_alias.h"
#include "conformance/adapter/watches/watch.h"
#include "conformance/adapter/words.h"

namespace reshape::conformance {
namespace {

// All outputs of one request together; more would not fit one answer of a host process.
constexpr std::int64_t kMostGathered = std::int64_t{768} << 20;
// Equal calls for the memory watch are made up to this size.
constexpr std::int64_t kMostRepeated = std::int64_t{16} << 20;

Status status_of(int answer) {
  switch (answer) {
    case RESHAPE_OK: return Status::ok;
    case RESHAPE_REJECTED: return Status::rejected;
    case RESHAPE_UNSUPPORTED: return Status::unsupported;
    case RESHAPE_FAILED: return Status::failed;
    default: return Status::unknown;
  }
}

std::string text_of(const reshape_message& message) {
  return printable({message.text, strnlen(message.text, sizeof message.text)});
}

// What one inference answered, as far as it can be read.
struct Inferred {
  Status status = Status::unknown;
  Shape shape;
  std::string message;
  std::string malformed;       // why the answer cannot be read, or empty
};

std::string text_of(const Inferred& answer) {
  if (!answer.malformed.empty()) return answer.malformed;
  return answer.status == Status::ok ? text(answer.shape) : name(answer.status);
}

}  // namespace

struct Examiner::Equipment {
  const reshape_plugin& table;
  const Capabilities& capabilities;
  Progress progress;

  DlRequest arguments{};
  ShapeReceiver receiver{};
  GuardedBuffer data{"data"};
  GuardedBuffer output{"output"};
  std::vector<const GuardedBuffer*> buffers{};    // of the call at hand
  std::vector<WatchPtr> around_call{};
  std::vector<WatchPtr> around_request{};
  bool watch_memory = false;
  MemoryGrowth growth{};
};

// One request on its way through the calls.
class Examiner::Examination {
 public:
  Examination(Equipment& equipment, const Request& request)
      : equipment_(equipment), request_(request) {
    alignment_ = equipment.capabilities.alignment;
    if (alignment_ == 0) alignment_ = std::max(1, bits(request.data_type) / 8);
  }

  Outcome run() && {
    equipment_.arguments.take(request_);
    for (const WatchPtr& watch : equipment_.around_request) watch->before({});
    ask();
    for (const WatchPtr& watch : equipment_.around_request) {
      watch->after({}, Status::ok, outcome_.observations);
    }
    return std::move(outcome_);
  }

 private:
  void ask() {
    if (!has_strides()) {
      data_layout_.reset();
    } else {
      data_layout_ = data_layout(request_);
      data_extent_ = extent_of(request_.data_type, *data_layout_);
    }
    if (infer() && outcome_.kind == Outcome::Kind::produced) execute_all();
    if (outcome_.kind == Outcome::Kind::rejected) refuse_all();
  }

  // Sizes beyond 63 bits have no strides to be given.
  bool has_strides() const {
    return request_.strides ? request_.strides->size() == request_.data.rank()
                            : row_major_strides(request_.data).has_value();
  }

  void end(Outcome::Kind kind, const Probe* probe, std::string message) {
    outcome_.kind = kind;
    outcome_.during = probe != nullptr ? text(*probe) : "inference";
    outcome_.message = std::move(message);
  }

  void tell() const {
    if (equipment_.progress.seen) equipment_.progress.seen(outcome_);
  }

  // --- calls -------------------------------------------------------------------------------------

  // The implementation's answer, or nothing when it threw: then the examination is over.
  template <typename Call>
  std::optional<Status> call(const CallSite& site, const Probe* probe, Call plug_in,
                             std::vector<Observation>& seen) {
    if (equipment_.progress.entering) equipment_.progress.entering(probe);
    int answer = RESHAPE_FAILED;
    for (const WatchPtr& watch : equipment_.around_call) watch->before(site);
    const auto thrown = thrown_by([&] { answer = static_cast<int>(plug_in()); });
    const Status status = thrown ? Status::failed : status_of(answer);
    // The watch nearest to the call looks first.
    for (auto watch = equipment_.around_call.rbegin(); watch != equipment_.around_call.rend();
         ++watch) {
      if (!thrown) (*watch)->after(site, status, seen);
    }
    if (!thrown) {
      unknown_answer_ = answer;
      return status;
    }
    end(Outcome::Kind::crashed, probe, printable(*thrown));
    return std::nullopt;
  }

  // Equal calls directly after each other, for the watch over memory.
  template <typename Call>
  bool repeat(const CallSite& site, const Probe* probe, Call plug_in,
              std::vector<Observation>& seen) {
    if (!equipment_.watch_memory) return true;
    if (equipment_.progress.entering) equipment_.progress.entering(probe);
    MemoryGrowth& growth = equipment_.growth;
    growth.start_over();
    for (int i = 0; i < kGrowingCalls; ++i) {
      growth.before(site);
      const auto thrown = thrown_by([&] { plug_in(); });
      if (thrown) {
        end(Outcome::Kind::crashed, probe, printable(*thrown));
        return false;
      }
      growth.after(site, Status::ok, seen);
      if (!growth.growing()) return true;
    }
    return true;
  }

  // --- inference ---------------------------------------------------------------------------------

  bool infer() {
    std::optional<Inferred> first = infer_once(false);
    if (!first) return false;
    if (!outcome_.observations.empty()) tell();
    const std::optional<Inferred> again = infer_once(true);
    if (!again) return false;
    if (text_of(*first) != text_of(*again)) {
      outcome_.observations.push_back(
          {"same-answer", Plane::shape, "C17",
           "inference answered " + text_of(*first) + ", and then " + text_of(*again)});
    }
    conclude(std::move(*first));
    if (!outcome_.observations.empty()) tell();
    return outcome_.kind != Outcome::Kind::malformed;
  }

  // The first time without data and strides, the second time with them, in another place, with an
  // empty pattern as null: none of that may matter.
  std::optional<Inferred> infer_once(bool again) {
    DlRequest& arguments = equipment_.arguments;
    equipment_.data.unprotect();
    arguments.data_at(nullptr, 0, nullptr);
    if (again && data_extent_ && !request_.shape_only) place_bare_data();
    arguments.pattern_null(again);
    arguments.output_at(request_.data_type, Shape(), nullptr, 0, nullptr);
    const std::size_t most = request_.pattern.values.size();
    if (!arguments.arm() || !equipment_.receiver.arm(most, again)) {
      end(Outcome::Kind::malformed, nullptr, "no memory was left to ask with");
      return std::nullopt;
    }

    CallSite site;
    site.kind = CallKind::infer;
    collect_buffers(again && data_extent_ && !request_.shape_only, false);
    equipment_.receiver.append_buffers(equipment_.buffers);
    site.buffers = equipment_.buffers;
    site.arguments = arguments.arguments(CallKind::infer);
    site.shape = &equipment_.receiver.site();
    site.message = arguments.message();
    const auto plug_in = [&] {
      return equipment_.table.infer_shape(arguments.request(), equipment_.receiver.shape(),
                                          arguments.message());
    };
    const std::optional<Status> status = call(site, nullptr, plug_in, outcome_.observations);
    if (!status) return std::nullopt;
    Inferred inferred = read_inference(*status);
    if (again && !repeat(site, nullptr, plug_in, outcome_.observations)) return std::nullopt;
    return inferred;
  }

  // Inference may get a pointer, and has no business behind it: the bytes are not even set.
  void place_bare_data() {
    if (!equipment_.data.place(data_extent_->size, data_extent_->first, alignment_,
                               Probe::Placement::front,
                               parts_of(request_.data_type, *data_layout_, *data_extent_))) {
      data_extent_.reset();
      return;
    }
    equipment_.data.protect();
    equipment_.arguments.data_at(equipment_.data.bytes().data() + data_extent_->base,
                                 offset_bytes(request_.offset),
                                 request_.strides ? &*request_.strides : nullptr);
  }

  Inferred read_inference(Status status) const {
    Inferred inferred;
    inferred.status = status;
    if (status != Status::ok) inferred.message = text_of(*equipment_.arguments.message());
    if (status == Status::unknown) {
      inferred.malformed = "the status " + std::to_string(unknown_answer_) +
                           ", which the contract does not have";
    } else if (status == Status::failed) {
      inferred.malformed = "failed" + (inferred.message.empty() ? "" : ": " + inferred.message);
    } else if (status == Status::ok) {
      Result<Shape> shape = equipment_.receiver.read();
      if (shape) {
        inferred.shape = std::move(*shape);
      } else {
        inferred.malformed = shape.error().message;
      }
    }
    return inferred;
  }

  void conclude(Inferred inferred) {
    if (!inferred.malformed.empty()) {
      return end(Outcome::Kind::malformed, nullptr, "answered " + inferred.malformed);
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
    if (!executable(outcome_.shape)) return;
    const Request& request = request_;
    Layout out = output_layout(outcome_.shape);
    const auto out_extent = extent_of(request.data_type, out);
    if (!data_extent_ || !out_extent) return;
    run_probes(probes_for_execution(request, equipment_.capabilities,
                                    std::max({data_extent_->size, out_extent->size, packed_size()})),
               out);
  }

  // A wrong volume has been told by the shape already, and has no right elements.
  bool executable(const Shape& shape) const {
    const std::optional<std::int64_t> count = element_count(shape);
    if (!count || count != element_count(request_.data)) return false;
    return request_.out_strides ? request_.out_strides->size() == shape.rank()
                                : row_major_strides(shape).has_value();
  }

  Layout output_layout(const Shape& shape) const {
    return Layout{shape, request_.out_strides ? *request_.out_strides : *row_major_strides(shape),
                  request_.out_offset};
  }

  // The output of a refused request has whatever shape a caller might have hoped for: once that of
  // the data, once all elements in a row.
  void refuse_all() {
    const std::optional<std::int64_t> count = element_count(request_.data);
    if (!count || !data_extent_ || !row_major_strides(request_.data)) return;
    const Shape shapes[] = {request_.data, Shape{*count}};
    int turn = 0;
    for (const Probe& probe : probes_for_refusal(request_, equipment_.capabilities)) {
      const Layout out = row_major(shapes[turn++ % 2]);
      if (!extent_of(request_.data_type, out)) return;
      run_probes({probe}, out);
      if (outcome_.kind != Outcome::Kind::rejected || out_of_memory_) return;
    }
  }

  void run_probes(const std::vector<Probe>& probes, const Layout& out) {
    const Outcome::Kind kind = outcome_.kind;
    std::int64_t gathered = 0;
    for (const Probe& probe : probes) {
      gathered += packed_size();
      if (gathered > kMostGathered) return;
      outcome_.executions.emplace_back().probe = probe;
      run_probe(probe, out, &probe == &probes.front(), outcome_.executions.back());
      if (!outcome_.executions.back().observations.empty()) tell();
      if (outcome_.kind == kind && !out_of_memory_) continue;
      outcome_.executions.pop_back();   // it ended in this one
      return;
    }
  }

  std::int64_t packed_size() const {
    return bytes_for(request_.data_type, element_count(request_.data).value_or(0));
  }

  void run_probe(const Probe& probe, const Layout& out, bool repeated, Execution& execution) {
    const bool in_place = probe.ask == Probe::Ask::in_place;
    const bool view = probe.ask == Probe::Ask::view;
    OutputSite output;
    if (!place_data(probe)) return no_memory();
    if (in_place) {
      data_as_output(out.shape, probe, output);
    } else if (view) {
      equipment_.arguments.output_at(request_.data_type, out.shape, nullptr, 0,
                                     &unset_strides(out.shape.rank()));
    } else if (!place_output(out, probe, output)) {
      return no_memory();
    }
    if (!equipment_.arguments.arm()) return no_memory();
    if (!in_place) equipment_.data.protect();

    CallSite site;
    site.kind = view ? CallKind::view : CallKind::execute;
    collect_buffers(true, !in_place && !view);
    site.buffers = equipment_.buffers;
    site.arguments = equipment_.arguments.arguments(site.kind);
    site.input = in_place ? nullptr : &equipment_.data;
    site.output = view ? nullptr : &output;
    site.message = equipment_.arguments.message();
    site.must_refuse = probe.ask == Probe::Ask::execute_rejected;

    DlRequest& arguments = equipment_.arguments;
    const auto function = view ? equipment_.table.view : equipment_.table.execute;
    const auto plug_in = [&] {
      return function(arguments.request(), arguments.output(), arguments.message());
    };
    const std::optional<Status> status = call(site, &probe, plug_in, execution.observations);
    if (!status) return;
    execution.status = *status;
    if (*status != Status::ok) {
      execution.message = text_of(*arguments.message());
    } else if (view) {
      execution.elements = view_elements(*arguments.output(), request_.data_type, out.shape,
                                         equipment_.data, execution.observations);
    } else {
      execution.elements = gather(request_.data_type, *output.layout,
                                  output.buffer->bytes().data() + output.extent.base);
    }
    if (repeated && packed_size() <= kMostRepeated && !view) {
      repeat(site, &probe, plug_in, execution.observations);
    }
  }

  // --- placing -----------------------------------------------------------------------------------

  std::uint64_t offset_bytes(std::int64_t elements) const {
    return static_cast<std::uint64_t>(elements * bits(request_.data_type) / 8);
  }

  // Bytes before the base when a probe reaches the start by a byte offset.
  std::int64_t prefix(const Probe& probe) const {
    if (!probe.byte_offset) return 0;
    return alignment_ <= 64 ? 3 * alignment_ : alignment_;
  }

  bool place_data(const Probe& probe) {
    const std::int64_t before = prefix(probe);
    const auto extent = extent_of(request_.data_type, *data_layout_, before);
    if (!extent || !equipment_.data.place(extent->size, extent->first, alignment_, probe.placement,
                                          parts_of(request_.data_type, *data_layout_, *extent))) {
      return false;
    }
    if (packed_.empty() || packed_of_ != std::pair(probe.payload, probe.round)) {
      packed_ = packed_payload(request_, probe.payload, probe.round);
      packed_of_ = {probe.payload, probe.round};
    }
    placed_ = *extent;
    const std::span<std::byte> bytes = equipment_.data.bytes();
    if (!bytes.empty()) {
      fill(equipment_.data, gap_filling(probe));
      scatter(request_.data_type, *data_layout_, packed_, bytes.data() + extent->base);
    }
    const bool strides = request_.strides.has_value() || probe.explicit_strides;
    hand_over_data(probe, strides ? &data_layout_->strides : nullptr);
    equipment_.arguments.pattern_null(probe.null_if_empty);
    return true;
  }

  static void fill(const GuardedBuffer& buffer, std::uint8_t value) {
    for (const Part& part : buffer.parts()) {
      std::memset(buffer.bytes().data() + part.begin, value, part.end - part.begin);
    }
  }

  void hand_over_data(const Probe& probe, const Strides* strides) {
    if (probe.null_if_empty && is_empty(request_.data)) {
      return equipment_.arguments.data_at(nullptr, 0, strides);
    }
    const std::int64_t before = prefix(probe);
    equipment_.arguments.data_at(equipment_.data.bytes().data() + placed_.base - before,
                                 offset_bytes(request_.offset) + static_cast<std::uint64_t>(before),
                                 strides);
  }

  // Gaps of the data hold something else than the output, so that copied gaps show.
  static std::uint8_t gap_filling(const Probe& probe) {
    return static_cast<std::uint8_t>(~probe.poison ^ 0x11);
  }

  bool place_output(const Layout& out, const Probe& probe, OutputSite& site) {
    const std::int64_t before = prefix(probe);
    const auto extent = extent_of(request_.data_type, out, before);
    if (!extent || !equipment_.output.place(extent->size, extent->first, alignment_,
                                            probe.placement,
                                            parts_of(request_.data_type, out, *extent))) {
      return false;
    }
    const std::span<std::byte> bytes = equipment_.output.bytes();
    if (!bytes.empty()) fill(equipment_.output, probe.poison);
    site = {&equipment_.output, request_.data_type, &out, *extent, probe.poison, false};
    const bool strides = request_.out_strides.has_value() || probe.explicit_strides;
    const Strides* given = strides ? &out.strides : nullptr;
    if (probe.null_if_empty && is_empty(out.shape)) {
      equipment_.arguments.output_at(request_.data_type, out.shape, nullptr, 0, given);
    } else {
      equipment_.arguments.output_at(
          request_.data_type, out.shape, bytes.data() + extent->base - before,
          offset_bytes(out.offset) + static_cast<std::uint64_t>(before), given);
    }
    return true;
  }

  // In place: the output is the data's own pointer and offset.
  void data_as_output(const Shape& shape, const Probe& probe, OutputSite& site) {
    in_place_layout_ = row_major(shape);
    in_place_layout_.offset = request_.offset;
    site = {&equipment_.data, request_.data_type, &in_place_layout_, placed_, gap_filling(probe),
            true};
    const DLTensor& data = *equipment_.arguments.request()->data;
    equipment_.arguments.output_at(request_.data_type, shape, data.data, data.byte_offset,
                                   probe.explicit_strides ? &in_place_layout_.strides : nullptr);
  }

  const Strides& unset_strides(std::size_t rank) {
    unset_.assign(rank, kUnsetStride);
    return unset_;
  }

  void collect_buffers(bool data, bool output) {
    equipment_.buffers.clear();
    if (data) equipment_.buffers.push_back(&equipment_.data);
    if (output) equipment_.buffers.push_back(&equipment_.output);
    equipment_.arguments.append_buffers(equipment_.buffers);
  }

  // There is no memory to place the tensors of an execution, which is no fault of the implementation:
  // nothing more is executed, and what was seen so far stands.
  void no_memory() { out_of_memory_ = true; }

  Equipment& equipment_;
  const Request& request_;
  std::int64_t alignment_ = 1;
  std::optional<Layout> data_layout_;
  std::optional<Extent> data_extent_;       // without a prefix
  Extent placed_;                           // of the data in the call at hand
  std::vector<std::byte> packed_;           // the payload last used
  std::pair<Payload, int> packed_of_{Payload::distinct, -1};
  Layout in_place_layout_;
  Strides unset_;
  int unknown_answer_ = 0;
  bool out_of_memory_ = false;
  Outcome outcome_;
};

Examiner::Examiner(const PluginLibrary& library, bool watch_process, Progress progress)
    : equipment_(new Equipment{library.table(), library.capabilities(), std::move(progress)}) {
  std::vector<WatchPtr>& call = equipment_->around_call;
  call.push_back(watch_canaries());
  call.push_back(watch_input_unchanged());
  call.push_back(watch_output_gaps());
  call.push_back(watch_arguments_unchanged());
  call.push_back(watch_shape_canary());
  call.push_back(watch_rejection_writes_nothing());
  call.push_back(watch_message());
  call.push_back(watch_floating_point_control());
  if (!watch_process) return;
  std::vector<WatchPtr>& request = equipment_->around_request;
  request.push_back(watch_locale());
  request.push_back(watch_signals());
  request.push_back(watch_open_files());
  request.push_back(watch_working_directory());
  if (!library.capabilities().starts_threads) request.push_back(watch_threads());
  equipment_->watch_memory = true;
}

Examiner::~Examiner() = default;

Outcome Examiner::examine(const Request& request) {
  return Examination(*equipment_, request).run();
}

}  // namespace reshape::conformance
