#include "conformance/adapter/child/base64.h"

#include <gtest/gtest.h>

namespace reshape::conformance {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

// The vectors of RFC 4648, section 10.
TEST(Base64, TheStandardsOwnExamples) {
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, coded] : examples) {
    EXPECT_EQ(base64(bytes_of(plain)), coded);
    EXPECT_EQ(from_base64(coded), bytes_of(plain)) << coded;
  }
}

TEST(Base64, EveryByteComesBack) {
  std::vector<std::byte> bytes;
  for (int turn = 0; turn < 3; ++turn) {
    for (int value = 0; value < 256; ++value) bytes.push_back(static_cast<std::byte>(value));
    EXPECT_EQ(from_base64(base64(bytes)), bytes);
    bytes.push_back(std::byte{7});
  }
}

TEST(Base64, NothingElseIsRead) {
  for (const char* wrong : {"Zg", "Zg=", "Zg==\n", "Z===", "====", "Zh==", "Zm9=", "Zm=v", "Zm9*",
                            "Zm-_", " Zm9v", "Zg==Zg=="}) {
    EXPECT_EQ(from_base64(wrong), std::nullopt) << wrong;
  }
}

TEST(Base64, WhatIsWrongIsSaidWithItsPlace) {
  EXPECT_EQ(why_no_base64("Zm-v"), "its character 3 is '-', of the alphabet for URLs");
  EXPECT_EQ(why_no_base64("Zm9v\nZm9v"), "its character 5 is a line end");
  EXPECT_EQ(why_no_base64("Zm=v"), "its character 3 is '='");
  EXPECT_EQ(why_no_base64("Zg"), "its 2 digits take 2 '=' as padding, and it has 0");
  EXPECT_EQ(why_no_base64("Zh=="), "it has bits beyond its last byte");
}

}  // namespace
}  // namespace reshape::conformance
