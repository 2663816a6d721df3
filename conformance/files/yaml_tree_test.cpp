#include "conformance/files/yaml_tree.h"

#include <gtest/gtest.h>

namespace reshape::conformance {
namespace {

std::string error(std::string_view text) {
  const Result<YamlNode> root = parse_yaml(text);
  return root ? "parsed" : root.error().text();
}

TEST(ParseYaml, KeepsLinesAndText) {
  const Result<YamlNode> root = parse_yaml("a: 01\n\nb:\n  - x\n  - {c: 'd e', f: }\n");
  ASSERT_TRUE(root.ok());
  ASSERT_EQ(root->kind, YamlNode::Kind::map);
  ASSERT_EQ(root->entries.size(), 2u);
  EXPECT_EQ(root->entries[0].key, "a");
  EXPECT_EQ(root->entries[0].value.scalar, "01");
  EXPECT_EQ(root->entries[1].line, 3);
  const YamlNode& list = root->entries[1].value;
  ASSERT_EQ(list.kind, YamlNode::Kind::list);
  ASSERT_EQ(list.items.size(), 2u);
  EXPECT_EQ(list.items[0].line, 4);
  const YamlNode& map = list.items[1];
  EXPECT_EQ(map.line, 5);
  EXPECT_EQ(map.entries[0].value.scalar, "d e");
  EXPECT_EQ(map.entries[1].value.kind, YamlNode::Kind::null);
}

TEST(ParseYaml, AnEmptyTextIsNull) { EXPECT_EQ(parse_yaml("")->kind, YamlNode::Kind::null); }

TEST(ParseYaml, ErrorsNameTheLine) {
  EXPECT_EQ(error("a: 1\nb: 2\na: 3\n"), "3: the key \"a\" is given twice");
  EXPECT_EQ(error("a: &x 1\n"), "1: an anchor (&name) stands here; they are not used");
  EXPECT_EQ(error("a: &x 1\nb: *x\n"), "1: an anchor (&name) stands here; they are not used");
  EXPECT_EQ(error("a: 1\n---\nb: 2\n"), "3: a second document begins here; a file holds one");
  EXPECT_EQ(error("[a]: 1\n"), "1: a key is plain text");
  EXPECT_EQ(error("a: 1\n  b: [\n").substr(0, 13), "2: not YAML: ");
  EXPECT_EQ(error("a: *nothing\n").substr(0, 13), "1: not YAML: ");
}

TEST(ParseYaml, DeepNestingIsAnErrorAndNoCrash) {
  EXPECT_EQ(error("a:\n" + std::string(100000, '[')),
            "2: lists and maps are nested too deeply here");
}

}  // namespace
}  // namespace reshape::conformance
