#include "conformance/text/read_json.h"

#include <unordered_set>
#include <vector>

#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

// Reads without keeping anything but the first key that occurs twice in an object. Not a callback of
// the parser that keeps the tree: with one, it looks at all members of a list behind each of them.
template <typename Json>
class KeysGivenTwice : public nlohmann::json_sax<Json> {
 public:
  using Text = typename Json::string_t;

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(typename Json::number_integer_t) override { return value(); }
  bool number_unsigned(typename Json::number_unsigned_t) override { return value(); }
  bool number_float(typename Json::number_float_t, const Text&) override { return value(); }
  bool string(Text&) override { return value(); }
  bool binary(typename Json::binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return begin(false); }
  bool start_array(std::size_t) override { return begin(true); }
  bool key(Text& key) override {
    take_key(key);
    return true;
  }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  // The parser that keeps the tree tells it.
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

  const std::string& first() const { return first_; }

 private:
  struct Open {
    bool is_list;
    std::size_t index;
    std::string key;
    std::unordered_set<std::string> keys;
  };

  // If the value's parent is a list, the next one has the next index.
  bool value() {
    if (!open_.empty()) ++open_.back().index;
    return true;
  }
  bool begin(bool is_list) {
    open_.push_back({is_list, 0, {}, {}});
    return true;
  }
  bool end() {
    open_.pop_back();
    return value();
  }

  void take_key(const std::string& key) {
    Open& object = open_.back();
    object.key = key;
    if (object.keys.insert(key).second || !first_.empty()) return;
    first_ = "the key \"" + printable(key, kBriefly) + "\" is given twice";
    if (open_.size() > 1) first_ += " in " + place();
  }

  std::string place() const {
    std::string place;
    for (std::size_t at = 0; at + 1 < open_.size(); ++at) {
      const Open& one = open_[at];
      if (one.is_list) {
        place += '[' + std::to_string(one.index) + ']';
      } else {
        if (!place.empty()) place += '.';
        place += printable(one.key, kBriefly);
      }
    }
    return place;
  }

  std::vector<Open> open_;
  std::string first_;
};

// What the JSON library says, without its own "[json.exception.parse_error.101] ".
Error no_json(std::string says) {
  if (const std::size_t head = says.find("] "); head != std::string::npos) says.erase(0, head + 2);
  return Error{std::string(kNoJson) + ": " + printable(says, kBriefly)};
}

template <typename Json>
Result<Json> read(std::string_view text) {
  Json tree;
  try {
    tree = Json::parse(text);
  } catch (const nlohmann::json::exception& thrown) {
    return no_json(thrown.what());
  }
  KeysGivenTwice<Json> twice;
  Json::sax_parse(text, &twice);
  if (!twice.first().empty()) return Error{twice.first()};
  return tree;
}

}  // namespace

Result<nlohmann::json> read_json(std::string_view text) { return read<nlohmann::json>(text); }

Result<nlohmann::ordered_json> read_ordered_json(std::string_view text) {
  return read<nlohmann::ordered_json>(text);
}

}  // namespace reshape::conformance
