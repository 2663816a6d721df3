// The only file that sees yaml-cpp.
#include "conformance/files/yaml_tree.h"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <optional>
#include <sstream>
#include <unordered_set>
#include <utility>

namespace reshape::conformance {
namespace {

// Builds the tree from the parser's events, which is several times faster than yaml-cpp's own
// nodes.
class TreeBuilder final : public YAML::EventHandler {
 public:
  std::optional<Error> error;
  YamlNode root;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    add(leaf(YamlNode::Kind::null, mark));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    fail(mark.line + 1, "an alias (*name) stands here; a value is written out where it is used");
    add(leaf(YamlNode::Kind::null, mark));
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    YamlNode node = leaf(YamlNode::Kind::scalar, mark);
    node.scalar = value;
    add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    refuse_anchor(mark, anchor);
    open_.push_back({leaf(YamlNode::Kind::list, mark), std::nullopt});
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    refuse_anchor(mark, anchor);
    open_.push_back({leaf(YamlNode::Kind::map, mark), std::nullopt});
  }
  void OnMapEnd() override { close(); }

 private:
  // A list or map whose end has not been seen, and the key that waits for its value.
  struct Open {
    YamlNode node;
    std::optional<YamlNode> key;
    std::unordered_set<std::string> keys = {};
  };

  static YamlNode leaf(YamlNode::Kind kind, const YAML::Mark& mark) {
    YamlNode node;
    node.kind = kind;
    node.line = mark.line + 1;
    return node;
  }

  void fail(int line, std::string message) {
    if (!error) error = Error{std::move(message), std::to_string(line)};
  }

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != 0) fail(mark.line + 1, "an anchor (&name) stands here; they are not used");
  }

  void add(YamlNode node) {
    if (open_.empty()) {
      root = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::list) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.key) {
      check_key(parent, node);
      parent.key = std::move(node);
    } else {
      // The parser finds out that a value is absent at the next token, which may be lines away.
      if (node.kind == YamlNode::Kind::null) node.line = parent.key->line;
      parent.node.entries.push_back(
          {std::move(parent.key->scalar), parent.key->line, std::move(node)});
      parent.key.reset();
    }
  }

  void check_key(Open& map, const YamlNode& key) {
    if (key.kind != YamlNode::Kind::scalar) return fail(key.line, "a key is plain text");
    if (!map.keys.insert(key.scalar).second) {
      fail(key.line, "the key \"" + key.scalar + "\" is given twice");
    }
  }

  void close() {
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(node));
  }

  std::vector<Open> open_;
};

}  // namespace

Result<YamlNode> parse_yaml(std::string_view text) {
  TreeBuilder builder;
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    TreeBuilder second;
    if (!builder.error && parser.HandleNextDocument(second)) {
      return Error{"a second document begins here; a file holds one",
                   std::to_string(second.root.line)};
    }
  } catch (const YAML::DeepRecursion& deep) {
    return Error{"lists and maps are nested too deeply here", std::to_string(deep.mark.line + 1)};
  } catch (const YAML::Exception& exception) {
    if (builder.error) return *builder.error;
    return Error{"not YAML: " + exception.msg, std::to_string(exception.mark.line + 1)};
  }
  if (builder.error) return *builder.error;
  return std::move(builder.root);
}

}  // namespace reshape::conformance
