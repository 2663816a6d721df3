#include "conformance/detection/execution_traits.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "conformance/model/outcome.h"
#include "conformance/run/wrong_in_common.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kFewFailures = 3;

using Failures = std::span<const CaseResult* const>;

std::set<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

// Leaves out what the duty itself is about (how it was called).
bool is_of_a_call(const CaseResult& one) {
  const Duty duty = one.verdict.faults.front().duty;
  return duty == Duty::C12 || duty == Duty::C13 || duty == Duty::C20 || duty == Duty::C21 ||
         one.asked->request.in_place;
}

std::string kind_in_common(Failures failures) {
  std::optional<std::set<std::string>> common;
  for (const CaseResult* one : failures) {
    const Fault& first = one->verdict.faults.front();
    const bool of_a_call = is_of_a_call(*one);
    for (const Fault& fault : one->verdict.faults) {
      if (fault.duty != first.duty || fault.watch != first.watch || fault.probe.empty()) continue;
      std::set<std::string> words = words_of(fault.probe);
      std::erase_if(words, [&](const std::string& word) {
        return word != "output=data" && (of_a_call || !word.starts_with("ask="));
      });
      if (!common) common = words;
      std::erase_if(*common, [&](const std::string& word) { return !words.contains(word); });
    }
  }
  std::string all;
  for (const std::string& word : common.value_or(std::set<std::string>())) {
    if (word != "ask=sent") all += (all.empty() ? "" : " and ") + probe_word_in_words(word);
  }
  return all;
}

// Where most of the failures are of plain executions: what is wrong with the elements of these.
// Over the data or in place the same mistake leaves others.
std::string wrong_in_plain_executions(Failures failures) {
  std::vector<const CaseResult*> plain;
  for (const CaseResult* one : failures) {
    if (one->verdict.faults.front().duty == Duty::C5) plain.push_back(one);
  }
  return 2 * plain.size() > failures.size() ? wrong_elements_in_common(plain) : "";
}

}  // namespace

std::string executions_in_common(Failures failures) {
  const bool all_executed = std::ranges::all_of(failures, [](const CaseResult* one) {
    return one->verdict.faults.front().probe.find('=') != std::string::npos;
  });
  if (failures.size() < kFewFailures || !all_executed) return "";
  std::string told;
  if (const std::string wrong = wrong_elements_in_common(failures); !wrong.empty()) {
    told = ": " + wrong;
  } else if (const std::string plainly = wrong_in_plain_executions(failures); !plainly.empty()) {
    told = ": in plain executions " + plainly;
  }
  const std::string kind = kind_in_common(failures);
  return kind.empty() ? told : told + kEachWith + kind;
}

}  // namespace reshape::conformance
