#include "conformance/adapter/child/protocol.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "conformance/adapter/child/base64.h"
#include "conformance/text/line.h"
#include "conformance/text/printable.h"
#include "conformance/text/read_json.h"

namespace reshape::conformance {
namespace {

using nlohmann::json;

constexpr std::size_t kMostWords = 4096;
constexpr std::size_t kLongestName = 100;
constexpr std::size_t kLongestMessage = 4096;

bool is_deeper(const json& value, int levels) {
  if (!value.is_structured()) return false;
  return levels == 0 || std::any_of(value.begin(), value.end(), [&](const json& inner) {
           return is_deeper(inner, levels - 1);
         });
}

// Prints a value. Bounded in depth: printing is recursive, and a line may nest deeper than the
// stack allows.
std::string shown(const json& value) {
  constexpr int kMostLevels = 16;
  if (is_deeper(value, kMostLevels)) return value.is_array() ? "[...]" : "{...}";
  return printable(value.dump(-1, ' ', false, json::error_handler_t::replace), 40);
}

// Reads the members of a line; keeps the first error.
class Reading {
 public:
  Reading(std::string_view line, const char* what) : what_(what) {
    if (const std::size_t nul = line.find('\0'); nul != std::string_view::npos) {
      fail("holds a NUL, which no text does, as its byte " + std::to_string(nul + 1));
      return;
    }
    Result<json> read = read_json(line);
    if (!read) {
      const std::string& why = read.error().message;
      const bool goes_on = why.find("unexpected end of input") != std::string::npos;
      fail(!why.starts_with(kNoJson)
               ? "can be read in two ways: " + why
               : why + "; it begins with " + printable(line.substr(0, 60), 60) +
                     (goes_on ? "; all of it is to be on one line" : ""));
      return;
    }
    tree_ = std::move(read).value();
    if (!tree_.is_object()) fail("is no JSON object");
  }

  bool ok() const { return wrong_.empty(); }
  Error error() const { return Error{std::string(what_) + " " + wrong_}; }
  void fail(std::string wrong) {
    if (ok()) wrong_ = std::move(wrong);
  }

  // Null where there is none; also an error if it is `needed`.
  const json* member(const json& object, const char* name, bool needed) {
    if (!ok()) return nullptr;
    const auto found = object.find(name);
    if (found != object.end()) return &*found;
    if (needed) fail(std::string("has no '") + name + "'");
    return nullptr;
  }
  const json& tree() const { return tree_; }

  std::string text(const json& object, const char* name, std::size_t most) {
    const json* value = member(object, name, true);
    if (value == nullptr) return {};
    if (value->is_string()) return printable(value->get_ref<const std::string&>(), most);
    fail(std::string("has '") + name + "' " + shown(*value) + ", which is no text");
    return {};
  }

  std::int64_t number(const json& value, const std::string& name, std::int64_t most) {
    // The parser gives numbers without a sign as unsigned, and -0 (which is valid) as signed.
    if (!value.is_number_integer()) {
      fail("has '" + name + "' " + shown(value) + ", which is no integer of 63 bits");
    } else if (!value.is_number_unsigned() && value.get<std::int64_t>() < 0) {
      fail("has '" + name + "' " + shown(value) + ", which is below 0");
    } else if (value.get<std::uint64_t>() > static_cast<std::uint64_t>(most)) {
      fail("has '" + name + "' " + shown(value) + ", which is above " + std::to_string(most));
    } else {
      return value.get<std::int64_t>();
    }
    return 0;
  }
  std::int64_t number(const char* name, std::int64_t most, bool needed) {
    const json* value = member(tree_, name, needed);
    return value != nullptr ? number(*value, name, most) : 0;
  }

  const json* list(const json& object, const char* name, std::size_t most) {
    const json* value = member(object, name, true);
    if (value == nullptr) return nullptr;
    if (value->is_array() && value->size() <= most) return value;
    fail(std::string("has '") + name + "', which is no list of at most " + std::to_string(most));
    return nullptr;
  }

  std::vector<std::string> words(const char* name) {
    std::vector<std::string> words;
    const json* values = list(tree_, name, kMostWords);
    if (values == nullptr) return words;
    for (const json& value : *values) {
      if (!value.is_string()) {
        fail(std::string("has ") + shown(value) + " in '" + name + "', which is no text");
        break;
      }
      words.push_back(printable(value.get_ref<const std::string&>(), kLongestName));
    }
    if (ok() && words.empty()) fail(std::string("has an empty '") + name + "'");
    return words;
  }

 private:
  const char* what_;
  json tree_;
  std::string wrong_;
};

ElementTypes read_types(Reading& hello, const char* name) {
  ElementTypes types;
  for (const std::string& word : hello.words(name)) {
    const std::optional<ElementType> type = element_type_named(word);
    if (type) {
      types.insert(*type);
    } else {
      hello.fail("has the unknown type '" + word + "' in '" + name + "'");
    }
  }
  return types;
}

json numbers(const std::vector<PatternValue>& values) {
  json list = json::array();
  for (const PatternValue value : values) {
    list.push_back(value > INT64_MAX ? json(static_cast<std::uint64_t>(value))
                                     : json(static_cast<std::int64_t>(value)));
  }
  return list;
}

Shape read_shape(Reading& answer, const json& produced) {
  Shape shape;
  const json* sizes = answer.list(produced, "shape", kMostSizes);
  if (sizes == nullptr) return shape;
  for (const json& value : *sizes) {
    const std::string name = "shape[" + std::to_string(shape.rank()) + "]";
    shape.append(answer.number(value, name, INT64_MAX));
    if (!answer.ok()) break;
  }
  return shape;
}

void read_data(Reading& answer, const json& produced, const Request& request, bool data_was_sent,
               ChildAnswer& into) {
  const json* data = answer.member(produced, "data", false);
  if (!answer.ok()) return;
  if (data == nullptr) {
    if (data_was_sent) answer.fail("has no 'data', and data was sent");
    return;
  }
  if (!data_was_sent) return answer.fail("has 'data', and none was sent");
  if (!data->is_string()) return answer.fail("has 'data' that is no text");
  into.data = from_base64(data->get_ref<const std::string&>());
  if (!into.data) {
    return answer.fail("has 'data' that is no base64: " +
                       why_no_base64(data->get_ref<const std::string&>()));
  }
  const std::optional<std::int64_t> count = element_count(into.shape);
  if (count != element_count(request.data)) {
    into.data.reset();
    return;
  }
  const std::int64_t right = bytes_for(request.data_type, count.value_or(0));
  if (std::cmp_equal(into.data->size(), right)) return;
  answer.fail("has 'data' of " + std::to_string(into.data->size()) + " bytes, where " +
              std::to_string(*count) + " elements of " + std::string(name(request.data_type)) +
              " take " + std::to_string(right));
}

}  // namespace

Result<Capabilities> read_hello(std::string_view line) {
  Reading hello(line, "its first line, which is to be its hello,");
  Capabilities can;
  can.in_memory = false;
  const std::int64_t protocol = hello.number("protocol", INT32_MAX, true);
  if (protocol != kChildProtocol) {
    hello.fail("speaks protocol " + std::to_string(protocol) + ", and this program speaks " +
               std::to_string(kChildProtocol));
  }
  can.name = hello.ok() ? hello.text(hello.tree(), "name", kLongestName) : "";
  if (is_blank(can.name)) hello.fail("has an empty 'name'");
  can.version = hello.ok() ? hello.text(hello.tree(), "version", kLongestName) : "";
  can.dialects = hello.words("dialects");
  can.element_types = read_types(hello, "element_types");
  can.pattern_types = read_types(hello, "pattern_types");
  for (const ElementType type : can.pattern_types - ElementTypes::integers()) {
    hello.fail("has '" + std::string(name(type)) +
               "' in 'pattern_types', which is no integer type");
  }
  can.max_rank = hello.number("max_rank", INT32_MAX, false);
  can.max_bytes = hello.number("max_bytes", INT64_MAX, false);
  can.infers_alone = false;
  can.shape_only = true;
  for (const std::string& word : hello.words("answers")) {
    if (word == "shapes") {
      can.infers_alone = true;
    } else if (word == "data") {
      can.shape_only = false;
    } else {
      hello.fail("has the unknown word '" + word + "' in 'answers'");
    }
  }
  if (!hello.ok()) return hello.error();
  return can;
}

std::string question_line(std::int64_t id, const Request& request,
                          std::optional<std::span<const std::byte>> data) {
  nlohmann::ordered_json question = {
      {"id", id},
      {"request", print_line(request)},
      {"dialect", request.dialect},
      {"type", name(request.data_type)},
      {"shape", std::vector<std::int64_t>(request.data.begin(), request.data.end())},
      {"pattern_type", name(request.pattern.type)},
      {"pattern", numbers(request.pattern.values)},
      {"pattern_shape", {static_cast<std::int64_t>(request.pattern.values.size())}},
      {"special_zero", nullptr}};
  if (const std::optional<Shape>& shape = request.pattern.tensor_shape) {
    question["pattern_shape"] = std::vector<std::int64_t>(shape->begin(), shape->end());
  }
  if (request.special_zero) question["special_zero"] = *request.special_zero;
  std::string line = question.dump(-1, ' ', false, json::error_handler_t::replace);
  if (!data) return line;
  // The data is appended to the text: it is too large for a document tree.
  line.pop_back();
  return line + ",\"data\":\"" + base64(*data) + "\"}";
}

Result<ChildAnswer> read_answer(std::string_view line, std::int64_t id, const Request& request,
                                bool data_was_sent) {
  Reading answer(line, "its answer");
  const std::int64_t answered = answer.number("id", INT64_MAX, true);
  if (answered != id) {
    answer.fail("has id " + std::to_string(answered) + ", and was asked " + std::to_string(id));
  }
  ChildAnswer read;
  const json* chosen = nullptr;
  for (const auto kind :
       {Outcome::Kind::produced, Outcome::Kind::rejected, Outcome::Kind::unsupported}) {
    const char* const name = conformance::name(kind);
    const json* found = answer.member(answer.tree(), name, false);
    if (found == nullptr) continue;
    if (chosen != nullptr) answer.fail("says more than one of produced, rejected and unsupported");
    if (!found->is_object()) answer.fail(std::string("has '") + name + "' that is no object");
    chosen = found;
    read.kind = kind;
  }
  if (chosen == nullptr) answer.fail("says none of produced, rejected and unsupported");
  if (answer.ok() && read.kind == Outcome::Kind::produced) {
    read.shape = read_shape(answer, *chosen);
    read_data(answer, *chosen, request, data_was_sent, read);
  } else if (answer.ok()) {
    read.message = answer.text(*chosen, "message", kLongestMessage);
  }
  if (!answer.ok()) return answer.error();
  return read;
}

std::size_t longest_answer(std::size_t bytes_sent) {
  constexpr std::size_t kWithoutData = std::size_t{1} << 20;
  return kWithoutData + bytes_sent / 3 * 8;  // twice the data's size in base64
}

}  // namespace reshape::conformance
