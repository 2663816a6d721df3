#include "conformance/property/generated_cases.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "conformance/model/judge.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/property/covering.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

std::size_t number_of(const Aim& aim, const Dialect& dialect) {
  const std::vector<Aim> aims = aims_of(dialect);
  return static_cast<std::size_t>(std::find(aims.begin(), aims.end(), aim) - aims.begin());
}

// Large requests have many new combinations but are slow: they are not preferred as candidates.
bool costs_little(const Request& request) {
  constexpr std::int64_t kFew = 4096;
  return request.shape_only || element_count(request.data).value_or(0) <= kFew;
}

// Neighbouring numbers give unrelated seeds (the mixing of splitmix64).
std::uint64_t mixed(std::uint64_t seed, std::uint64_t number) {
  std::uint64_t z = seed + (number + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// The clause that a case of this answer is about.
std::string clause_of(const Document& document, const Ruling& ruling) {
  if (ruling.kind != Ruling::Kind::produces) return ruling.clause;
  for (const char* id : {"output.shape", "volume.kept"}) {
    for (const Clause& clause : document.clauses) {
      if (clause.id == id) return id;
    }
  }
  return "output.shape";
}

// Gives the request another layout; false where it has none.
bool lay_out_again(Generated& generated, const Abilities& abilities, Choices& choices) {
  if (generated.ruling.kind != Ruling::Kind::produces || generated.request.shape_only) return false;
  Request& request = generated.request;
  request.make_dense();
  generated.layout = draw_layout(request, generated.ruling.shape, abilities.layouts, choices);
  return true;
}

Generated a_kin_of(const Dialect& dialect, const Generated& before, const Abilities& abilities,
                   Choices& choices) {
  Generated kin = before;
  // Without a layout it would be the same request.
  if (choices.chance(40) && lay_out_again(kin, abilities, choices)) return kin;
  if (auto changed = generate_changed(dialect, before, abilities, choices)) {
    return *std::move(changed);
  }
  return generate(dialect, abilities, choices);
}

bool seen_by_the_same_watch(const Verdict& verdict, const Fault& fault) {
  return std::any_of(verdict.faults.begin(), verdict.faults.end(), [&](const Fault& other) {
    return other.plane == fault.plane && other.watch == fault.watch;
  });
}

}  // namespace

Abilities abilities_of(const Capabilities& capabilities) {
  Abilities abilities;
  abilities.data_types = capabilities.element_types;
  abilities.pattern_types = capabilities.pattern_types;
  abilities.max_rank = static_cast<std::size_t>(capabilities.max_rank);
  abilities.layouts = {capabilities.strided_input, capabilities.strided_output,
                       capabilities.negative_strides, sizeof(void*) == 8};
  return abilities;
}

namespace {

// Every sixth request is the one before it in another layout or with one thing changed, to find
// implementations whose caches lack a part of the key.
constexpr int kAgain = 6;

// Candidates of which the one with the most new combinations is asked.
constexpr int kCandidates = 8;

// Takes the dialects in turn. Each round begins with the next dialect, so that every sixth request
// is not always of the same ones.
std::size_t dialect_of(int number, std::size_t dialects) {
  const auto drawn = static_cast<std::size_t>(number - number / kAgain);
  return (drawn + drawn / dialects) % dialects;
}

}  // namespace

GeneratedCases generated_cases(const Suite& suite, const std::vector<std::string>& dialects,
                               const Capabilities& capabilities, std::uint64_t seed, int count,
                               Drawing drawing, const std::function<bool()>& enough) {
  GeneratedCases made;
  made.generation.seed = seed;
  const Abilities abilities = abilities_of(capabilities);
  std::map<std::string, Covering> covered;  // by dialect
  auto& drawn = made.generation.drawn;
  made.cases.reserve(static_cast<std::size_t>(count));
  std::optional<Generated> before;
  for (int number = 0; number < count; ++number) {
    constexpr int kPolled = 64;
    if (enough && number % kPolled == kPolled - 1 && enough()) break;
    const bool again = number % kAgain == kAgain - 1;
    const std::string& name = dialects[dialect_of(again ? number - 1 : number, dialects.size())];
    const Dialect& dialect = suite.document(name)->dialect;
    const auto choices_of = [&](int candidate) {
      return SeededChoices(mixed(mixed(seed, static_cast<std::uint64_t>(number)),
                                 static_cast<std::uint64_t>(candidate)));
    };
    SeededChoices first = choices_of(0);
    Generated generated =
        again ? a_kin_of(dialect, *before, abilities, first) : generate(dialect, abilities, first);
    if (drawing == Drawing::covering) {
      Covering& asked = covered[name];
      const auto news_of = [&asked, &dialect](const Generated& one) {
        return asked.news(one.request, number_of(one.aim, dialect), one.ruling.shape);
      };
      std::int64_t news = news_of(generated);
      for (int candidate = 1; candidate < kCandidates; ++candidate) {
        SeededChoices choices = choices_of(candidate);
        // Candidates have the class of the first one: refusals have fewer combinations (no layout of
        // an output), and would otherwise be chosen too rarely.
        Generated other = again ? a_kin_of(dialect, *before, abilities, choices)
                                : generate_in_class(dialect, generated.aim, abilities, choices);
        if (!costs_little(other.request)) continue;
        const std::int64_t brought = news_of(other);
        if (brought <= news) continue;
        news = brought;
        generated = std::move(other);
      }
      asked.add(generated.request, number_of(generated.aim, dialect), generated.ruling.shape);
    }
    before = generated;
    ++drawn["answer"][text(generated.aim)];
    ++drawn["family"][std::string(generated.family)];
    ++drawn["layout"][generated.layout];
    ++drawn["type"][std::string(reshape::name(generated.request.data_type))];
    ++drawn["pattern"][std::string(reshape::name(generated.request.pattern.type))];
    Case& one = made.cases.emplace_back();
    one.id = "generated/" + std::to_string(seed) + "/" + std::to_string(number);
    one.clauses = {clause_of(*suite.document(name), generated.ruling)};
    one.source.kind = "derived";
    one.source.section = "generated: " + std::string(generated.family);
    one.request = std::move(generated.request);
    one.expect = std::move(generated.ruling);
  }
  made.generation.requests = static_cast<int>(made.cases.size());
  return made;
}

std::uint64_t usual_seed(const Suite& suite) {
  std::istringstream version(suite.version);
  std::uint64_t major = 0, minor = 0, patch = 0;
  char dot = 0;
  version >> major >> dot >> minor >> dot >> patch;
  return (major * 1000 + minor) * 1000 + patch;
}

int usual_count(bool quick, std::size_t dialects) {
  const int many = static_cast<int>(dialects);
  return quick ? std::max(2600, 200 * many) : std::max(10000, 1000 * many);
}

namespace {

// A limit, since each request that hangs costs a whole deadline.
constexpr std::chrono::seconds kMostShrinking{5};

// Shrinks a failing request while it fails in the same way.
class Shrinking {
 public:
  Shrinking(const Suite& suite, const Case& failing, const Fault& kind, const Capabilities& able,
            int most)
      : dialect_(suite.document(failing.request.dialect)->dialect),
        able_(able),
        kind_(kind),
        most_(most),
        best_(failing),
        shown_(kind) {}

  // Whether the request fails in that way when `adapter` is asked now.
  bool fails(Adapter& adapter) {
    const Verdict seen = judged(best_.request, {best_.expect, std::nullopt}, adapter);
    if (!fails_as_asked(seen)) return false;
    shown_ = seen.faults.front();
    return true;
  }

  // Shrinks as far as possible. `ask(look)` calls `look` with the adapter to ask.
  template <class Ask>
  void shrink(const Ask& ask) {
    until_ = std::chrono::steady_clock::now() + kMostShrinking;
    while (!over() && (take_first(simpler(dialect_, best_.request), ask) || halve(ask))) {
    }
  }

  Smallest smallest() const {
    Smallest smallest;
    smallest.id = best_.id;
    smallest.line = print_line(best_.request);
    smallest.fails = std::string(name(shown_.plane)) + " plane, " + name(shown_.watch) +
                     ": expected " + shown_.expected + ", answered " + shown_.answered;
    std::string id = best_.id;
    std::replace(id.begin(), id.end(), '/', '-');
    smallest.yaml = yaml_case(best_, id);
    return smallest;
  }

 private:
  Verdict judged(const Request& request, const Expectation& expectation, Adapter& adapter) const {
    return judge(request, expectation, able_, adapter.ask(request));
  }
  bool fails_as_asked(const Verdict& seen) const {
    return seen.kind == Verdict::Kind::fail && seen_by_the_same_watch(seen, kind_);
  }
  bool over() const { return most_ <= 0 || std::chrono::steady_clock::now() > until_; }

  // Takes the first of these that fails; false where none does.
  template <class Ask>
  bool take_first(std::vector<Request> candidates, const Ask& ask) {
    for (Request& candidate : candidates) {
      const Ruling ruling = ruling_of(dialect_, candidate);
      const Expectation expectation{ruling, std::nullopt};
      if (why_unsupported(candidate, expectation, able_)) continue;
      if (over()) return false;
      --most_;
      Verdict seen;
      ask([&](Adapter& adapter) { seen = judged(candidate, expectation, adapter); });
      if (!fails_as_asked(seen)) continue;
      best_.request = std::move(candidate);
      best_.expect = ruling;
      shown_ = seen.faults.front();
      return true;
    }
    return false;
  }

  // Searches between each larger number and 1, of which simpler() tries a few: halves what is left,
  // as if all above the smallest that fails failed. False where no number became smaller.
  template <class Ask>
  bool halve(const Ask& ask) {
    constexpr PatternValue kFew = 64;  // simpler() tries the next one of these
    const std::size_t rank = best_.request.data.rank();
    bool smaller = false;
    for (std::size_t number = 0; number < rank + best_.request.pattern.values.size(); ++number) {
      PatternValue passes = 1;
      PatternValue fails = number < rank ? PatternValue{best_.request.data[number]}
                                         : best_.request.pattern.values[number - rank];
      while (fails > kFew && fails - passes > 1 && !over()) {
        const PatternValue middle = passes + (fails - passes) / 2;
        const bool does = take_first(with_number(dialect_, best_.request, number, middle), ask);
        (does ? fails : passes) = middle;
        smaller |= does;
      }
    }
    return smaller;
  }

  const Dialect& dialect_;
  const Capabilities& able_;
  const Fault kind_;
  int most_;
  std::chrono::steady_clock::time_point until_;
  Case best_;
  Fault shown_;
};

}  // namespace

std::optional<Smallest> shrunk(const Suite& suite, const Case& failing, const Verdict& verdict,
                               Adapter& adapter, const StartAdapter& start, int most) {
  const Capabilities& able = adapter.capabilities();
  const Fault& kind = verdict.faults.front();
  const auto in_a_fresh_process = [&](const auto& look) {
    if (const Result<std::unique_ptr<Adapter>> fresh = start()) look(**fresh);
  };
  const auto fails_there = [&](Shrinking& shrinking) {
    bool fails = false;
    in_a_fresh_process([&](Adapter& fresh) { fails = shrinking.fails(fresh); });
    return fails;
  };
  Shrinking here(suite, failing, kind, able, most);
  here.shrink([&](const auto& look) { look(adapter); });
  if (fails_there(here)) return here.smallest();
  // It failed because of an earlier request: shrink in fresh processes.
  Shrinking there(suite, failing, kind, able, most);
  if (!fails_there(there)) return std::nullopt;
  there.shrink(in_a_fresh_process);
  return there.smallest();
}

std::string yaml_case(const Case& one, const std::string& id) {
  const std::string clause =
      one.clauses.empty() ? std::string("output.shape") : one.clauses.front();
  return (one.expect.kind == Ruling::Kind::produces ? clause : one.expect.clause) + ":\n  " + id +
         ":\n    ask: " + print_line(one.request) + "\n    expect: " + text(one.expect) + "\n";
}

}  // namespace reshape::conformance
