#include "conformance/files/sha256.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace reshape::conformance {
namespace {

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
  const std::string path = ::testing::TempDir() + "/sha256_test";
  const std::string bytes(200'001, 'x');  // more than is read at once
  std::ofstream(path, std::ios::binary) << bytes;
  const Result<std::string> digest = sha256_of_file(path);
  ASSERT_TRUE(digest);
  EXPECT_EQ(*digest, sha256(bytes));
  std::filesystem::remove(path);
  EXPECT_FALSE(sha256_of_file(path));
  EXPECT_FALSE(sha256_of_file("/dev/zero"));
}

}  // namespace
}  // namespace reshape::conformance
