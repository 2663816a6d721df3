#include "conformance/model/judge.h"

#include <algorithm>
#include <span>
#include <utility>

#include "conformance/abi/duty.h"
#include "conformance/model/another_shape.h"
#include "conformance/model/compare.h"
#include "conformance/model/has_view.h"

namespace reshape::conformance {
namespace {

// One judgement in the making. Each step looks at one part of the outcome and adds what is wrong.
class Judgement {
 public:
  Judgement(const Request& request, const Expectation& expectation,
            const Capabilities& capabilities, const Outcome& outcome)
      : request_(request),
        ruling_(expectation.ruling),
        capabilities_(capabilities),
        outcome_(outcome),
        outside_(why_unsupported(request, expectation, capabilities)),
        elements_(request, outcome.shape, expectation.elements ? &*expectation.elements : nullptr) {
  }

  Verdict verdict() && {
    judge_observations(outcome_.observations, "");
    judge_answer();
    for (const Execution& execution : outcome_.executions) judge_execution(execution);
    return conclude();
  }

 private:
  using Ask = Probe::Ask;

  // The same thing seen in many probes is one fault; the first probe shows it.
  void add(Fault fault) {
    for (const Fault& known : verdict_.faults) {
      if (known.plane == fault.plane && known.fingerprint() == fault.fingerprint()) return;
    }
    verdict_.faults.push_back(std::move(fault));
  }

  void judge_observations(const std::vector<Observation>& observations, const std::string& probe) {
    for (const Observation& seen : observations) {
      std::string expected(expects(seen.duty));
      if (expected.empty()) expected = "nothing to see";
      const bool of_a_view = seen.watch == CaughtBy::view && seen.duty == Duty::C12 &&
                             outcome_.kind == Outcome::Kind::produced;
      if (of_a_view && !has_view(data_layout(request_), outcome_.shape)) {
        expected = "unsupported: no strides show this data in the shape " + text(outcome_.shape);
      }
      add({seen.plane, "", seen.duty, seen.watch, expected, seen.saw, probe});
    }
  }

  // Where the document answers with a shape, the clause at fault is the one about the shape.
  std::string clause_of_answer() const {
    return ruling_.kind == Ruling::Kind::produces ? "output.shape" : ruling_.clause;
  }

  void wrong_answer(Duty duty) {
    shape_is_right_ = false;
    add({Plane::shape, clause_of_answer(), duty, CaughtBy::shape, text(ruling_), text(outcome_),
         ""});
  }

  void missing_message(const std::string& message, Status status, const std::string& probe) {
    if (message.find_first_not_of(' ') != std::string::npos) return;
    add({Plane::shape, "", Duty::C19, CaughtBy::message, std::string(expects(Duty::C19)),
         std::string(name(status)) + " without a message", probe});
  }

  void judge_answer() {
    switch (outcome_.kind) {
      case Outcome::Kind::produced:
        verdict_.chose = text(outcome_);
        if (!ruling_.permits(outcome_.shape)) {
          wrong_answer(ruling_.kind == Ruling::Kind::rejects ? Duty::C4 : Duty::C3);
        }
        return;
      case Outcome::Kind::rejected:
        verdict_.chose = name(outcome_.kind);
        if (!ruling_.permits_rejecting()) wrong_answer(Duty::C3);
        missing_message(outcome_.message, Status::rejected, "");
        return;
      case Outcome::Kind::unsupported:
        shape_is_right_ = false;
        missing_message(outcome_.message, Status::unsupported, "");
        if (!outside_) return wrong_answer(Duty::C18);
        unsupported_ = true;
        return;
      case Outcome::Kind::crashed:
      case Outcome::Kind::timed_out:
      case Outcome::Kind::malformed: return judge_breakdown();
      case Outcome::Kind::not_asked: return;
    }
  }

  // No answer, or none that can be read. What the crash handler saw tells the plane; without it the
  // plane is that of what was being asked for.
  void judge_breakdown() {
    const bool inferring = outcome_.during.empty() || outcome_.during == "inference";
    const bool malformed = outcome_.kind == Outcome::Kind::malformed;
    shape_is_right_ = !inferring && ruling_.permits(outcome_.shape);
    Plane plane = inferring ? Plane::shape : Plane::bytes;
    if (!malformed && !outcome_.observations.empty()) {
      plane = outcome_.observations.front().plane;
    }
    const Duty answer_duty = ruling_.kind == Ruling::Kind::rejects ? Duty::C4 : Duty::C3;
    Duty duty = !malformed ? Duty::C16 : inferring ? answer_duty : Duty::C5;
    // The probe in `during` varies from run to run; a baseline must not depend on it.
    Outcome came = outcome_;
    const bool either = outcome_.during == "inference or execution";
    if (!either) came.during = inferring ? "inference" : "execution";
    Fault fault{plane,
                inferring ? clause_of_answer() : "content.kept",
                duty,
                CaughtBy::process,
                inferring ? text(ruling_) : std::string(expects(Duty::C16)),
                text(came),
                inferring ? "" : outcome_.during};
    if (outcome_.crashed_at) fault.frame = CrashFrame{*outcome_.crashed_at, "", "", 0};
    add(std::move(fault));
    broke_down_ = true;
  }

  // The observations, without that of other elements in a repeated execution where those of the
  // first are wrong: elements that are never written differ then, too.
  std::vector<Observation> telling(const Execution& execution) {
    std::vector<Observation> seen = execution.observations;
    const auto repeated = [](const Observation& one) {
      return one.watch == CaughtBy::same_answer && one.plane == Plane::bytes;
    };
    const bool comparable = execution.probe.ask == Probe::Ask::execute &&
                            execution.status == Status::ok && shape_is_right_;
    if (comparable && std::ranges::any_of(seen, repeated) && elements_.difference(execution)) {
      std::erase_if(seen, repeated);
    }
    return seen;
  }

  void judge_execution(const Execution& execution) {
    const std::string probe = text(execution.probe);
    judge_observations(telling(execution), probe);
    // The wrong shape is a fault already. Refusing to execute it and executing it are both fine, as
    // long as nothing outside the tensors is touched; there are no right elements.
    if (execution.probe.ask == Ask::wrong_volume) return;
    if (execution.status != Status::ok) {
      missing_message(execution.message, execution.status, probe);
    }
    if (execution.probe.asks_another_shape()) return judge_another_shape(execution, probe);
    if (execution.status == Status::failed || execution.status == Status::unknown) {
      return wrong_status(execution, probe, Duty::C5);
    }
    switch (execution.probe.ask) {
      case Ask::execute_rejected: return judge_refusal(execution, probe);
      case Ask::view:
        if (execution.status == Status::unsupported) return judge_copy_needed(probe);
        break;
      case Ask::wrong_volume:
      case Ask::other_output:
      case Ask::refused_view: return;  // judged above
      case Ask::execute:
      case Ask::sent:
      case Ask::in_place:
      case Ask::overlap:
        if (execution.status == Status::unsupported && outside_) {
          unsupported_ = true;
          return;
        }
        break;
    }
    // With a wrong shape there are no right elements, and refusing it is no further fault.
    if (!shape_is_right_) return;
    if (execution.status == Status::rejected) {
      return execution.probe.asks_view() ? refused_view(execution, probe)
                                         : wrong_status(execution, probe, Duty::C17);
    }
    if (execution.status == Status::unsupported) return wrong_status(execution, probe, Duty::C18);
    judge_elements(execution, probe);
  }

  // "rejected (its words)"
  static std::string told(const Execution& execution) {
    const std::string status = name(execution.status);
    return execution.message.empty() ? status : status + " (" + execution.message + ")";
  }

  void wrong_status(const Execution& execution, const std::string& probe, Duty duty) {
    const bool refusing = execution.probe.ask == Ask::execute_rejected;
    add({refusing ? Plane::shape : Plane::bytes, refusing ? clause_of_answer() : "content.kept",
         refusing ? Duty::C4 : duty, CaughtBy::status,
         refusing ? "execution: rejected, as inference answered"
                  : "execution: ok, as inference " + text(outcome_),
         "execution: " + told(execution), probe});
  }

  // What has a shape has an output: whoever cannot view it says that it needs a copy.
  void refused_view(const Execution& execution, const std::string& probe) {
    add({Plane::memory, "", Duty::C12, CaughtBy::status,
         "view: ok, or unsupported where it needs a copy, as inference " + text(outcome_),
         "view: " + told(execution), probe});
  }

  // Where inference was wrong, an output of another shape may be the right one. "Unsupported" is
  // as good a refusal: of a view, the copy that it asks for is refused.
  void judge_another_shape(const Execution& execution, const std::string& probe) {
    const bool refused =
        execution.status == Status::rejected || execution.status == Status::unsupported;
    if (refused || !shape_is_right_) return;
    // Of an execution that succeeds, the message says what else it takes.
    const std::string status = execution.status == Status::ok && !execution.message.empty()
                                   ? std::string(name(execution.status)) + "; " + execution.message
                                   : told(execution);
    if (outcome_.kind == Outcome::Kind::rejected) {
      add({Plane::shape, clause_of_answer(), Duty::C4, CaughtBy::status,
           "view: refused, as inference answered", "view: " + status, probe});
      return;
    }
    const bool strided = execution.probe.explicit_strides && capabilities_.strided_output;
    const RefusedWay way = refused_way(outcome_.shape, capabilities_.negative_strides);
    add({Plane::shape, "", Duty::C20, CaughtBy::status, std::string(expects(Duty::C20)),
         (execution.probe.asks_view() ? "a view in the shape " : "execution into ") +
             text(another_shape(outcome_.shape)) + (strided ? text(way) : "") +
             ", where inference answered " + text(outcome_.shape) + ": " + status,
         probe});
  }

  // Inference refused, so execution has to refuse as well. If inference was wrong to refuse, an
  // execution that succeeds is no second fault.
  void judge_refusal(const Execution& execution, const std::string& probe) {
    if (execution.status == Status::rejected || !shape_is_right_) return;
    wrong_status(execution, probe, Duty::C4);
  }

  // A view may ask for a copy only where the elements do not already lie in row-major order.
  void judge_copy_needed(const std::string& probe) {
    if (!capabilities_.views || capabilities_.some_views || is_empty(request_.data) ||
        !is_row_major_dense(data_layout(request_))) {
      return;
    }
    add({Plane::memory, "", Duty::C12, CaughtBy::view, std::string(expects(Duty::C12)),
         "unsupported for dense data", probe});
  }

  static Duty duty_over_elements(Ask ask) {
    switch (ask) {
      case Ask::in_place: return Duty::C13;
      case Ask::view: return Duty::C12;
      case Ask::overlap: return Duty::C21;
      default: return Duty::C5;
    }
  }

  void judge_elements(const Execution& execution, const std::string& probe) {
    // A pointer outside the data has no elements: a fault reported already.
    const bool no_view =
        execution.probe.ask == Ask::view && execution.elements.empty() && !execution.as_placed &&
        std::ranges::any_of(execution.observations,
                            [](const Observation& one) { return one.watch == CaughtBy::view; });
    if (no_view) return;
    compared_ = true;
    compared_telling_payload_ |=
        request_.elements.has_value() || execution.probe.payload != Payload::zeros;
    const std::optional<Difference> wrong = elements_.difference(execution);
    if (!wrong) return;
    Duty duty = duty_over_elements(execution.probe.ask);
    std::string answered = wrong->answered;
    const auto before = static_cast<std::size_t>(&execution - outcome_.executions.data());
    if (elements_.holds_earlier(execution, std::span(outcome_.executions).first(before))) {
      duty = Duty::C17;
      answered += ": the elements of an earlier execution";
    }
    const bool says_strides = execution.probe.ask == Ask::view && !execution.message.empty();
    if (says_strides) answered += ", " + execution.message;
    add({Plane::bytes, "content.kept", duty, CaughtBy::bytes, wrong->expected, answered, probe});
  }

  Verdict::PlaneState state_of(Plane plane, bool asked) const {
    const bool at_fault = std::any_of(verdict_.faults.begin(), verdict_.faults.end(),
                                      [&](const Fault& fault) { return fault.plane == plane; });
    if (at_fault) return Verdict::PlaneState::fail;
    return asked ? Verdict::PlaneState::pass : Verdict::PlaneState::not_asked;
  }

  Verdict conclude() {
    // The shape first: other faults are often consequences of a wrong shape.
    std::stable_sort(verdict_.faults.begin(), verdict_.faults.end(),
                     [](const Fault& a, const Fault& b) { return a.plane < b.plane; });
    const bool answered = outcome_.kind == Outcome::Kind::produced ||
                          outcome_.kind == Outcome::Kind::rejected ||
                          (broke_down_ && shape_is_right_);
    verdict_.planes[static_cast<std::size_t>(Plane::shape)] = state_of(Plane::shape, answered);
    verdict_.planes[static_cast<std::size_t>(Plane::bytes)] = state_of(Plane::bytes, compared_);
    verdict_.planes[static_cast<std::size_t>(Plane::memory)] =
        state_of(Plane::memory, capabilities_.in_memory && !outcome_.executions.empty());
    if (ruling_.kind != Ruling::Kind::unspecified) verdict_.chose.clear();
    decide_kind();
    return std::move(verdict_);
  }

  void decide_kind() {
    verdict_.kind = Verdict::Kind::pass;
    if (!verdict_.faults.empty()) {
      verdict_.kind = Verdict::Kind::fail;
    } else if (outcome_.kind == Outcome::Kind::not_asked) {
      verdict_.kind = Verdict::Kind::unsupported;
      verdict_.reason = text(outcome_);
    } else if (unsupported_) {
      verdict_.kind = Verdict::Kind::unsupported;
      verdict_.reason = *outside_;
    } else if (outcome_.kind == Outcome::Kind::produced && !is_empty(request_.data) &&
               !request_.shape_only) {
      if (!compared_) {
        mistrust(capabilities_.shape_only ? "only the shape was asked: there is no execute"
                                          : "only the shape was asked: no execution was compared");
      } else if (!compared_telling_payload_) {
        mistrust("every element compared was 0");
      }
    }
  }

  void mistrust(const char* reason) {
    verdict_.kind = Verdict::Kind::mistrusted;
    verdict_.reason = reason;
  }

  const Request& request_;
  const Ruling& ruling_;
  const Capabilities& capabilities_;
  const Outcome& outcome_;
  const std::optional<std::string> outside_;  // why the request lies outside the description
  RightElements elements_;

  Verdict verdict_;
  bool shape_is_right_ = true;
  bool broke_down_ = false;
  bool unsupported_ = false;
  bool compared_ = false;
  bool compared_telling_payload_ = false;
};

}  // namespace

Verdict judge(const Request& request, const Expectation& expectation,
              const Capabilities& capabilities, const Outcome& outcome) {
  return Judgement(request, expectation, capabilities, outcome).verdict();
}

}  // namespace reshape::conformance
