#include "conformance/text/read_json.h"

#include <unordered_set>
#include <vector>

#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

// A parser callback that records the first key that occurs twice in an object.
template <typename Json>
class KeysGivenTwice {
 public:
  using Event = typename Json::parse_event_t;

  void hear(Event event, const Json& value) {
    switch (event) {
      case Event::object_start:
      case Event::array_start: open_.push_back({event == Event::array_start, 0, {}, {}}); return;
      case Event::object_end:
      case Event::array_end: open_.pop_back(); break;
      case Event::key: return take_key(value.template get_ref<const std::string&>());
      case Event::value: break;
    }
    // A value ended; if its parent is a list, the next one has the next index.
    if (!open_.empty()) ++open_.back().index;
  }

  const std::string& first() const { return first_; }

 private:
  struct Open {
    bool is_list;
    std::size_t index;
    std::string key;
    std::unordered_set<std::string> keys;
  };

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
  KeysGivenTwice<Json> twice;
  Json tree;
  try {
    tree = Json::parse(text, [&](int, typename Json::parse_event_t event, Json& value) {
      twice.hear(event, value);
      return true;
    });
  } catch (const nlohmann::json::exception& thrown) {
    return no_json(thrown.what());
  }
  if (!twice.first().empty()) return Error{twice.first()};
  return tree;
}

}  // namespace

Result<nlohmann::json> read_json(std::string_view text) { return read<nlohmann::json>(text); }

Result<nlohmann::ordered_json> read_ordered_json(std::string_view text) {
  return read<nlohmann::ordered_json>(text);
}

}  // namespace reshape::conformance
