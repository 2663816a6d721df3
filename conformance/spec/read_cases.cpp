#include "conformance/spec/read_cases.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "conformance/text/element.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

// One choice of values for the placeholders of a case: {"T", "f32"}.
using Choice = std::vector<std::pair<std::string, std::string>>;

bool is_id(const std::string& id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
  });
}

class CaseReader {
 public:
  CaseReader(const YamlNode& node, const std::string& prefix, std::string_view dialect,
             Problems& problems)
      : fields_(node, "a case", problems), prefix_(prefix), dialect_(dialect), problems_(problems) {
    common_.line = node.line;
  }

  void read(std::vector<Case>& cases) {
    const std::string id = fields_.text("id");
    if (fields_.has("id") && !is_id(id)) {
      problems_.add(fields_.line_of("id"), "an id is made of a-z, 0-9, . and -");
    }
    common_.clauses = fields_.texts("clauses");
    if (const YamlNode* source = fields_.node("source")) read_source(*source);
    const std::string request = fields_.text("request");
    const bool readable = read_expectation(fields_.text("expect"));
    const std::vector<std::string> elements = fields_.optional_texts("elements");
    const std::vector<Choice> choices = read_over(request);
    fields_.finish();
    if (request.empty() || !readable) return;
    for (const Choice& choice : choices) {
      Case one = common_;
      one.id = prefix_ + id;
      std::string line = request;
      for (const auto& [placeholder, value] : choice) {
        one.id += '.' + value;
        replace_all(line, '$' + placeholder, value);
      }
      if (read_request(line, one) && read_elements(elements, one)) cases.push_back(std::move(one));
    }
  }

 private:
  void read_source(const YamlNode& node) {
    static const std::vector<std::string> kinds = {"published example", "document", "derived",
                                                   "public issue"};
    Fields fields(node, "a source", problems_);
    Source& source = common_.source;
    source.kind = fields.text("kind");
    source.section = fields.optional_text("section");
    source.link = fields.optional_text("link");
    fields.finish();
    if (fields.has("kind") && std::find(kinds.begin(), kinds.end(), source.kind) == kinds.end()) {
      problems_.add(fields.line_of("kind"), "kind is " + one_of(kinds));
    }
    const bool issue = source.kind == "public issue";
    if (issue && source.link.rfind("https://", 0) != 0) {
      problems_.add(node.line, "a public issue has a link that begins with https://");
    }
    if (!issue && source.section.empty()) {
      problems_.add(node.line, "the source says in which section of the document it stands");
    }
  }

  bool read_expectation(const std::string& expect) {
    if (expect.empty()) return false;
    Result<Ruling> ruling = parse_ruling(expect);
    if (!ruling) {
      problems_.add(fields_.line_of("expect"), "expect, " + ruling.error().text());
      return false;
    }
    common_.expect = *std::move(ruling);
    return true;
  }

  // Every combination of the values in `over`, in the order of the text; a single empty choice
  // where there is none.
  std::vector<Choice> read_over(const std::string& request) {
    std::vector<Choice> choices(1);
    std::string plain = request;
    const YamlNode* over = fields_.optional_node("over");
    if (over != nullptr && (over->kind != YamlNode::Kind::map || over->entries.empty())) {
      problems_.add(over->line, "over maps a capital letter to its values, as in {T: [f32, f16]}");
      return choices;
    }
    for (const YamlNode::Entry& entry :
         over != nullptr ? over->entries : std::vector<YamlNode::Entry>()) {
      if (entry.key.size() != 1 || entry.key[0] < 'A' || entry.key[0] > 'Z') {
        problems_.add(entry.line, "a placeholder is one capital letter, not \"" + entry.key + '"');
      } else if (!replace_all(plain, '$' + entry.key, "")) {
        problems_.add(entry.line, "the request has no $" + entry.key);
      }
      if (entry.value.kind != YamlNode::Kind::list || entry.value.items.empty()) {
        problems_.add(entry.value.line, "over maps a placeholder to a list of values");
      }
      std::vector<Choice> longer;
      for (const Choice& choice : choices) {
        for (const YamlNode& item : entry.value.items) {
          longer.push_back(choice);
          longer.back().emplace_back(entry.key, item.scalar);
        }
      }
      for (const YamlNode& item : entry.value.items) {
        if (!is_id(item.scalar)) {
          problems_.add(item.line,
                        "a value of over ends an id, so it is made of a-z, 0-9, . and -");
        }
      }
      choices = std::move(longer);
    }
    const std::size_t dollar = plain.find('$');
    if (dollar != std::string::npos) {
      problems_.add(fields_.line_of("request"),
                    "nothing in over stands for " + plain.substr(dollar, 2));
      choices.clear();
    }
    return choices;
  }

  bool read_request(const std::string& line, Case& one) {
    Result<Request> request = parse_line(line, dialect_);
    if (!request) {
      problems_.add(fields_.line_of("request"),
                    "request, " + request.error().text() + " (in \"" + line + "\")");
      return false;
    }
    if (!dialect_.empty() && request->dialect != dialect_) {
      problems_.add(fields_.line_of("request"), "the request names the dialect " +
                                                    request->dialect + ", and its folder " +
                                                    std::string(dialect_));
      return false;
    }
    one.request = *std::move(request);
    return true;
  }

  bool read_elements(const std::vector<std::string>& elements, Case& one) {
    if (!fields_.has("elements")) return true;
    one.expect_elements.emplace();
    for (const std::string& text : elements) {
      const Result<std::uint64_t> element = parse_element(one.request.data_type, text);
      if (!element) {
        problems_.add(fields_.line_of("elements"), "elements, " + element.error().text());
        return false;
      }
      one.expect_elements->push_back(*element);
    }
    return true;
  }

  // True when there was one to replace.
  static bool replace_all(std::string& text, const std::string& old, const std::string& fresh) {
    bool found = false;
    for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at)) {
      text.replace(at, old.size(), fresh);
      at += fresh.size();
      found = true;
    }
    return found;
  }

  Fields fields_;
  const std::string& prefix_;
  std::string_view dialect_;
  Problems& problems_;
  Case common_;
};

}  // namespace

std::vector<Case> read_cases(const YamlNode& root, const std::string& prefix,
                             std::string_view dialect, Problems& problems) {
  std::vector<Case> cases;
  Fields fields(root, "a file of cases", problems);
  const YamlNode* list = fields.node("cases");
  fields.finish();
  if (list == nullptr) return cases;
  if (list->kind != YamlNode::Kind::list || list->items.empty()) {
    problems.add(list->line, "cases is a list of at least one case");
  }
  for (const YamlNode& node : list->items) {
    CaseReader(node, prefix, dialect, problems).read(cases);
  }
  return cases;
}

}  // namespace reshape::conformance
