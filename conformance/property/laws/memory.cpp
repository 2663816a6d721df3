// Where the bytes lie.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "conformance/property/laws/answers.h"
#include "conformance/property/laws/laws.h"

namespace reshape::conformance::laws {

Trial input_layout_free(const Request& input, PropertyCheck& property) {
  Request dense = property.dense(input);
  dense.payload = property.choices().chance(50) ? Payload::distinct : Payload::hard;
  if (dense.shape_only || is_empty(dense.data)) return Trial::discarded("no bytes are read");
  const Outcome right = property.ask(dense);
  if (!produced(right)) return Trial::discarded("no shape is produced");
  constexpr int kTries = 16;
  Request strided = dense;
  for (int attempt = 0; attempt < kTries && !strided.strides; ++attempt) {
    draw_layout(strided, right.shape, property.abilities().layouts, property.choices());
    // Positions with stride 0 share an element, which cannot hold the dense data's different
    // values.
    const Strides steps = strided.strides.value_or(Strides{});
    if (std::find(steps.begin(), steps.end(), 0) != steps.end()) strided = dense;
  }
  if (!strided.strides) return Trial::discarded("too large, or of too few axes, for a layout");
  strided.make_output_dense();
  const Outcome outcome = property.ask(strided);
  if (!produced(outcome) || outcome.shape != right.shape) {
    return Trial::broken("with strides " + text(outcome) + ", dense " + text(right));
  }
  if (elements_of(outcome, dense.data_type) == elements_of(right, dense.data_type)) {
    return Trial::held();
  }
  return Trial::broken("with strides " + text_of_sizes(*strided.strides) +
                       " other elements than dense");
}

namespace {

// Whether a view is declined in the way that is declared: some views of dense data are unsupported.
bool needs_copy(const Execution& execution, const PropertyCheck& property) {
  return execution.probe.ask == Probe::Ask::view && execution.status == Status::unsupported &&
         property.capabilities().some_views;
}

}  // namespace

Trial view_aliases(const Request& input, PropertyCheck& property) {
  Request dense = property.dense(input);
  if (dense.shape_only || is_empty(dense.data)) return Trial::discarded("no bytes are read");
  const Outcome outcome = property.ask(dense);
  if (outcome.kind != Outcome::Kind::produced) return Trial::discarded("no shape is produced");
  bool viewed = false;
  for (const Execution& view : outcome.executions) {
    if (view.probe.ask != Probe::Ask::view) continue;
    if (needs_copy(view, property)) continue;
    viewed = true;
    if (view.status != Status::ok) {
      return Trial::broken(std::string("view of dense data: ") + name(view.status));
    }
    for (const Observation& seen : view.observations) {
      if (seen.duty == Duty::C12) return Trial::broken("view: " + seen.saw);
    }
    for (const Execution& copy : outcome.executions) {
      const bool alike = copy.probe.ask == Probe::Ask::execute &&
                         copy.probe.payload == view.probe.payload &&
                         copy.probe.round == view.probe.round;
      if (alike && copy.status == Status::ok && copy.elements != view.elements) {
        return Trial::broken("the view shows other elements than the copy");
      }
    }
  }
  return viewed ? Trial::held() : Trial::discarded("no view was asked for, or made");
}

Trial rejection_writes_nothing(const Request& input, PropertyCheck& property) {
  const Outcome outcome = property.ask(input);
  if (outcome.kind != Outcome::Kind::rejected) return Trial::discarded("it is not refused");
  const auto wrote = [](const std::vector<Observation>& seen) -> const Observation* {
    const auto found = std::find_if(seen.begin(), seen.end(), [](const Observation& one) {
      return one.duty == Duty::C9 || one.duty == Duty::C7;
    });
    return found == seen.end() ? nullptr : &*found;
  };
  if (const Observation* seen = wrote(outcome.observations)) return Trial::broken(seen->saw);
  for (const Execution& execution : outcome.executions) {
    if (const Observation* seen = wrote(execution.observations)) return Trial::broken(seen->saw);
    if (execution.status == Status::ok) {
      return Trial::broken("inference refused it, and execution did it");
    }
  }
  return Trial::held();
}

Trial alignment_free(const Request& input, PropertyCheck& property) {
  const Outcome outcome = property.ask(input);
  if (outcome.kind != Outcome::Kind::produced || outcome.executions.empty()) {
    return Trial::discarded("nothing is executed");
  }
  using Key = std::tuple<Probe::Ask, Payload, int>;
  std::map<Key, const Execution*> first;
  bool compared = false;
  for (const Execution& execution : outcome.executions) {
    if (needs_copy(execution, property)) continue;
    const Probe& probe = execution.probe;
    auto [entry, fresh] = first.try_emplace(Key{probe.ask, probe.payload, probe.round}, &execution);
    if (fresh) continue;
    compared = true;
    const Execution& other = *entry->second;
    if (execution.status != other.status || execution.elements != other.elements) {
      return Trial::broken("differs between (" + probe_in_words(text(other.probe)) + ") and (" +
                           probe_in_words(text(probe)) + ")");
    }
  }
  return compared ? Trial::held() : Trial::discarded("it is executed once only");
}

}  // namespace reshape::conformance::laws
