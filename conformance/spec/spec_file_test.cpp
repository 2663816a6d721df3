#include "conformance/spec/spec_file.h"

#include <gtest/gtest.h>

#include <string>

#include "conformance/spec/small_specs.h"

namespace reshape::conformance {
namespace {

// What is read of a folder with files at these paths.
Result<std::vector<SpecFile>> read_with(const std::vector<std::string>& paths) {
  std::vector<SpecFile> files;
  for (const std::string& path : paths) files.push_back({path, "cases: []\n"});
  return read_spec_files(TestFolder(files).path());
}

TEST(SpecFiles, AreThoseOfAllFoldersInTheOrderOfTheirPaths) {
  const auto files = read_with({"suite.yaml", "cases/b.yaml", "cases/a/c.yaml", "cases/README.md"});
  ASSERT_TRUE(files.ok());
  ASSERT_EQ(files->size(), 3U);
  EXPECT_EQ((*files)[0].path, "cases/a/c.yaml");
  EXPECT_EQ((*files)[1].path, "cases/b.yaml");
  EXPECT_EQ((*files)[2].path, "suite.yaml");
  EXPECT_EQ((*files)[2].text, "cases: []\n");
}

TEST(SpecFiles, HoldNothingHiddenAndNoSchema) {
  const auto files = read_with({".git/a.yaml", ".yamllint.yaml", "cases/.#b.yaml", "cases/._b.yaml",
                                "cases/.b.yml", "schema/c.yaml", "schema/d.json"});
  ASSERT_TRUE(files.ok());
  EXPECT_TRUE(files->empty());
}

TEST(SpecFiles, ThatAreHiddenAreRefused) {
  const TestFolder folder({SpecFile{"dialects/.mine.yaml", "dialect: mine\n"}});
  const auto files = read_spec_files(folder.path());
  ASSERT_FALSE(files.ok());
  EXPECT_EQ(files.error().text(), folder.path() +
                                      "/dialects/.mine.yaml: not read: its name begins "
                                      "with a dot; rename it, or move it elsewhere");
}

TEST(SpecFiles, ThatAreNoUtf8AreRefusedWithTheirPlace) {
  const TestFolder folder({SpecFile{"dialects/mine.yaml", "dialect: mine\ntitle: Gr\xfc\xdf\n"}});
  const auto files = read_spec_files(folder.path());
  ASSERT_FALSE(files.ok());
  EXPECT_EQ(files.error().text(),
            folder.path() + "/dialects/mine.yaml:2:10: a byte that is no UTF-8, fc");
}

// A file of cases under a name that is passed over would never be asked, and nobody told.
TEST(SpecFiles, OfAnotherNameAreRefused) {
  for (const std::string path : {"cases/a.yml", "cases/a.YAML", "cases/a.Yml", "cases/a.json"}) {
    const TestFolder folder({{path, "cases: []\n"}});
    const auto files = read_spec_files(folder.path());
    ASSERT_FALSE(files.ok()) << path;
    EXPECT_EQ(files.error().message, "not read: name it .yaml") << path;
    EXPECT_EQ(files.error().where, folder.path() + '/' + path);
  }
}

}  // namespace
}  // namespace reshape::conformance
