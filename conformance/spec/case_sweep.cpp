#include "conformance/spec/case_sweep.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>

#include "conformance/spec/names.h"
#include "conformance/text/line.h"
#include "conformance/text/number.h"
#include "reference/tensor/dialect_questions.h"

namespace reshape::conformance {
namespace {

// The most requests that one case may expand to: products of lists grow fast.
constexpr std::size_t kMostRequests = 4096;
// The longest text that a case's id, ask or expect may expand to.
constexpr std::size_t kLongest = std::size_t{64} << 10;
// The dialect of a request that every document may ask.
constexpr std::string_view kAnyDialect = "any";

// Values for the variables of a case: {"N", "10"}. The values lie elsewhere:
// up to 4096 choices share them.
using Choice = std::vector<std::pair<char, std::string_view>>;
using Choices = std::vector<Choice>;

std::vector<std::string_view> words_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(separators);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

// "66..94": each number from the first to the last.
std::optional<std::pair<std::int64_t, std::int64_t>> range_of(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const auto first = number_in<std::int64_t>(text.substr(0, dots));
  const auto last = number_in<std::int64_t>(text.substr(dots + 2));
  if (!first || !last) return std::nullopt;
  return std::pair(*first, *last);
}

// Such a case would be asked of no document, or be filed under nothing, without a word.
std::string no_clause(const std::string& id) {
  return "neither a document nor clauses.yaml has a clause " + id;
}

class SweepReader {
 public:
  SweepReader(const YamlNode& node, std::string name, const WrittenCase& common,
              const KnownNames& known, std::span<const Dialect> dialects, std::size_t& room,
              Problems& problems)
      : fields_(node, "a case", problems),
        node_(node),
        name_(std::move(name)),
        common_(common),
        known_(known),
        dialects_(dialects),
        room_(room),
        problems_(problems) {}

  void read(std::vector<WrittenCase>& cases) {
    const std::string ask = fields_.text("ask");
    const std::string expect = fields_.text("expect");
    common_.source = fields_.optional_text("source");
    common_.line = node_.line;
    read_otherwise();
    const std::optional<Choices> choices = read_variables();
    fields_.finish();
    if (ask.empty() || expect.empty() || !choices) return;
    for (const Choice& choice : *choices) {
      if (!read_one(choice, ask, expect, cases)) return;
    }
  }

 private:
  bool read_one(const Choice& choice, const std::string& ask, const std::string& expect,
                std::vector<WrittenCase>& cases) {
    WrittenCase one = common_;
    std::vector<bool> named(choice.size());
    std::vector<bool> used(choice.size());
    std::optional<std::string> name = substituted(name_, choice, named);
    std::optional<std::string> line = substituted(ask, choice, used);
    std::optional<std::string> answer = substituted(expect, choice, used);
    if (!name || !line || !answer) return false;
    for (std::size_t i = 0; i < choice.size(); ++i) {
      const auto& [variable, value] = choice[i];
      if (!named[i] && !used[i]) {
        problems_.add(node_.line, std::string("the case has no $") + variable);
        return false;
      }
      if (!named[i] && sweeps_.contains(variable)) (*name += '.') += value;
      if (name->size() > kLongest) return too_long();
    }
    if (!take_room(name->size() + line->size() + answer->size())) return false;
    one.name = *std::move(name);
    if (!is_name(one.name)) {
      problems_.add(node_.line, no_name("an id", one.name));
      return false;
    }
    if (!read_request(*std::move(line), one)) return false;
    const std::optional<Ruling> ruling = read_ruling("expect", *answer, node_.line);
    if (!ruling) return false;
    one.expect = *ruling;
    cases.push_back(std::move(one));
    return true;
  }

  bool read_request(std::string line, WrittenCase& one) {
    const std::size_t pattern = line.find(" P[");
    one.type_of_the_dialect = pattern != std::string::npos;
    if (one.type_of_the_dialect) line.replace(pattern + 1, 1, "i64");
    Result<Request> request = parse_line(line, kAnyDialect, dialects_);
    if (!request) {
      problems_.add(fields_.line_of("ask"),
                    "ask, " + request.error().text() + " (in \"" + line + "\")");
      return false;
    }
    one.request = *std::move(request);
    if (one.request.dialect == kAnyDialect) one.request.dialect.clear();
    return true;
  }

  std::optional<Ruling> read_ruling(const std::string& key, const std::string& text, int line) {
    Result<Ruling> ruling = parse_ruling(text);
    if (!ruling) {
      problems_.add(line, key + ", " + ruling.error().text());
      return std::nullopt;
    }
    const std::string& clause = ruling->clause;
    if (ruling->kind != Ruling::Kind::produces && !known_.clauses.contains(clause)) {
      problems_.add(line, key + ", " + no_clause(clause));
      return std::nullopt;
    }
    return *std::move(ruling);
  }

  // {scalar_data=unspecified: "unspecified data.scalar permits rejects | produces [1]"}
  void read_otherwise() {
    const YamlNode* node = fields_.optional_node("except");
    if (node == nullptr) return;
    if (node->kind != YamlNode::Kind::map || node->entries.empty()) {
      problems_.add(node->line,
                    "except maps a dialect or an answer of the rules to an expectation");
      return;
    }
    std::vector<std::pair<std::string, Ruling>> otherwise;
    for (const YamlNode::Entry& entry : node->entries) {
      if (entry.key.find('=') != std::string::npos) {
        const std::string wrong = wrong_condition(entry.key);
        if (!wrong.empty()) problems_.add(entry.line, "except, " + wrong);
      }
      const std::optional<Ruling> ruling =
          read_ruling("except", entry.value.scalar, entry.value.line);
      if (ruling) otherwise.emplace_back(entry.key, *ruling);
    }
    common_.otherwise =
        std::make_shared<std::vector<std::pair<std::string, Ruling>>>(std::move(otherwise));
  }

  // Keys of capital letters: "N: [10, 66..94]", "T: every-type", "N M: [8 9, 8 10]".
  std::optional<Choices> read_variables() {
    Choices choices(1);
    for (const YamlNode::Entry& entry : node_.entries) {
      const std::vector<std::string_view> letters = words_of(entry.key, " ");
      const bool variables =
          !letters.empty() && std::ranges::all_of(letters, [](std::string_view one) {
            return one.size() == 1 && one[0] >= 'A' && one[0] <= 'Z';
          });
      if (!variables) continue;
      fields_.optional_node(entry.key);
      const std::vector<std::string>* values = values_of(entry);
      if (!values || !multiply(choices, letters, *values, entry)) return std::nullopt;
      if (letters.size() == 1) sweeps_.insert(letters[0][0]);
    }
    return choices;
  }

  // Null, and a problem, where the entry has none.
  const std::vector<std::string>* values_of(const YamlNode::Entry& entry) {
    if (entry.value.kind == YamlNode::Kind::scalar) {
      const auto list = known_.lists.find(entry.value.scalar);
      if (list != known_.lists.end()) return &list->second;
      problems_.add(entry.value.line, "suite.yaml has no list \"" + entry.value.scalar + '"');
      return nullptr;
    }
    if (entry.value.kind != YamlNode::Kind::list || entry.value.items.empty()) {
      problems_.add(entry.value.line, "a variable has a list of values, or the name of one");
      return nullptr;
    }
    std::vector<std::string> values;
    for (const YamlNode& item : entry.value.items) {
      const auto range = range_of(item.scalar);
      if (!range) {
        values.push_back(item.scalar);
        continue;
      }
      const auto steps =
          static_cast<std::uint64_t>(range->second) - static_cast<std::uint64_t>(range->first);
      if (range->first > range->second || steps >= kMostRequests) {
        problems_.add(item.line, "a range goes up, by " + std::to_string(kMostRequests) +
                                     " at most, not " + item.scalar);
        return nullptr;
      }
      for (std::uint64_t step = 0; step <= steps; ++step) {
        values.push_back(std::to_string(range->first + static_cast<std::int64_t>(step)));
      }
    }
    return &values_.emplace_back(std::move(values));
  }

  bool multiply(Choices& choices, const std::vector<std::string_view>& letters,
                const std::vector<std::string>& values, const YamlNode::Entry& entry) {
    if (choices.size() * values.size() > kMostRequests) {
      problems_.add(entry.line,
                    "the case stands for more than " + std::to_string(kMostRequests) + " requests");
      return false;
    }
    Choices longer;
    longer.reserve(choices.size() * values.size());
    for (const Choice& choice : choices) {
      for (const std::string& value : values) {
        const std::vector<std::string_view> parts =
            letters.size() == 1 ? std::vector<std::string_view>{value} : words_of(value, " ");
        if (parts.size() != letters.size()) {
          problems_.add(entry.value.line, "a row of \"" + entry.key + "\" has " +
                                              std::to_string(letters.size()) + " values, not \"" +
                                              value + '"');
          return false;
        }
        Choice next = choice;
        for (std::size_t i = 0; i < parts.size(); ++i) next.emplace_back(letters[i][0], parts[i]);
        longer.push_back(std::move(next));
      }
    }
    choices = std::move(longer);
    return true;
  }

  // `text` with the values in the place of the variables, which go into `found`. Nothing, and a
  // problem, where a letter has no value or the text becomes too long. A value is not searched for
  // variables.
  std::optional<std::string> substituted(std::string_view text, const Choice& choice,
                                         std::vector<bool>& found) {
    std::string made;
    while (true) {
      const std::size_t dollar = text.find('$');
      made += text.substr(0, dollar);
      if (made.size() > kLongest) return too_long(), std::nullopt;
      if (dollar == std::string_view::npos) return made;
      text.remove_prefix(dollar);
      const auto value = std::ranges::find_if(
          choice, [&](const auto& one) { return text.substr(1).starts_with(one.first); });
      if (value == choice.end()) {
        problems_.add(node_.line, "nothing stands for " + std::string(text.substr(0, 2)));
        return std::nullopt;
      }
      made += value->second;
      found[static_cast<std::size_t>(value - choice.begin())] = true;
      text.remove_prefix(2);
    }
  }

  bool too_long() {
    problems_.add(node_.line,
                  "with the values of its variables the id, the request or the answer "
                  "is longer than " +
                      std::to_string(kLongest) + " bytes");
    return false;
  }

  // Takes from what is left for all cases of the suite.
  bool take_room(std::size_t bytes) {
    if (bytes < room_) {
      room_ -= bytes;
      return true;
    }
    room_ = 0;
    problems_.add(node_.line, "up to here the suite's cases stand for " +
                                  std::to_string(kMostExpanded >> 20) +
                                  " MiB of requests and answers, which is the most");
    return false;
  }

  Fields fields_;
  const YamlNode& node_;
  std::string name_;
  WrittenCase common_;
  const KnownNames& known_;
  std::span<const Dialect> dialects_;
  std::size_t& room_;
  Problems& problems_;
  std::deque<std::vector<std::string>> values_;  // that the case lists itself; choices look at them
  std::set<char> sweeps_;  // variables with a list of their own; an id ends with their values
};

}  // namespace

std::vector<WrittenCase> read_cases(const YamlNode& root, const std::string& file,
                                    const KnownNames& known, std::span<const Dialect> dialects,
                                    std::size_t& room, Problems& problems) {
  std::vector<WrittenCase> cases;
  if (root.kind != YamlNode::Kind::map || root.entries.empty()) {
    problems.add(root.line, "a file of cases maps clauses to the cases that bear on them");
    return cases;
  }
  if (root.entries.size() == 1 && root.entries[0].key == "asked") {
    problems.add(root.entries[0].line, "a file of cases has a case besides asked");
  }
  WrittenCase common;
  common.file = file;
  for (const YamlNode::Entry& group : root.entries) {
    if (group.key == "asked") {
      common.once = group.value.scalar == "once";
      if (!common.once) problems.add(group.value.line, "asked is once, or is not given");
      continue;
    }
    const std::vector<std::string_view> clauses = words_of(group.key, ", ");
    common.clauses = std::make_shared<std::vector<std::string>>(clauses.begin(), clauses.end());
    for (const std::string& id : *common.clauses) {
      if (!known.clauses.contains(id)) problems.add(group.line, no_clause(id));
    }
    if (group.value.kind != YamlNode::Kind::map || group.value.entries.empty()) {
      problems.add(group.line, "a clause maps the ids of its cases to the cases");
      continue;
    }
    for (const YamlNode::Entry& entry : group.value.entries) {
      // An id may stand for several sweeps.
      const bool several = entry.value.kind == YamlNode::Kind::list;
      const auto sweeps = several ? std::span(entry.value.items) : std::span(&entry.value, 1);
      if (sweeps.empty()) problems.add(entry.line, "a list of cases has a case");
      for (const YamlNode& sweep : sweeps) {
        SweepReader(sweep, entry.key, common, known, dialects, room, problems).read(cases);
        if (room == 0) return cases;
      }
    }
  }
  return cases;
}

}  // namespace reshape::conformance
