#include <gtest/gtest.h>
#include <sys/stat.h>

#include "conformance/models/openvino_ir.h"
#include "conformance/models/testing/ir_text.h"
#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance {
namespace {

class HostileIr : public testing::Test {
 protected:
  std::string error(const std::string& path) const {
    return folder_.error_of(read_openvino_ir(path));
  }
  // The error of a model in which the first `from` is replaced by `to`.
  std::string spoiled(const std::string& from, const std::string& to) const {
    return error(folder_.write(IrText({{{2, 3}, {3, -1}, "true", {3, 2}}}).spoil(from, to)));
  }
  std::string of_xml(const std::string& xml) const {
    return error(folder_.write("model.xml", xml));
  }

  ModelFolder folder_;
};

TEST_F(HostileIr, FilesThatAreNoModel) {
  EXPECT_EQ(error(folder_.path("none.xml")), "none.xml: cannot be read: No such file or directory");
  EXPECT_EQ(error(folder_.path("")), ": cannot be read: it is a folder");
  ASSERT_EQ(mkfifo(folder_.path("pipe.xml").c_str(), 0600), 0);
  EXPECT_EQ(error(folder_.path("pipe.xml")), "pipe.xml: not read: it is no regular file");
  std::filesystem::resize_file(folder_.write("model.xml", ""), (std::uintmax_t{64} << 20) + 1);
  EXPECT_EQ(error(folder_.path("model.xml")), "model.xml: larger than 64 MiB");
  EXPECT_EQ(of_xml("<net version=\"11\">\n<layers>\n"),
            "model.xml:2: not XML: Start-end tags mismatch");
  EXPECT_EQ(of_xml("<html/>"),
            "model.xml:1: no OpenVINO IR: its first element is \"html\", and not \"net\"");
  EXPECT_EQ(spoiled("version=\"11\"", "version=\"7\""),
            "model.xml:2: an IR of version \"7\"; read are 10 and 11");
}

TEST_F(HostileIr, EntitiesAreNotExpanded) {
  EXPECT_EQ(spoiled("<net ", "<!DOCTYPE net [<!ENTITY a \"&b;&b;\"><!ENTITY b \"ha\">]>\n<net "),
            "model.xml:2: has a DOCTYPE, which no model needs and which is not read");
  EXPECT_EQ(spoiled("<dim>2</dim><dim>3</dim></port>\n        ", "<dim>&a;</dim></port>"),
            "model.xml:14: a dimension is \"&a;\", and not a number from -1 to 2^63-1");
}

TEST_F(HostileIr, Numbers) {
  const auto says = [](const std::string& text, const std::string& part) { expect_in(text, part); };
  says(spoiled("<dim>3</dim>", "<dim>-2</dim>") +
           spoiled("<dim>3</dim></port>\n        ", "<dim>-2</dim></port>"),
       "a dimension is \"-2\"");
  says(spoiled("<dim>3</dim></port>\n        ", "<dim>99999999999999999999</dim></port>"),
       "a dimension is \"99999999999999999999\"");
  says(spoiled("offset=\"0\"", "offset=\"-8\""), "model.xml:8: offset is \"-8\"");
  says(spoiled("offset=\"0\"", "offset=\"9223372036854775807\""),
       "do not lie in model.bin, which has 16");
  says(spoiled("size=\"16\"", "size=\"8\""),
       "model.xml:8: the constant i64[2] takes 16 bytes, and its size is 8");
  says(spoiled("shape=\"2\"", "shape=\"1000000000\""),
       "model.xml:8: the constant i64[1000000000] takes 8000000000 bytes, and its size is 16");
  says(spoiled("special_zero=\"true\"", "special_zero=\"maybe\""), "neither true nor false");
}

TEST_F(HostileIr, Graphs) {
  EXPECT_EQ(spoiled("from-layer=\"1\"", "from-layer=\"7\""),
            "model.xml:22: an edge comes from layer \"7\", which is not there");
  EXPECT_EQ(spoiled("to-port=\"1\"", "to-port=\"0\""),
            "model.xml:22: a second edge leads to port \"0\" of layer \"2\"");
  EXPECT_EQ(spoiled("layer id=\"1\"", "layer id=\"0\""),
            "model.xml:7: a second layer has the id \"0\"");
}

TEST_F(HostileIr, FilesThatContradictThemselves) {
  EXPECT_EQ(spoiled("special_zero=\"true\"", "special_zero=\"true\" special_zero=\"false\"")
                .substr(sizeof("model.xml:") - 1 + 2),
            ": not XML: <data> has special_zero twice");
  expect_in(of_xml("<net version=\"11\"/>\nand text"), "not XML: more follows or precedes");
  expect_in(of_xml("<net version=\"11\"/>\n<net/>"), "not XML: more follows or precedes");
  expect_in(spoiled("<data special_zero=\"true\"/>",
                    "<data special_zero=\"true\"/><data special_zero=\"false\"/>"),
            "a layer has two <data>");
  EXPECT_EQ(of_xml(""), "model.xml: not XML: it has no element");
  expect_in(spoiled("from-layer=\"1\" from-port=\"0\"", "from-layer=\"1\" from-port=\"9\""),
            "an edge comes from port \"9\" of layer \"1\", which is not there");
  expect_in(spoiled("element_type=\"i64\"", "element_type=\"u64\""),
            "the constant is \"u64\", and its port \"I64\"");
  expect_in(spoiled("<dim>2</dim>", "<dim>7</dim>"), "where it comes from");
}

TEST_F(HostileIr, WeightsThatAreNoFile) {
  const std::string path = folder_.write(IrText({{{6}, {6}, "true"}}));
  std::filesystem::remove(folder_.path("model.bin"));
  ASSERT_EQ(mkfifo(folder_.path("model.bin").c_str(), 0600), 0);
  EXPECT_EQ(error(path), "model.bin: not read: it is no regular file");
}

}  // namespace
}  // namespace reshape::conformance
