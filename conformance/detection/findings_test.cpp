// findings_of() with failures whose cause is known.
#include "conformance/detection/findings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/model/another_shape.h"
#include "conformance/model/answered_after.h"
#include "conformance/model/judge.h"
#include "conformance/model/payload.h"
#include "conformance/run/oracle.h"
#include "conformance/spec/load.h"
#include "conformance/text/line.h"
#include "conformance/text/testing/expect_in.h"
#include "reference/tensor/declared_dialects.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {
namespace {

using Strings = std::vector<std::string>;

// Requests of every rank up to 6 that copy, infer, do both, or break a clause.
Strings lines() {
  Strings lines;
  for (int rank = 1; rank <= 6; ++rank) {
    for (const int size : {2, 3, 5, 7}) {
      std::string sizes, zeros;
      for (int axis = 0; axis < rank; ++axis) {
        sizes += (axis == 0 ? "" : ",") + std::to_string(axis == 0 ? size + 11 : size);
        zeros += axis == 0 ? "0" : ",0";
      }
      for (const std::string& pattern :
           Strings{sizes, zeros, "-1," + sizes, "-1,13", "-1,-1", "3,1"}) {
        lines.push_back("openvino-reshape-1 f32[" + sizes + "] i64[" + pattern +
                        "] special_zero=true");
      }
    }
  }
  return lines;
}

using Change = std::function<void(const Request&, Outcome&)>;

// Those requests, answered correctly except for `change`.
class Answered {
 public:
  explicit Answered(const Change& change) {
    result_.suite = &built_in_suite();
    Capabilities able;
    able.dialects = {"openvino-reshape-1"};
    able.element_types = able.pattern_types = ElementTypes::all();
    for (const std::string& line : lines()) {
      Case one;
      one.id = line;
      one.request = *parse_line(line);
      one.expect = oracle(*result_.suite, one.request)->ruling;
      cases_.push_back(std::move(one));
      CaseResult result;
      result.asked = &cases_.back();
      Outcome outcome;
      const bool produces = result.asked->expect.kind == Ruling::Kind::produces;
      outcome.kind = produces ? Outcome::Kind::produced : Outcome::Kind::rejected;
      outcome.shape = result.asked->expect.shape;
      outcome.message = "refused";
      change(result.asked->request, outcome);
      if (outcome.kind == Outcome::Kind::produced) result.produced = outcome.shape;
      result.executed = true;
      result.verdict = judge(result.asked->request, {result.asked->expect, {}}, able, outcome);
      result.wrong_shape =
          wrong_shape(result.asked->request, declared_dialect("openvino-reshape-1"),
                      result.asked->expect, outcome);
      for (const Fault& fault : result.verdict.faults) {
        if (result.wrong) break;
        result.wrong = conformance::wrong_elements(result.asked->request,
                                                   {result.asked->expect, {}}, outcome, fault);
      }
      // Only inference is tested here, so `mistrusted` counts as a pass.
      if (result.verdict.kind == Verdict::Kind::mistrusted) {
        result.verdict.kind = Verdict::Kind::pass;
      }
      result_.cases.push_back(std::move(result));
    }
    diagnosis_.failures = static_cast<int>(failed().size());
    diagnosis_.findings = findings();
  }

  const Diagnosis& diagnosis() const { return diagnosis_; }
  Diagnosis::Finding main() const {
    const Diagnosis::Finding* found = main_finding(diagnosis_);
    return found == nullptr ? Diagnosis::Finding{} : *found;
  }
  // The failures, which a test may change.
  std::vector<CaseResult*> failed() {
    std::vector<CaseResult*> all;
    for (CaseResult& one : result_.cases) {
      if (one.failed()) all.push_back(&one);
    }
    return all;
  }
  // Of the failures as they are now.
  std::vector<Diagnosis::Finding> findings() {
    KnownTraits known;
    return findings_of(result_, failed(), known);
  }
  // The findings, once it is marked which may have the cause of the first.
  const std::vector<Diagnosis::Finding>& marked() {
    mark_as_the_first(result_, diagnosis_);
    return diagnosis_.findings;
  }
  Diagnosis& diagnosed() { return diagnosis_; }
  // Adds the clause to the cases with data of that rank.
  void tag(std::size_t rank, const char* clause) {
    for (Case& one : cases_) {
      if (one.request.data.rank() == rank) one.clauses.push_back(clause);
    }
  }

 private:
  std::deque<Case> cases_;
  RunResult result_;
  Diagnosis diagnosis_;
};

Diagnosis::Finding main_of(const Change& change) { return Answered(change).main(); }
std::string says_of(const Change& change) { return main_of(change).says; }

bool is_valid(const Outcome& outcome) { return outcome.kind == Outcome::Kind::produced; }

void refuse(Outcome& outcome) {
  outcome.kind = Outcome::Kind::rejected;
  outcome.message = "too hard";
}

void break_down(Outcome& outcome, const std::string& message) {
  outcome = {};
  outcome.kind = Outcome::Kind::malformed;
  outcome.during = "inference";
  outcome.message = message;
}

TEST(Findings, NameTheClauseThatIsNotChecked) {
  const auto found = main_of([](const Request& request, Outcome& outcome) {
    const auto& values = request.pattern.values;
    if (request.data.rank() != 4 || values.size() != 2 || values[1] != -1) return;
    outcome.kind = Outcome::Kind::produced;
    outcome.shape = {2, 2};
  });
  EXPECT_EQ(found.clause, "minus-one.once");
  EXPECT_EQ(found.duty, Duty::C4);
  EXPECT_EQ(found.says, "what must be refused is answered with a shape");
  EXPECT_EQ(found.where, Strings{"data of rank 4"});
  EXPECT_EQ(found.passes, 20);  // the same clause at the other ranks
  EXPECT_EQ(found.passes_there, 0);
}

TEST(Findings, NameTheRuleBehindRefusalsAndTheBound) {
  const auto found = main_of([](const Request& request, Outcome& outcome) {
    if (is_valid(outcome) && request.pattern.values.front() == 0) refuse(outcome);
  });
  EXPECT_EQ(found.clause, "zero.copies");
  const auto ranks = main_of([](const Request& request, Outcome& outcome) {
    if (is_valid(outcome) && request.data.rank() >= 5) refuse(outcome);
  });
  EXPECT_EQ(ranks.clause, "output.shape");
  EXPECT_EQ(ranks.duty, Duty::C3);
  EXPECT_EQ(ranks.where, Strings{"data of rank 5 or more"});
}

TEST(Findings, NameTheCheckThatIsWrongBothWays) {
  const auto found = main_of([](const Request& request, Outcome& outcome) {
    if (request.data.rank() < 4) return;
    if (is_valid(outcome)) return refuse(outcome);
    if (request.pattern.values.front() != 3) return;
    outcome.kind = Outcome::Kind::produced;
    outcome.shape = {3, 1};
  });
  EXPECT_EQ(found.clause, "volume.kept");
  EXPECT_EQ(found.says,
            "what has an answer is refused (39), or what must be refused is answered with a shape "
            "(12); of "
            "the wrong shapes: the pattern's sizes, whose volume is not the data's");
}

TEST(Findings, TellFromTheAxesThatAreWrongWhichRuleIs) {
  const auto at = [](PatternValue value) {
    return [value](const Request& request, Outcome& outcome) {
      if (!is_valid(outcome)) return;
      std::vector<std::int64_t> sizes(outcome.shape.sizes().begin(), outcome.shape.sizes().end());
      for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
        if (request.pattern.values[axis] == value) ++sizes[axis];
      }
      outcome.shape = Shape(sizes);
    };
  };
  EXPECT_EQ(main_of(at(0)).clause, "zero.copies");
  EXPECT_EQ(main_of(at(-1)).clause, "minus-one.inferred");
}

TEST(Findings, BlameTheConditionOfSizesThatAreWrongInSeveralWays) {
  const auto found = main_of([](const Request& request, Outcome& outcome) {
    if (!is_valid(outcome) || request.data.rank() < 5) return;
    std::vector<std::int64_t> sizes(outcome.shape.sizes().begin(), outcome.shape.sizes().end());
    ++sizes[sizes.size() - 1 - (request.pattern.values.back() == 0)];
    ++sizes.front();
    outcome.shape = Shape(sizes);
  });
  EXPECT_EQ(found.clause, "output.shape");
  EXPECT_EQ(found.where, Strings{"data of rank 5 or more"});
}

TEST(Findings, BlameTheDutyThatIsBrokenWhateverTheClause) {
  const auto found = main_of([](const Request& request, Outcome& outcome) {
    if (is_valid(outcome)) return;
    outcome.kind = Outcome::Kind::produced;
    outcome.shape = request.data;
  });
  EXPECT_EQ(found.duty, Duty::C4);
  EXPECT_EQ(found.clause, "");
  EXPECT_EQ(found.says,
            "what must be refused is answered with a shape, of the clauses minus-one.divides (18), "
            "minus-one.once (24) and volume.kept (24): the data's own shape");
}

TEST(Findings, KeepApartTheRefusalsThatAreMissingForTwoReasons) {
  const Answered run([](const Request& request, Outcome& outcome) {
    const bool twice = request.pattern.values == std::vector<PatternValue>{-1, -1};
    const bool other_volume =
        request.pattern.values.front() == 3 && request.data.sizes().back() == 2;
    if (is_valid(outcome) || !(twice ? request.data.rank() >= 4 : other_volume)) return;
    outcome.kind = Outcome::Kind::produced;
    outcome.shape = request.data;
  });
  ASSERT_EQ(run.diagnosis().findings.size(), 2u);
  EXPECT_EQ(run.diagnosis().findings[0].clause, "minus-one.once");
  EXPECT_EQ(run.diagnosis().findings[0].where, Strings{"data of rank 4 or more"});
  EXPECT_EQ(run.diagnosis().findings[1].clause, "volume.kept");
}

TEST(Findings, NameWhatTheCasesAskForBesides) {
  Answered run([](const Request& request, Outcome& outcome) {
    if (request.data.rank() != 4 || is_valid(outcome)) return;
    outcome.kind = Outcome::Kind::produced;
    outcome.shape = {2, 2};
  });
  EXPECT_TRUE(run.findings().front().asks.empty());
  run.tag(4, "volume.exact");
  EXPECT_EQ(run.findings().front().asks, Strings{"volume.exact"});
  // A clause of most cases says nothing about the failing ones.
  for (const int rank : {1, 2, 3, 5, 6}) run.tag(rank, "volume.exact");
  EXPECT_TRUE(run.findings().front().asks.empty());
}

TEST(Findings, BlameTheChangedArgumentsAndNotTheAnswersThatThenDiffer) {
  const auto found = main_of([](const Request&, Outcome& outcome) {
    outcome.observations = {{CaughtBy::same_answer, Plane::shape, Duty::C17, "another"},
                            {CaughtBy::arguments_unchanged, Plane::memory, Duty::C11, "a stride"}};
  });
  EXPECT_EQ(found.duty, Duty::C11);
  EXPECT_EQ(found.clause, "");
}

TEST(Findings, SayWhichArgumentIsChanged) {
  const auto found = main_of([](const Request&, Outcome& outcome) {
    outcome.observations = {{CaughtBy::arguments_unchanged, Plane::memory, Duty::C11,
                             "byte 0 changed from 00 to 60 of the ndim in the tensor"}};
  });
  EXPECT_EQ(found.duty, Duty::C11);
  EXPECT_EQ(found.says, "the call changes the ndim in the tensor");
}

TEST(Findings, SayWhatIsWrongWithAView) {
  for (const char* saw :
       {"elements of the view lie outside of the data", "the view's strides were set to null"}) {
    const auto found = main_of([&](const Request&, Outcome& outcome) {
      outcome.observations = {{CaughtBy::view, Plane::memory, Duty::C12, saw}};
    });
    EXPECT_EQ(found.duty, Duty::C12);
    EXPECT_EQ(found.says, saw);
  }
}

// One call whose output holds only zeros.
Execution wrong_elements(const Request& request, Probe::Ask ask) {
  Execution execution;
  execution.probe.ask = ask;
  execution.elements.resize(static_cast<std::size_t>(*element_count(request.data)) * 4);
  return execution;
}

TEST(Findings, OfElementsThatAreWrongAnywayBlameNoOverlap) {
  const auto found = main_of([](const Request& request, Outcome& outcome) {
    if (!is_valid(outcome) || request.data.rank() != 4) return;
    const bool plainly = request.pattern.values.size() == 4;
    outcome.executions = {
        wrong_elements(request, plainly ? Probe::Ask::execute : Probe::Ask::overlap)};
  });
  EXPECT_EQ(found.duty, Duty::C5);
  EXPECT_EQ(found.clause, "content.kept");
  EXPECT_EQ(found.where, Strings{"data of rank 4"});
  EXPECT_TRUE(found.besides.empty());
}

// Also with few failures, if at least as many are wrong in plain executions.
TEST(Findings, OfFewElementsThatAreWrongAnywayBlameNoOverlap) {
  const auto duties = [](int plain, int overlapping) {
    const Answered run([=, wrong = 0](const Request& request, Outcome& outcome) mutable {
      if (!is_valid(outcome) || request.data.rank() != 4 || wrong >= plain + overlapping) return;
      outcome.executions = {
          wrong_elements(request, wrong < plain ? Probe::Ask::execute : Probe::Ask::overlap)};
      ++wrong;
    });
    Strings all;
    for (const Diagnosis::Finding& one : run.diagnosis().findings) all.push_back(name(one.duty));
    return all;
  };
  EXPECT_EQ(duties(2, 2), Strings{"C5"});
  EXPECT_EQ(duties(1, 2).front(), "C21");
}

TEST(Findings, OfElementsThatAreWrongWhereTheyOverlapBlameTheOverlap) {
  const auto found = main_of([](const Request& request, Outcome& outcome) {
    if (!is_valid(outcome) || request.data.rank() != 4) return;
    outcome.executions = {wrong_elements(request, Probe::Ask::overlap)};
  });
  EXPECT_EQ(found.duty, Duty::C21);
}

// The elements are right there.
TEST(Findings, OfWhatIsWrittenBesideAnOverlapBlameNoElements) {
  const auto found = main_of([](const Request& request, Outcome& outcome) {
    if (!is_valid(outcome) || request.data.rank() != 4) return;
    Execution over;
    over.probe.ask = Probe::Ask::overlap;
    over.as_placed = true;
    over.observations = {{CaughtBy::output_gaps, Plane::memory, Duty::C21, "byte 3 changed"}};
    outcome.executions = {over};
  });
  EXPECT_EQ(found.duty, Duty::C21);
  expect_in(found.says, "more than the elements is written where the output overlaps the data");
}

TEST(Findings, TellThatInferenceSaysThatItFailed) {
  const auto says = [](const char* message) {
    return says_of([=](const Request& request, Outcome& outcome) {
      if (!is_valid(outcome) || request.data.rank() != 4) return;
      break_down(outcome, message);
    });
  };
  EXPECT_TRUE(says("answered failed: no room").starts_with("inference says that it failed"));
  EXPECT_TRUE(says("answered unknown: no room").starts_with("the answer cannot be read"));
}

TEST(Findings, OfOneCopyAreOneHoweverItFails) {
  const auto found = main_of([](const Request& request, Outcome& outcome) {
    if (!is_valid(outcome) || request.data.rank() != 4) return;
    outcome.executions = {wrong_elements(request, Probe::Ask::execute)};
    if (request.pattern.values.size() == 4) {
      outcome.executions[0].as_placed = true;
      outcome.executions[0].observations = {
          {CaughtBy::canaries, Plane::memory, Duty::C7, "a byte"}};
    }
  });
  EXPECT_EQ(found.duty == Duty::C5 ? found.besides : Strings{name(found.duty)}, Strings{"C7"});
  EXPECT_EQ(found.where, Strings{"data of rank 4"});
}

// Data of rank 4 or more is copied wrongly, and under `beyond` something else is written besides.
Change copies_wrongly(const std::function<bool(const Request&)>& beyond) {
  return [=](const Request& request, Outcome& outcome) {
    if (!is_valid(outcome) || (request.data.rank() < 4 && !beyond(request))) return;
    outcome.executions = {wrong_elements(request, Probe::Ask::execute)};
    if (!beyond(request)) return;
    outcome.executions[0].as_placed = true;
    outcome.executions[0].observations = {{CaughtBy::canaries, Plane::memory, Duty::C7, "a byte"}};
  };
}

TEST(Findings, JoinTheFirstWhereSoManyMeetItsConditions) {
  const auto sevens = [](std::size_t least, std::size_t most) {
    return copies_wrongly([=](const Request& request) {
      return request.data.rank() >= least && request.data.rank() <= most &&
             request.data.sizes().back() == 7;
    });
  };
  const Answered one(sevens(5, 6));
  ASSERT_EQ(one.diagnosis().findings.size(), 1u);
  EXPECT_EQ(one.main().besides, Strings{"C7"});
  EXPECT_EQ(one.main().where, Strings{"data of rank 4 or more"});
  // Those of smaller rank do not meet them.
  EXPECT_EQ(Answered(sevens(2, 3)).diagnosis().findings.size(), 2u);
}

TEST(Findings, AreOneWhereNoConditionTellsTheSymptomsOfACopyApart) {
  int at = 0;
  const Answered several([&](const Request& request, Outcome& outcome) {
    if (!is_valid(outcome) || ++at % 4 != 0) return;
    copies_wrongly([&](const Request&) { return at % 8 == 0; })(request, outcome);
    if (at % 8 != 0) outcome.executions = {wrong_elements(request, Probe::Ask::execute)};
  });
  ASSERT_EQ(several.diagnosis().findings.size(), 1u);
  EXPECT_EQ(several.main().besides.size(), 1u);
  const Answered apart(copies_wrongly([](const Request& request) {
    return request.data.rank() == 1 && request.pattern.values.size() == 1;
  }));
  EXPECT_EQ(apart.diagnosis().findings.size(), 2u);
}

TEST(Findings, TellThePlaceThatMostFailuresLieAt) {
  Answered run(copies_wrongly([](const Request&) { return true; }));
  const auto lies_at = [&](std::size_t turns, const char* function) {
    std::vector<CaseResult*> failed = run.failed();
    for (std::size_t at = 0; at < failed.size(); at += turns) {
      const int line = 10 + static_cast<int>(at);
      failed[at]->verdict.faults.front().frame = CrashFrame{16, function, "mine.c", line};
    }
    return run.findings().front();
  };
  const Diagnosis::Finding most = lies_at(1, "turn");
  EXPECT_EQ(most.place, "turn at mine.c:10");
  EXPECT_EQ(most.at_place, most.failures);
  EXPECT_EQ(lies_at(3, "walk").place, "turn at mine.c:11");
  EXPECT_EQ(lies_at(3, "walk").with_place, most.failures);
  // A third of them in each of three.
  const std::vector<CaseResult*> failed = run.failed();
  for (std::size_t at = 1; at < failed.size(); at += 3) {
    failed[at]->verdict.faults.front().frame->function = "step";
  }
  EXPECT_EQ(run.findings().front().place, "");
  for (CaseResult* one : failed) one->verdict.faults.front().frame->line = 7;
  EXPECT_EQ(run.findings().front().place, "mine.c:7");
}

TEST(Findings, MayHaveTheCauseOfTheFirstWhereFewMeetItsConditions) {
  const auto one_of_rank = [](std::size_t rank) {
    return Answered([=](const Request& request, Outcome& outcome) {
      if (is_valid(outcome) && request.data.rank() >= 4) return refuse(outcome);
      const bool one = !is_valid(outcome) && request.data.rank() == rank &&
                       request.pattern.values.back() == 13 &&
                       (rank < 4 || request.data.sizes().back() == 7);
      if (!one) return;
      outcome = {};
      outcome.kind = Outcome::Kind::produced;
      outcome.shape = Shape({1, 13});
    });
  };
  Answered there = one_of_rank(5);
  ASSERT_EQ(there.marked().size(), 2u);
  EXPECT_FALSE(there.marked()[0].as_the_first);
  EXPECT_TRUE(there.marked()[1].as_the_first);
  there.diagnosed().causes.emplace_back().same = 1;
  EXPECT_FALSE(there.marked()[1].as_the_first);
  Answered elsewhere = one_of_rank(2);
  ASSERT_EQ(elsewhere.marked().size(), 2u);
  EXPECT_FALSE(elsewhere.marked()[1].as_the_first);
}

TEST(Findings, OfRefusalsThatAreCalledFailuresAreOneWhateverRefuses) {
  const Answered run([](const Request&, Outcome& outcome) {
    if (!is_valid(outcome)) break_down(outcome, "answered failed: no room");
  });
  ASSERT_EQ(run.diagnosis().findings.size(), 1u);
  EXPECT_TRUE(run.main().says.starts_with("inference says that it failed"));
}

TEST(Findings, OfUnheededRefusalsAreOneWhateverRefuses) {
  const Answered run([](const Request& request, Outcome& outcome) {
    if (is_valid(outcome)) return;
    Execution made;
    made.probe.ask = Probe::Ask::refused_view;
    outcome.executions = {made};
  });
  ASSERT_EQ(run.diagnosis().findings.size(), 1u);
  EXPECT_EQ(run.main().duty, Duty::C4);
}

TEST(Findings, MayHaveTheCauseOfTheFirstWhereTheyAreFewOfItsDuty) {
  Answered run([](const Request& request, Outcome& outcome) {
    if (is_valid(outcome) && request.data.rank() > 1) refuse(outcome);
    if (request.data.rank() == 1 && request.pattern.values.front() == 3) {
      outcome.kind = Outcome::Kind::timed_out;
    }
  });
  Diagnosis& diagnosis = run.diagnosed();
  ASSERT_EQ(diagnosis.findings.size(), 2u);
  diagnosis.findings[0].failures = 200;
  diagnosis.findings[1].failures = 10;
  diagnosis.findings[1].duty = Duty::C15;
  EXPECT_TRUE(run.marked()[1].as_the_first);  // both on the plane of shapes
  diagnosis.findings[1].as_the_first = false;
  diagnosis.findings[1].failures = 11;
  EXPECT_FALSE(run.marked()[1].as_the_first);
}

TEST(Findings, SayHowInferenceAndExecutionDisagree) {
  const auto found = main_of([](const Request& request, Outcome& outcome) {
    if (!is_valid(outcome)) return;
    outcome.executions = {wrong_elements(request, Probe::Ask::execute)};
    outcome.executions[0].status = Status::rejected;
    outcome.executions[0].message = "no";
  });
  EXPECT_EQ(found.duty, Duty::C17);
  EXPECT_EQ(found.says, "inference answers with a shape, and execution refuses");
}

// The document has no clause for what says of itself that it failed.
TEST(Findings, OfWhatSaysThatItFailedBlameNoClause) {
  const auto executed = main_of([](const Request& request, Outcome& outcome) {
    if (!is_valid(outcome)) return;
    outcome.executions = {wrong_elements(request, Probe::Ask::execute)};
    outcome.executions[0].status = Status::failed;
    outcome.executions[0].message = "no room";
  });
  EXPECT_EQ(executed.duty, Duty::C5);
  EXPECT_EQ(executed.clause, "");
  EXPECT_EQ(executed.says.substr(0, 29), "execution says that it failed");
  const auto inferred = main_of([](const Request&, Outcome& outcome) {
    break_down(outcome, "its answer has id 41, and was asked 4137");
  });
  EXPECT_EQ(inferred.clause, "");
  EXPECT_EQ(inferred.says.substr(0, 25), "the answer cannot be read");
}

// What fails from a moment on has in common what was asked then.
TEST(Findings, OfWhatFailsFromAPointOnTellThePointAndNoTendency) {
  int asked = 0;
  Answered run([&](const Request&, Outcome& outcome) {
    if (is_valid(outcome) && ++asked > 20) refuse(outcome);
  });
  for (CaseResult* one : run.failed()) one->replays.how = Replays::How::not_again;
  const auto findings = run.findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings.front().duty, Duty::C17);
  EXPECT_NE(findings.front().says.find(std::string(kInTheOrder) + "all 20 that it could have met"),
            std::string::npos)
      << findings.front().says;
  EXPECT_EQ(findings.front().where, Strings{});
  EXPECT_EQ(findings.front().mostly, "");
}

TEST(Findings, KnowWhatOnlyShowsAfterOtherRequests) {
  Answered run([](const Request& request, Outcome& outcome) {
    if (is_valid(outcome) && request.data.rank() == 3) refuse(outcome);
  });
  // A run looks at one failure of each kind.
  CaseResult& looked_at = *run.failed().front();
  looked_at.replays.how = Replays::How::after;
  const auto findings = run.findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings.front().duty, Duty::C17);
  const std::string how = "the answer depends on what was asked before";
  EXPECT_EQ(findings.front().says, how + " (1 looked at)");
  const auto says = [&](Strings before) {
    looked_at.replays.lines = std::move(before);
    return run.findings().front().says;
  };
  // What is confused can be named if the request before is as similar as possible.
  const Request& request = looked_at.asked->request;
  Request strided = request;
  strided.strides = Strides{60, 20, 2};
  EXPECT_EQ(says({print_line(strided)}),
            how + ": on a request that differs from it only in the data's strides (1 looked at)");
  // It is not what differs where others do it as well.
  looked_at.replays.others_too = true;
  EXPECT_EQ(says({print_line(strided)}), how + " (1 looked at)");
  EXPECT_EQ(says(Strings(3, print_line(request))),
            how + ": on how many calls there were (1 looked at)");
  EXPECT_EQ(says({print_line(request)}),
            how + ": on an earlier call of the same request (1 looked at)");
}

// One of each kind was looked at, and then all.
TEST(Findings, SayOfHowManyTheyKnowWhatWasBefore) {
  Answered run([](const Request& request, Outcome& outcome) {
    if (is_valid(outcome) && request.data.rank() == 3) {
      refuse(outcome);
    } else if (!is_valid(outcome) && request.data.rank() == 4) {
      outcome.kind = Outcome::Kind::produced;
    }
  });
  CaseResult* refused = nullptr;
  CaseResult* answered = nullptr;
  for (CaseResult* one : run.failed()) {
    CaseResult*& known = one->produced ? answered : refused;
    one->replays.how = known == nullptr ? Replays::How::after : Replays::How::in_doubt;
    if (known == nullptr) known = one;
  }
  ASSERT_TRUE(refused != nullptr && answered != nullptr);
  const auto says = [&] {
    const std::string whole = run.findings().front().says;
    return whole.substr(0, whole.find("; of the wrong shapes"));
  };
  const std::string how = "the answer depends on what was asked before";
  EXPECT_EQ(says(), how + " (2 looked at)");
  refused->replays.lines = Strings(3, print_line(refused->asked->request));
  EXPECT_EQ(says(), how + ": on how many calls there were (13, 1 looked at), or " + how +
                        " (4, 1 looked at)");
  for (CaseResult* one : run.failed()) one->replays = {Replays::How::after, {}};
  EXPECT_EQ(says(), how);
}

// A colon would name them as what was asked before.
TEST(Findings, OfAnAnswerThatDependsOnWhatWasBeforeTellWhichElementsAreWrong) {
  Answered run([](const Request& request, Outcome& outcome) {
    if (is_valid(outcome)) outcome.executions = {wrong_elements(request, Probe::Ask::execute)};
  });
  for (CaseResult* one : run.failed()) one->replays.how = Replays::How::after;
  EXPECT_EQ(run.findings().front().says,
            "the answer depends on what was asked before; wrong is every element; each holds what "
            "was there before");
}

// A thread that is left behind is not a differing answer, although it may be gone when asked again.
TEST(Findings, WhatIsLeftBehindAtTimesIsNoOtherAnswer) {
  Answered run([](const Request&, Outcome& outcome) {
    outcome.observations = {{CaughtBy::threads, Plane::memory, Duty::C14, "2 more threads"}};
  });
  const auto told = [&](Replays::How how) {
    for (CaseResult* one : run.failed()) one->replays.how = how;
    return run.findings().front();
  };
  const Diagnosis::Finding at_times = told(Replays::How::at_times);
  EXPECT_EQ(at_times.says, "the process is not left as it was found: threads, at times");
  EXPECT_EQ(at_times.duty, Duty::C14);
  EXPECT_EQ(told(Replays::How::after).says,
            "the process is not left as it was found: threads, which depends on what was asked "
            "before");
}

TEST(Findings, TellInWhichFormInferenceAnswersOtherwise) {
  const auto says = [](const std::string& saw) {
    return says_of([&](const Request&, Outcome& outcome) {
      outcome.observations = {{CaughtBy::same_answer, Plane::shape, Duty::C17, saw}};
    });
  };
  EXPECT_EQ(says("inference answered [1], and rejected (no place where it fits) where the pattern "
                 "has a byte_offset"),
            "inference answers otherwise where the pattern has a byte_offset");
  // The implementation's words are not taken for the examination's.
  EXPECT_EQ(says("inference answered [1], and rejected (no place where it fits)"),
            "the same request does not get the same answer each time");
}

TEST(Findings, TellAfterWhichRequestInferenceAnswersOtherwise) {
  const std::string says = says_of([](const Request& request, Outcome& outcome) {
    Request other = request;
    other.special_zero = false;
    outcome.observations = {
        {CaughtBy::same_answer, Plane::shape, Duty::C17,
         "inference answered [1], and rejected (not with 1)" + kAfterAnother + print_line(other)}};
  });
  EXPECT_EQ(says,
            "inference answers otherwise after another request was inferred, one that differs from "
            "it only in the flag");
}

// Executions where only the elements with one certain right value are wrong.
TEST(Findings, TellWhichValuesAreWrong) {
  constexpr std::int64_t kDifferent = 13;  // of the hard payload
  const auto says = [](std::int64_t wrong) {
    return says_of([&](const Request& request, Outcome& outcome) {
      if (!is_valid(outcome)) return;
      Execution execution = wrong_elements(request, Probe::Ask::execute);
      execution.probe.payload = Payload::hard;
      const std::int64_t count = *element_count(request.data);
      for (std::int64_t at = 0; at < count; ++at) {
        const std::uint64_t bits = payload_bits(Payload::hard, ElementType::f32, at);
        store_element(ElementType::f32, execution.elements.data(), at,
                      at % kDifferent == wrong ? bits ^ 0x00400000 : bits);
      }
      outcome.executions = {execution};
    });
  };
  expect_in(says(1), ": where a signalling NaN belongs; each is the quiet NaN of the right one");
  expect_in(says(2), ": where -0 belongs");
  EXPECT_FALSE(has(says(10), "belongs")) << says(10);  // an ordinary number
}

// How the first wrong executions were set up comes of their fixed order.
TEST(Findings, DoNotTellASetUpOfWhichNoneWithoutItIsKnown) {
  const auto says = says_of([calls = 0](const Request& request, Outcome& outcome) mutable {
    if (!is_valid(outcome)) return;
    Execution execution = wrong_elements(request, Probe::Ask::execute);
    execution.probe.placement = Probe::Placement::back;
    execution.probe.explicit_strides = ++calls % 2 == 0;
    outcome.executions = {execution};
  });
  EXPECT_EQ(says, "elements are wrong: every element; each holds what was there before");
}

// Over the data the same mistake leaves the data's own elements, and not what was there before.
TEST(Findings, TellWhatIsWrongOfPlainExecutionsWhereMostAreThose) {
  const auto says = [](int one_plain_in) {
    return says_of([=, calls = 0](const Request& request, Outcome& outcome) mutable {
      if (!is_valid(outcome)) return;
      const bool over_data = ++calls % 4 >= one_plain_in;
      Execution execution =
          wrong_elements(request, over_data ? Probe::Ask::overlap : Probe::Ask::execute);
      const std::int64_t count = over_data ? *element_count(request.data) : 0;
      for (std::int64_t at = 0; at < count; ++at) {
        const std::uint64_t right = payload_bits(Payload::distinct, ElementType::f32, at);
        const bool wrong = at % (2 + calls % 3) == 0;
        store_element(ElementType::f32, execution.elements.data(), at, right ^ (wrong ? 1 : 0));
      }
      outcome.executions = {execution};
    });
  };
  const std::string kPlainly =
      ": in plain executions every element; each holds what was there before";
  EXPECT_TRUE(says(3).ends_with(kPlainly)) << says(3);
  EXPECT_FALSE(has(says(2), "in plain executions")) << says(2);
}

TEST(Findings, TellWhichOutputsOfAnotherShapeAreTaken) {
  const auto says = [](const std::string& others) {
    return says_of([&](const Request& request, Outcome& outcome) {
      if (!is_valid(outcome) || is_empty(request.data)) return;
      Execution taken;
      taken.probe.ask = Probe::Ask::other_output;
      taken.message = others;
      outcome.executions.push_back(taken);
    });
  };
  const std::string kOnes = "of outputs that differ in axes of size 1 alone it takes ";
  const std::string kSizes = ", of those that differ in other sizes ";
  const std::string kOfRank = "; of those of its rank ";
  const std::string kOther = ", of those of another rank ";
  const std::string kOnlyInOnes =
      "an output is executed that differs from the inferred shape in axes of size 1 alone";
  const std::string kAny = "an output of another shape than the inferred one is not refused";
  for (const std::string& others :
       {kOnes + "2 of 2" + kSizes + "0 of 3",
        kOnes + "2 of 2" + kSizes + "0 of 3" + kOfRank + "0 of 1" + kOther + "2 of 4"}) {
    EXPECT_TRUE(says(others).starts_with(kOnlyInOnes)) << others;
  }
  expect_in(says(kOnes + "0 of 2" + kSizes + "3 of 3"), "and refused where it differs in axes");
  // Which are taken hangs on the rank, and whether they differ in axes of size 1 is coincidence.
  expect_in(
      says(kOnes + "0 of 2" + kSizes + "1 of 4" + kOfRank + "1 of 1" + kOther + "0 of 5"),
      "executed that has the rank of the inferred one, and refused where it has another rank");
  for (const std::string& others :
       {kOnes + "0 of 2" + kSizes + "2 of 2" + kOfRank + "2 of 2" + kOther + "0 of 2",
        kOnes + "2 of 2" + kSizes + "3 of 3", std::string()}) {
    EXPECT_TRUE(says(others).starts_with(kAny)) << others;
  }
  EXPECT_TRUE(says(kRefusedAgain).ends_with("is executed, and refused when it is asked again"));
}

TEST(Findings, TellThatAViewIsMadeOfWhatIsRefused) {
  const auto says = [](bool of_the_valid) {
    return says_of([&](const Request& request, Outcome& outcome) {
      if (is_valid(outcome) != of_the_valid || is_empty(request.data)) return;
      Execution made;
      made.probe.ask = Probe::Ask::refused_view;
      outcome.executions.push_back(made);
    });
  };
  EXPECT_EQ(says(true), "a view is made in another shape than the inferred one");
  EXPECT_TRUE(says(false).starts_with("inference refuses, and a view is made"));
}

TEST(Findings, TellWhatTheNextOfEqualCallsWrites) {
  const auto says = [](const char* wrote) {
    return says_of([&](const Request& request, Outcome& outcome) {
      if (!is_valid(outcome) || is_empty(request.data)) return;
      outcome.observations.push_back(
          {CaughtBy::same_answer, Plane::bytes, Duty::C17,
           std::string("executed again at once over an output that was wiped it wrote ") + wrote});
    });
  };
  EXPECT_EQ(says("nothing"),
            "executed again at once over an output that was wiped it wrote nothing");
  EXPECT_EQ(says("other elements"),
            "executed again at once over an output that was wiped it wrote other elements");
}

TEST(Findings, TellAMessageThatWasNotWrittenFromOneWithoutAnEnd) {
  const auto says = [](const char* saw) {
    return says_of([&](const Request& request, Outcome& outcome) {
      if (!is_valid(outcome) || is_empty(request.data)) return;
      outcome.observations.push_back({CaughtBy::message, Plane::memory, Duty::C19, saw});
    });
  };
  EXPECT_EQ(says("no NUL in the message that goes with rejected"),
            "a message does not end within its array");
  EXPECT_EQ(says("no NUL in the message that goes with rejected: nothing was written into it"),
            "nothing is written into a message");
}

// No passing case is refused for the same reason as the failures, so there is none to compare with.
TEST(Findings, TellWhichRefusalLeavesSomethingBehind) {
  const auto says = [](auto leaks) {
    return says_of([&](const Request& request, Outcome& outcome) {
      if (!leaks(request, outcome)) return;
      outcome.observations.push_back(
          {CaughtBy::memory_growth, Plane::memory, Duty::C15, "80 bytes a call"});
    });
  };
  const std::string kGrows = "memory grows by the call";
  EXPECT_EQ(says([](const Request& request, const Outcome&) {
              return std::ranges::count(request.pattern.values, -1) == 2;
            }),
            kGrows + ", each time that minus-one.once refuses");
  EXPECT_EQ(says([](const Request&, const Outcome& outcome) { return !is_valid(outcome); }),
            kGrows + ", each time that a request is refused");
  EXPECT_EQ(says([](const Request& request, const Outcome& outcome) {
              return !is_valid(outcome) && request.data.rank() < 4;
            }),
            kGrows + ", each time that a request is refused");
  EXPECT_EQ(says([](const Request&, const Outcome&) { return true; }), kGrows);
}

// Outputs of another shape lie in one place each time; that one lies on the data is the kind of
// execution.
TEST(Findings, TellThatWhatIsTakenIsTakenOnTopOfTheData) {
  const auto says = [](bool over_data) {
    return says_of([&, turn = 0](const Request& request, Outcome& outcome) mutable {
      if (!is_valid(outcome) || is_empty(request.data)) return;
      Execution taken;
      taken.probe.ask = Probe::Ask::other_output;
      taken.probe.over_data = over_data;
      taken.probe.placement = Probe::Placement::back;
      taken.probe.explicit_strides = ++turn % 2 == 0;
      outcome.executions.push_back(taken);
    });
  };
  const std::string kAlways = "an output of another shape than the inferred one is not refused";
  EXPECT_EQ(says(false), kAlways);
  EXPECT_EQ(says(true), kAlways + ", each with the output on top of the data");
}

TEST(Findings, AreNoCauseWhereThereAreTwoOrFew) {
  const Answered two([](const Request& request, Outcome& outcome) {
    if (is_valid(outcome) && request.pattern.values.front() == -1) refuse(outcome);
    if (!is_valid(outcome) && request.pattern.values.front() == 3) {
      outcome.kind = Outcome::Kind::timed_out;
    }
  });
  EXPECT_GE(two.diagnosis().findings.size(), 2u);
  EXPECT_EQ(main_finding(two.diagnosis()), nullptr);
  int calls = 0;
  const Answered few([&](const Request&, Outcome& outcome) {
    if (is_valid(outcome) && ++calls <= 2) refuse(outcome);
  });
  EXPECT_EQ(few.diagnosis().failures, 2);
  EXPECT_EQ(main_finding(few.diagnosis()), nullptr);
  EXPECT_TRUE(few.diagnosis().findings.front().where.empty());
}

// A mistake that knows nothing of earlier requests does not explain what hangs on these.
TEST(Findings, OfEarlierRequestsComeBeforeWhatAMistakeWithoutThemExplains) {
  Diagnosis diagnosis;
  diagnosis.failures = 129;
  diagnosis.findings.resize(3);
  const auto put = [&](std::size_t at, const char* clause, Duty duty, int failures) {
    diagnosis.findings[at].clause = clause;
    diagnosis.findings[at].duty = duty;
    diagnosis.findings[at].failures = failures;
  };
  put(0, "special-zero.required", Duty::C4, 119);
  put(1, "output.shape", Duty::C17, 6);
  put(2, "", Duty::C17, 4);
  put_history_first(diagnosis);
  EXPECT_EQ(diagnosis.findings.front().failures, 119);  // no mistake is named
  diagnosis.causes.emplace_back().breaks = "special-zero.required";
  put_history_first(diagnosis);
  EXPECT_EQ(diagnosis.findings.front().failures, 4);
  ASSERT_NE(main_finding(diagnosis), nullptr);
  EXPECT_EQ(main_finding(diagnosis)->failures, 119);
}

TEST(Findings, OfOneSentenceAndOneConditionAreOne) {
  const Answered run([](const Request& request, Outcome& outcome) {
    if (is_valid(outcome) && request.data.rank() != 4) return refuse(outcome);
    const bool fails = request.data.rank() == 4 && request.pattern.values.back() != 13;
    if (is_valid(outcome) || !fails) return;
    break_down(outcome, "answered failed: no room");
  });
  const auto failed = std::ranges::count_if(run.diagnosis().findings, [](const auto& one) {
    return one.says.starts_with("inference says that it failed");
  });
  EXPECT_EQ(failed, 1);
}

// These are opposite answers, and lie in two places of the code.
TEST(Findings, KeepApartAViewThatIsNotMadeFromOneThatIsWrong) {
  const Answered run([](const Request& request, Outcome& outcome) {
    const bool none = request.data.rank() == 4;
    if (!is_valid(outcome) || (!none && request.data.rank() != 2)) return;
    outcome.observations = {
        {CaughtBy::view, Plane::memory, Duty::C12,
         none ? "unsupported for dense data" : "elements of the view lie outside of the data"}};
  });
  ASSERT_EQ(run.diagnosis().findings.size(), 2u);
  EXPECT_NE(run.diagnosis().findings[0].says, run.diagnosis().findings[1].says);
  for (const Diagnosis::Finding& one : run.diagnosis().findings) EXPECT_EQ(one.where.size(), 1u);
}

// They are wrong sizes as others are, and of the rule that they come of.
TEST(Findings, OfSizesBelowZeroAreOfTheRuleThatGivesThem) {
  const auto found = main_of([](const Request& request, Outcome& outcome) {
    if (!is_valid(outcome) || request.pattern.values.front() != -1) return;
    Strides sizes(outcome.shape.sizes().begin(), outcome.shape.sizes().end());
    sizes.front() = -4;
    break_down(outcome, "answered the sizes " + text_of_sizes(sizes));
  });
  EXPECT_EQ(found.clause, "minus-one.inferred");
  EXPECT_TRUE(found.says.starts_with("the size that -1 stands for is wrong")) << found.says;
}

TEST(Findings, OfSizesAboveTheLargestAreOfTheClauseThatIsNotKept) {
  const auto found = main_of([](const Request& request, Outcome& outcome) {
    if (is_valid(outcome) || request.pattern.values.front() != 3) return;
    break_down(outcome,
               "its answer has 'shape[1]' 9223372036854775808, which is above "
               "9223372036854775807");
  });
  EXPECT_EQ(found.clause, "volume.kept");
  EXPECT_TRUE(found.says.starts_with("what must be refused is answered with a size above 2^63-1"))
      << found.says;
}

// Other refusals pass, which do not have the condition; and answers pass that have it.
TEST(Findings, TellThatOnlyRefusalsLeaveSomethingBehindWhereTheyHaveAConditionBesides) {
  const auto found = main_of([](const Request& request, Outcome& outcome) {
    if (is_valid(outcome) || request.data.rank() < 4) return;
    outcome.observations.push_back(
        {CaughtBy::memory_growth, Plane::memory, Duty::C15, "80 bytes a call"});
  });
  EXPECT_EQ(found.where, Strings{"data of rank 4 or more"});
  EXPECT_EQ(found.says, "memory grows by the call, each time that a request is refused");
}

}  // namespace
}  // namespace reshape::conformance
