#include "conformance/detection/execution_traits.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "conformance/run/wrong_in_common.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kFewFailures = 3;

using Failures = std::span<const CaseResult* const>;

std::set<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

std::string in_words(const std::string& word) {
  constexpr std::pair<const char*, const char*> kWords[] = {
      {"strides=explicit", "strides written out"},
      {"byte_offset=used", "a byte_offset"},
      {"payload=hard", "the values that are hard to keep"},
      {"payload=zeros", "zeros as data"},
      {"placement=back", "buffers that end at a guard page"},
      {"placement=front", "buffers that begin at a page"},
      {"empty=null", "null pointers for empty tensors"},
      {"allocation=one", "data and output in one allocation"},
      {"output=data", "the output on top of the data"},
      {"ask=execute-rejected", "the execution of what inference refused"},
      {"ask=view", "a view asked for"},
  };
  for (const auto& [from, to] : kWords) {
    if (word == from) return to;
  }
  return word;
}

std::string set_up_in_common(Failures failures) {
  std::set<std::string> probes, common;
  for (const CaseResult* one : failures) {
    const std::string& probe = one->verdict.faults.front().probe;
    std::set<std::string> words = words_of(probe);
    // Leaves out what the duty itself is about (how it was called), and a payload that the request
    // fixes.
    const Duty duty = one->verdict.faults.front().duty;
    const bool of_a_call = duty == Duty::C12 || duty == Duty::C13 || duty == Duty::C20 ||
                           duty == Duty::C21 || one->asked->request.in_place;
    // Outputs of another shape always lie there.
    if (words.contains("ask=execute-other-output") || words.contains("ask=refused-view")) {
      words.erase("placement=back");
    }
    std::erase_if(words, [&](const std::string& word) {
      const bool own = one->asked->request.payload && word.starts_with("payload=");
      return own || (of_a_call && word.starts_with("ask=")) || word.starts_with("shift=") ||
             word.starts_with("poison=");
    });
    // A request's own strides and offset are always passed explicitly.
    const Request& request = one->asked->request;
    if (request.strides) words.insert("strides=explicit");
    if (request.offset != 0) words.insert("byte_offset=used");
    if (probes.empty()) common = words;
    std::erase_if(common, [&](const std::string& word) { return !words.contains(word); });
    probes.insert(probe);
  }
  for (const char* first : {"payload=distinct", "placement=odd", "strides=null", "ask=sent"}) {
    common.erase(first);
  }
  // If all have the same set-up, what they share says nothing, except for the kind of execution.
  if (probes.size() < 2) {
    std::erase_if(common, [](const std::string& word) {
      return !word.starts_with("ask=") && !word.starts_with("output=");
    });
  }
  // Where every request has strides or an offset of its own, the set-up does not matter.
  const auto all_have = [&](auto has) {
    return std::ranges::all_of(failures, [&](const auto* one) { return has(one->asked->request); });
  };
  if (all_have([](const Request& one) { return one.strides.has_value(); })) {
    common.erase("strides=explicit");
  }
  if (all_have([](const Request& one) { return one.offset != 0; }))
    common.erase("byte_offset=used");
  std::string all;
  for (const std::string& word : common) all += (all.empty() ? "" : " and ") + in_words(word);
  return all;
}

}  // namespace

std::string executions_in_common(Failures failures) {
  const bool all_executed = std::ranges::all_of(failures, [](const CaseResult* one) {
    return one->verdict.faults.front().probe.find('=') != std::string::npos;
  });
  if (failures.size() < kFewFailures || !all_executed) return "";
  std::string told;
  if (const std::string wrong = wrong_in_common(failures); !wrong.empty()) told = ": " + wrong;
  const std::string set_up = set_up_in_common(failures);
  return set_up.empty() ? told : told + kFirstSeenWith + set_up;
}

}  // namespace reshape::conformance
