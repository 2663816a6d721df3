#include "conformance/model/wrong_elements.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "conformance/model/compare.h"
#include "conformance/model/compared_elements.h"
#include "conformance/model/same_bytes.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kMostWrong = std::size_t{1} << 20;  // elements; more take long to look at
constexpr std::int64_t kBlock = 4096;  // elements; equal blocks are skipped by one comparison

// Nothing where there are too many.
std::optional<std::vector<std::int64_t>> wrong_positions(const ComparedElements& elements) {
  const auto block_bytes = static_cast<std::size_t>(bytes_for(elements.request.data_type, kBlock));
  std::vector<std::int64_t> wrong;
  for (std::int64_t first = 0; first < elements.count; first += kBlock) {
    const std::size_t from = static_cast<std::size_t>(first / kBlock) * block_bytes;
    const std::size_t size = std::min(block_bytes, elements.right.size() - from);
    if (same_bytes(elements.right.subspan(from, size), elements.came.subspan(from, size))) continue;
    for (std::int64_t at = first; at < std::min(first + kBlock, elements.count); ++at) {
      if (elements.right_at(at) != elements.came_at(at)) wrong.push_back(at);
    }
    if (wrong.size() > kMostWrong) return std::nullopt;
  }
  return wrong;
}

// Whether elements that a case writes out, if any, are as many as the output's: else they are not
// compared.
bool are_as_many(const std::optional<std::vector<std::uint64_t>>& written, std::int64_t count) {
  return !written || static_cast<std::int64_t>(written->size()) == count;
}

const Execution* execution_of(const Outcome& outcome, const Fault& fault) {
  // Whose elements came, the fault says: that they fit another place as well is chance.
  if (fault.watch != CaughtBy::bytes || fault.duty == Duty::C17) return nullptr;
  const auto found = std::ranges::find_if(outcome.executions, [&](const Execution& one) {
    return one.status == Status::ok && text(one.probe) == fault.probe;
  });
  return found == outcome.executions.end() ? nullptr : &*found;
}

std::string most_telling(const std::vector<ElementFact>& facts) {
  const ElementFact* least = nullptr;
  for (const ElementFact& one : facts) {
    if (one.by_itself && (least == nullptr || one.share < least->share)) least = &one;
  }
  if (least == nullptr) return "";
  return least->wrong_there == 0 ? least->says
                                 : std::to_string(least->wrong_there) + " of " + least->says;
}

}  // namespace

std::optional<WrongElements> wrong_elements(const Request& request, const Expectation& expectation,
                                            const Outcome& outcome, const Fault& fault) {
  const Execution* execution = execution_of(outcome, fault);
  const std::int64_t count = element_count(outcome.shape).value_or(0);
  if (execution == nullptr || !are_as_many(expectation.elements, count) ||
      !are_as_many(request.elements, count)) {
    return std::nullopt;
  }
  RightElements right(request, outcome.shape,
                      expectation.elements ? &*expectation.elements : nullptr);
  const std::vector<std::byte> came = right.came(*execution);
  const std::vector<std::byte>& expected = right.of(*execution);
  if (came.size() != expected.size()) return std::nullopt;
  ComparedElements elements{request, execution->probe, outcome.shape, count, expected, came, {}};
  std::optional<std::vector<std::int64_t>> wrong = wrong_positions(elements);
  if (!wrong || wrong->empty()) return std::nullopt;
  elements.wrong = *std::move(wrong);
  WrongElements facts{facts_about_places(elements), facts_about_values(elements)};
  const auto add = [](std::vector<ElementFact>& to, std::vector<ElementFact> more) {
    to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  add(facts.places, facts_about_right_values(elements));
  add(facts.values, facts_about_order(elements));
  return facts;
}

std::string text_of_wrong(const std::string& places, const std::string& values) {
  if (values.empty()) return places;
  return places + (places.empty() ? "each " : "; each ") + values;
}

std::string text(const WrongElements& wrong) {
  return text_of_wrong(most_telling(wrong.places), most_telling(wrong.values));
}

}  // namespace reshape::conformance
