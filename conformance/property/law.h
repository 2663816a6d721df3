#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/model/clause.h"
#include "conformance/property/generator.h"
#include "conformance/property/law_result.h"

namespace reshape::conformance {

// What a law's trial works with: asks the implementation, and records what was asked.
class PropertyCheck {
 public:
  PropertyCheck(Adapter& adapter, const Dialect& dialect, std::uint64_t seed);

  // One request, in the ordinary way.
  Outcome ask(const Request& request);
  // All of them at the same time, each in a thread of its own, `times` times over. See Adapter.
  std::vector<Outcome> ask_together(const std::vector<Request>& requests, int times = 1);
  // The same work on the thread that loaded the library, one request after the other.
  std::vector<Outcome> ask_in_turn(const std::vector<Request>& requests, int times);
  // From now on ask_together() asks in turn on one thread, to see whether the law breaks without
  // threads.
  void without_threads() { in_turn_ = true; }
  bool in_turn() const { return in_turn_; }
  // See Adapter. The message of a malformed outcome or a death says what went wrong.
  std::optional<Outcome> ask_under(const Request& request, Hardship hardship);
  // See Adapter. Remembers only the first that is wrong.
  std::optional<Outcome> ask_swept(const std::vector<Request>& requests);
  // The library is unloaded and loaded again. See Adapter.
  bool can_reload() const { return adapter_.can_reload(); }
  std::optional<Error> reload();
  // See Adapter.
  std::optional<Adapter::BadEnd> end_process();

  const Capabilities& capabilities() const { return adapter_.capabilities(); }
  const Dialect& dialect() const { return dialect_; }
  const Abilities& abilities() const { return abilities_; }
  // Of data: those of the document that the implementation declares.
  ElementTypes promised_types() const { return dialect_.data_types & abilities_.data_types; }
  // Decisions beyond the input. The same in every trial of one input, so that a trial repeats.
  Choices& choices() { return choices_; }
  // Draws another request within the implementation's capabilities, of any class or of `aim`.
  Request another();
  Request another(const Aim& aim);

  // Dense, plain sizes: `data` to `output`, with a pattern type that holds them; all else as in
  // `like`.
  Request plain(const Request& like, const Shape& data, const Shape& output);
  // The same without layouts.
  static Request dense(Request request);
  // A promised pattern type that holds every value, where there is one.
  void fit_pattern_type(Request& request);
  // Whether the document produces a shape here and the implementation promised to support the
  // request.
  bool promised(const Request& request) const;
  // The same, and whether it is this shape (a 0 in the pattern may copy instead).
  bool promised(const Request& request, const Shape& shape) const;

  // The requests asked so far as lines, in order; consecutive equal ones once.
  const std::vector<std::string>& lines() const { return lines_; }
  // The time for this law is used up.
  bool out_of_time() const;
  void end_at(std::chrono::steady_clock::time_point end) { end_ = end; }

  // The first answer that no law allows: a crash, a hang, or what cannot be read. After it nothing
  // more is asked, and every answer is this one.
  const std::optional<Outcome>& breakdown() const { return breakdown_; }
  // An answer never came.
  bool hung() const { return hung_; }
  // The resource that the machine lacked to ask everything, in a sentence. Empty: everything was
  // asked.
  const std::string& refused() const { return refused_; }

 private:
  void remember(const Request& request);
  void look(const Outcome& outcome);
  void look_at_the_machine(const Outcome& outcome);
  Request within(const std::function<Request()>& draw) const;

  Adapter& adapter_;
  const Dialect& dialect_;
  Abilities abilities_;
  SeededChoices choices_;
  std::vector<std::string> lines_;
  std::optional<Outcome> breakdown_;
  std::string refused_;
  bool in_turn_ = false;
  bool hung_ = false;
  std::optional<std::chrono::steady_clock::time_point> end_;
};

// The result of one trial.
struct Trial {
  // discarded: the law says nothing about the input. unfinished: nothing wrong was seen, but time
  // or a resource ran out.
  enum class Kind : std::uint8_t { held, broken, discarded, unfinished };
  Kind kind = Kind::held;
  std::string says;  // broken: what was seen; else why the law does not speak about this
  std::optional<Duty> duty = std::nullopt;  // that is broken; absent: what the law rests on

  static Trial held() { return {}; }
  static Trial broken(std::string says) { return {Kind::broken, std::move(says)}; }
  static Trial discarded(std::string why) { return {Kind::discarded, std::move(why)}; }
  static Trial unfinished(std::string why) { return {Kind::unfinished, std::move(why)}; }
};

// A metamorphic relation: how the answers to several requests relate in every correct Reshape. Laws
// need no oracle, so they also find mistakes that the oracle and an implementation share.
struct Law {
  // What an input has to be, as far as the documents say.
  enum class Input : std::uint8_t { produces, rejects, any };

  std::string_view name;  // "round-trip"
  ClauseOrDuty rests_on;
  std::string_view says;  // in one sentence
  Input input = Input::produces;
  // Why an implementation need not be asked at all ("views are not promised"), or nothing. May be
  // null.
  std::optional<std::string> (*pointless)(const Capabilities& capabilities) = nullptr;
  Trial (*check)(const Request& input, PropertyCheck& property) = nullptr;
  // The cost of a trial relative to those of other laws; the number of trials is divided by it.
  int cost = 1;
  static constexpr int kOnce = 40;  // as costly as all trials of another law
  // Whether shrinking the input is of use; not where a trial uses only its dialect and flag.
  bool shrinks = true;
  // The law is about threads: a break that asking in turn on one thread shows as well is told as
  // such, and not as one of threads.
  bool of_threads = false;
  // The law is about the first requests of a process: each trial has a process of its own.
  bool fresh = false;
  // A single request breaks it, so that one that is executed wrongly when asked alone does, too. One
  // that is inferred wrongly does not.
  bool of_each = false;
};

// Every law, in the order of the table in laws.cpp. A new one is a file in laws/ and a line there.
std::span<const Law> all_laws();
const Law* law_named(std::string_view name);

// Draws an input of the kind that the law wants.
Request draw_input(const Law& law, const Dialect& dialect, const Abilities& abilities,
                   Choices& choices);

// Checks `law` for one input. `property_seed` decides what the trial adds to the input. `in_turn`:
// see without_threads().
struct Tried {
  Trial trial;
  std::vector<std::string> lines;
  bool hung = false;     // an answer never came
  bool refused = false;  // the machine had no room to ask all
  bool died = false;     // in a request that was asked in the ordinary way, or with others
};
using TimePoint = std::chrono::steady_clock::time_point;
Tried try_law(const Law& law, const Dialect& dialect, const Request& input, Adapter& adapter,
              std::uint64_t property_seed, std::optional<TimePoint> end = std::nullopt,
              bool in_turn = false);

struct LawOptions {
  std::uint64_t seed = 1;
  int requests = 40;    // inputs of each law, over all dialects; fewer of costly laws
  bool shrinks = true;  // shrink inputs that break a law
  double seconds = 30;  // for each law, and as much again for shrinking
  // Polled: the reason to stop, or nothing; may be empty.
  std::function<std::optional<std::string>()> stop = {};
  // Called after each law, by one thread at a time; may be empty.
  std::function<void(const LawResult&)> told = {};
  // Starts the implementation in a fresh process, to repeat what broke a law. Empty: not repeated.
  std::function<Result<std::unique_ptr<Adapter>>()> start = {};
  // Seconds for further trials of a broken law, which show what the breaking inputs have in common;
  // 0: none.
  double comparing_seconds = 0;
  int jobs = 1;  // laws checked at a time, each in its own process; 1 where `start` is empty
};

LawResult ask_law(const Law& law, const Suite& suite, const std::vector<std::string>& dialects,
                  Adapter& adapter, const LawOptions& options);
// The results in the order of the laws.
std::vector<LawResult> ask_laws(std::span<const Law* const> laws, const Suite& suite,
                                const std::vector<std::string>& dialects, Adapter& adapter,
                                const LawOptions& options);

}  // namespace reshape::conformance
