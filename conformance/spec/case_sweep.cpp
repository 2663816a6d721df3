#include "conformance/spec/case_sweep.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>

#include "conformance/text/line.h"
#include "conformance/text/line_of_dialects.h"
#include "reference/tensor/dialect_questions.h"

namespace reshape::conformance {
namespace {

// The most requests that one case may expand to: products of lists grow fast.
constexpr std::size_t kMostRequests = 4096;
// The dialect of a request that every document may ask.
constexpr std::string_view kAnyDialect = "any";

// Values for the variables of a case: {"N", "10"}.
using Choice = std::vector<std::pair<char, std::string>>;
using Choices = std::vector<Choice>;

bool made_of(std::string_view text, std::string_view letters) {
  return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}
constexpr std::string_view kIdLetters = "abcdefghijklmnopqrstuvwxyz0123456789.-";

std::vector<std::string> words_of(std::string_view text, std::string_view separators) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(separators);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

// "66..94": each number from the first to the last.
std::optional<std::pair<std::int64_t, std::int64_t>> range_of(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  std::int64_t first = 0;
  std::int64_t last = 0;
  const std::string_view low = text.substr(0, dots);
  const std::string_view high = text.substr(dots + 2);
  const auto read = [](std::string_view digits, std::int64_t& value) {
    const auto [end, failure] = std::from_chars(digits.begin(), digits.end(), value);
    return failure == std::errc() && end == digits.end();
  };
  if (!read(low, first) || !read(high, last)) return std::nullopt;
  return std::pair(first, last);
}

// Such a case would be asked of no document, or be filed under nothing, without a word.
std::string no_clause(const std::string& id) {
  return "neither a document nor clauses.yaml has a clause " + id;
}

class SweepReader {
 public:
  SweepReader(const YamlNode& node, std::string name, const WrittenCase& common,
              const KnownNames& known, std::span<const Dialect> dialects, Problems& problems)
      : fields_(node, "a case", problems),
        node_(node),
        name_(std::move(name)),
        common_(common),
        known_(known),
        dialects_(dialects),
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
    one.name = name_;
    std::string line = ask;
    std::string answer = expect;
    for (const auto& [variable, value] : choice) {
      const bool named = replace(one.name, variable, value);
      const bool used = replace(line, variable, value);
      const bool answered = replace(answer, variable, value);
      if (!named && !used && !answered) {
        problems_.add(node_.line, std::string("the case has no $") + variable);
        return false;
      }
      if (!named && sweeps_.contains(variable)) one.name += '.' + value;
    }
    for (const std::string* text : {&one.name, &line, &answer}) {
      const std::size_t dollar = text->find('$');
      if (dollar == std::string::npos) continue;
      problems_.add(node_.line, "nothing stands for " + text->substr(dollar, 2));
      return false;
    }
    if (!made_of(one.name, kIdLetters)) {
      problems_.add(node_.line, "an id is made of a-z, 0-9, . and -, not \"" + one.name + '"');
      return false;
    }
    if (!read_request(std::move(line), one)) return false;
    const std::optional<Ruling> ruling = read_ruling("expect", answer, node_.line);
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
      const std::vector<std::string> letters = words_of(entry.key, " ");
      const bool variables =
          !letters.empty() &&
          std::all_of(letters.begin(), letters.end(), [](const std::string& one) {
            return one.size() == 1 && one[0] >= 'A' && one[0] <= 'Z';
          });
      if (!variables) continue;
      fields_.optional_node(entry.key);
      const std::optional<std::vector<std::string>> values = values_of(entry);
      if (!values || !multiply(choices, letters, *values, entry)) return std::nullopt;
      if (letters.size() == 1) sweeps_.insert(letters[0][0]);
    }
    return choices;
  }

  std::optional<std::vector<std::string>> values_of(const YamlNode::Entry& entry) {
    if (entry.value.kind == YamlNode::Kind::scalar) {
      const auto list = known_.lists.find(entry.value.scalar);
      if (list != known_.lists.end()) return list->second;
      problems_.add(entry.value.line, "suite.yaml has no list \"" + entry.value.scalar + '"');
      return std::nullopt;
    }
    if (entry.value.kind != YamlNode::Kind::list || entry.value.items.empty()) {
      problems_.add(entry.value.line, "a variable has a list of values, or the name of one");
      return std::nullopt;
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
        return std::nullopt;
      }
      for (std::uint64_t step = 0; step <= steps; ++step) {
        values.push_back(std::to_string(range->first + static_cast<std::int64_t>(step)));
      }
    }
    return values;
  }

  bool multiply(Choices& choices, const std::vector<std::string>& letters,
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
        const std::vector<std::string> parts =
            letters.size() == 1 ? std::vector<std::string>{value} : words_of(value, " ");
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

  // Replaces the variable; true if it occurred.
  static bool replace(std::string& text, char variable, const std::string& value) {
    const char old[] = {'$', variable, '\0'};
    bool found = false;
    for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at)) {
      text.replace(at, 2, value);
      at += value.size();
      found = true;
    }
    return found;
  }

  Fields fields_;
  const YamlNode& node_;
  std::string name_;
  WrittenCase common_;
  const KnownNames& known_;
  std::span<const Dialect> dialects_;
  Problems& problems_;
  std::set<char> sweeps_;  // variables with a list of their own; an id ends with their values
};

}  // namespace

std::vector<WrittenCase> read_cases(const YamlNode& root, const std::string& file,
                                    const KnownNames& known, std::span<const Dialect> dialects,
                                    Problems& problems) {
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
    common.clauses = std::make_shared<std::vector<std::string>>(words_of(group.key, ", "));
    for (const std::string& id : *common.clauses) {
      if (!known.clauses.contains(id)) problems.add(group.line, no_clause(id));
    }
    if (group.value.kind != YamlNode::Kind::map || group.value.entries.empty()) {
      problems.add(group.line, "a clause maps the ids of its cases to the cases");
      continue;
    }
    for (const YamlNode::Entry& entry : group.value.entries) {
      // An id may stand for several sweeps.
      if (entry.value.kind == YamlNode::Kind::list) {
        if (entry.value.items.empty()) problems.add(entry.line, "a list of cases has a case");
        for (const YamlNode& sweep : entry.value.items) {
          SweepReader(sweep, entry.key, common, known, dialects, problems).read(cases);
        }
      } else {
        SweepReader(entry.value, entry.key, common, known, dialects, problems).read(cases);
      }
    }
  }
  return cases;
}

}  // namespace reshape::conformance
