#include "conformance/models/openvino_ir.h"

#include <gtest/gtest.h>

#include <cctype>

#include "conformance/models/testing/ir_text.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

class OpenVinoIr : public testing::Test {
 protected:
  Model read(const IrText& text) const {
    const Result<Model> model = read_openvino_ir(folder_.write(text));
    EXPECT_TRUE(model.ok()) << model.error().text();
    return model ? *model : Model{};
  }
  // The request of a model of one Reshape.
  std::string request(const IrText& text) const {
    const Model model = read(text);
    if (model.reshapes.size() != 1) return std::to_string(model.reshapes.size()) + " reshapes";
    return print_line(model.reshapes[0].request).substr(std::string("openvino-reshape-1 ").size());
  }
  // Why the one Reshape of a model states no request.
  std::string why(const IrText& text) const {
    const Model model = read(text);
    if (!model.reshapes.empty() || model.unstated.size() != 1) return "it does";
    return std::string(reshape::conformance::text(model.unstated[0].why));
  }

  ModelFolder folder_;
  const IrReshape plain_{{2, 3}, {3, -1}, "true", {3, 2}};
};

TEST_F(OpenVinoIr, ReadsAReshapeAndItsPlace) {
  const Model model = read(IrText({plain_}));
  EXPECT_EQ(model.form, "an OpenVINO IR of version 11");
  ASSERT_EQ(model.reshapes.size(), 1U);
  const ModelReshape& one = model.reshapes[0];
  EXPECT_EQ(print_line(one.request), "openvino-reshape-1 f32[2,3] i64[3,-1] special_zero=true");
  EXPECT_EQ(one.layer.name, "fold2");
  EXPECT_EQ(one.layer.id, "2");
  EXPECT_EQ(one.layer.where, folder_.path("model.xml") + ":11");
  EXPECT_EQ(one.output, (Shape{3, 2}));
}

TEST_F(OpenVinoIr, ReadsBothVersionsAlike) {
  const Model model = read(IrText({plain_}, 10));
  EXPECT_EQ(model.form, "an OpenVINO IR of version 10");
  IrReshape half = plain_;
  half.precision = "FP16";  // in version 10 it stands at outputs only
  EXPECT_EQ(request(IrText({half}, 10)), "f16[2,3] i64[3,-1] special_zero=true");
  EXPECT_EQ(request(IrText({half}, 11)), "f16[2,3] i64[3,-1] special_zero=true");
}

TEST_F(OpenVinoIr, ReadsPatternsOfBothWidths) {
  IrReshape narrow{{2, 3}, {-1, 2147483647, -2147483647 - 1}, "false", {}, "U8", "i32"};
  EXPECT_EQ(request(IrText({narrow})), "u8[2,3] i32[-1,2147483647,-2147483648] special_zero=false");
  narrow.pattern_type = "i64";
  narrow.pattern = {-1, std::int64_t{1} << 40};
  EXPECT_EQ(request(IrText({narrow})), "u8[2,3] i64[-1,1099511627776] special_zero=false");
}

TEST_F(OpenVinoIr, ReadsEveryIntegerTypeOfAPattern) {
  const auto with = [&](const std::string& type, std::size_t bytes) {
    IrText text({plain_});
    text.spoil("element_type=\"i64\"", "element_type=\"" + type + '"');
    std::string precision = type;
    precision[0] = static_cast<char>(std::toupper(precision[0]));
    text.spoil("precision=\"I64\"", "precision=\"" + precision + '"');
    text.spoil("size=\"16\"", "size=\"" + std::to_string(bytes) + '"');
    text.bin = std::string("\x23\xf1\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16);
    return request(text);
  };
  EXPECT_EQ(with("i4", 1), "f32[2,3] i4[3,2] special_zero=true");
  EXPECT_EQ(with("i8", 2), "f32[2,3] i8[35,-15] special_zero=true");
  EXPECT_EQ(with("u8", 2), "f32[2,3] u8[35,241] special_zero=true");
  EXPECT_EQ(with("u16", 4), "f32[2,3] u16[61731,65535] special_zero=true");
  EXPECT_EQ(with("u64", 16),
            "f32[2,3] u64[18446744073709547811,18446744073709551615] special_zero=true");
}

TEST_F(OpenVinoIr, ReadsConstantsOfTheFirstVersion10) {
  IrText text({plain_}, 10);
  text.spoil("element_type=\"i64\" shape=\"2\" ", "");
  EXPECT_EQ(request(text), "f32[2,3] i64[3,-1] special_zero=true");
}

TEST_F(OpenVinoIr, ReadsAPatternThatIsNoList) {
  IrText text({plain_});
  text.spoil("shape=\"2\"", "shape=\"1, 2\"");
  text.spoil("<port id=\"1\" precision=\"I64\"><dim>2</dim>",
             "<port id=\"1\" precision=\"I64\"><dim>1</dim><dim>2</dim>");
  EXPECT_EQ(request(text), "f32[2,3] i64[3,-1] special_zero=true pattern_shape=[1,2]");
}

TEST_F(OpenVinoIr, AFlagThatIsMissingStaysMissing) {
  IrText text({plain_});
  text.spoil("<data special_zero=\"true\"/>", "");
  EXPECT_EQ(request(text), "f32[2,3] i64[3,-1]");
  EXPECT_EQ(request(IrText({{{6}, {6}, "False"}})), "f32[6] i64[6] special_zero=false");
}

TEST_F(OpenVinoIr, ReadsBodiesWithTheirOwnIds) {
  // Both nets have layers 0, 1 and 2, and the body has edges of its own.
  IrText text({plain_});
  IrText inner({plain_});
  std::string body = inner.xml.substr(inner.xml.find("  <layers>"));
  body = body.substr(0, body.find("</net>"));
  text.spoil("  </layers>",
             "    <layer id=\"9\" name=\"if\" type=\"If\" version=\"opset8\"><then_body>\n" + body +
                 "</then_body></layer>\n  </layers>");
  const Model model = read(text);
  ASSERT_EQ(model.reshapes.size(), 2U);
  EXPECT_EQ(model.reshapes[0].request, model.reshapes[1].request);
  EXPECT_NE(model.reshapes[0].layer.where, model.reshapes[1].layer.where);
}

TEST_F(OpenVinoIr, TakesNamedConstants) {
  const std::string path = folder_.write(IrText({plain_}));
  std::filesystem::rename(folder_.path("model.bin"), folder_.path("other.bin"));
  const Result<Model> model = read_openvino_ir(path, folder_.path("other.bin"));
  ASSERT_TRUE(model.ok()) << model.error().text();
  EXPECT_EQ(model->reshapes.size(), 1U);
}

TEST_F(OpenVinoIr, DoesNotGuessWhatIsDynamic) {
  IrReshape open = plain_;
  open.data = {-1, 3};
  EXPECT_EQ(why(IrText({open})), text(Unstated::dynamic_data));
  open.data = {};
  EXPECT_EQ(why(IrText({open})), text(Unstated::unranked_data));
  IrText without({plain_});
  without.spoil("<input>", "<was>").spoil("</input>", "</was>");
  EXPECT_EQ(why(without), text(Unstated::unranked_data));
  IrText scalar({{{}, {1}, "true"}});
  scalar.spoil("type=\"Parameter\" version=\"opset1\">",
               "type=\"Parameter\" version=\"opset1\"><data shape=\"\" element_type=\"f32\"/>");
  EXPECT_EQ(request(scalar), "f32[] i64[1] special_zero=true");
}

TEST_F(OpenVinoIr, SaysWhyAReshapeStatesNoRequest) {
  EXPECT_EQ(why(IrText({plain_}).spoil("\"Const\"", "\"ShapeOf\"")),
            text(Unstated::computed_pattern));
  EXPECT_EQ(why(IrText({plain_}).spoil("\"i64\"", "\"f32\"").spoil("\"I64\"", "\"FP32\"")),
            text(Unstated::pattern_type));
  IrReshape longer = plain_;
  longer.pattern = std::vector<std::int64_t>(257, 1);
  EXPECT_EQ(why(IrText({longer})), text(Unstated::long_pattern));
  IrReshape words = plain_;
  words.precision = "STRING";
  EXPECT_EQ(why(IrText({words})), text(Unstated::data_type));
  EXPECT_EQ(
      why(IrText({plain_}).spoil("\"Reshape\" version=\"opset1\"", "\"Reshape\" version=\"mine\"")),
      text(Unstated::other_operation));
  const IrText whole({plain_});
  std::filesystem::remove(folder_.path("model.bin"));
  const Result<Model> model = read_openvino_ir(folder_.write("model.xml", whole.xml));
  ASSERT_TRUE(model.ok());
  ASSERT_EQ(model->unstated.size(), 1U);
  EXPECT_EQ(model->unstated[0].why, Unstated::no_constants);
}

}  // namespace
}  // namespace reshape::conformance
