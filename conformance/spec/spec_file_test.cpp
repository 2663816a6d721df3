#include "conformance/spec/spec_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace reshape::conformance {
namespace {

namespace fs = std::filesystem;

class SpecFiles : public testing::Test {
 protected:
  SpecFiles() {
    std::string made = (fs::temp_directory_path() / "specs-XXXXXX").string();
    if (mkdtemp(made.data()) == nullptr) throw std::runtime_error("no folder for the test");
    folder_ = made;
  }
  ~SpecFiles() override { fs::remove_all(folder_); }

  void write(const std::string& path) const {
    const fs::path file = fs::path(folder_) / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "cases: []\n";
  }

  std::string folder_;
};

TEST_F(SpecFiles, AreThoseOfAllFoldersInTheOrderOfTheirPaths) {
  for (const char* path : {"suite.yaml", "cases/b.yaml", "cases/a/c.yaml", "cases/README.md"})
    write(path);
  const Result<std::vector<SpecFile>> files = read_spec_files(folder_);
  ASSERT_TRUE(files.ok());
  ASSERT_EQ(files->size(), 3U);
  EXPECT_EQ((*files)[0].path, "cases/a/c.yaml");
  EXPECT_EQ((*files)[1].path, "cases/b.yaml");
  EXPECT_EQ((*files)[2].path, "suite.yaml");
  EXPECT_EQ((*files)[2].text, "cases: []\n");
}

TEST_F(SpecFiles, HoldNothingHiddenAndNoSchema) {
  for (const char* path : {".git/a.yaml", "cases/.b.yaml", "schema/c.yaml", "schema/d.json"})
    write(path);
  const Result<std::vector<SpecFile>> files = read_spec_files(folder_);
  ASSERT_TRUE(files.ok());
  EXPECT_TRUE(files->empty());
}

// A file of cases under a name that is passed over would never be asked, and nobody told.
TEST_F(SpecFiles, OfAnotherNameAreRefused) {
  for (const char* path : {"cases/a.yml", "cases/a.YAML", "cases/a.Yml", "cases/a.json"}) {
    write(path);
    const Result<std::vector<SpecFile>> files = read_spec_files(folder_);
    ASSERT_FALSE(files.ok()) << path;
    EXPECT_EQ(files.error().message, "not read: name it .yaml") << path;
    EXPECT_EQ(files.error().where, folder_ + '/' + path);
    fs::remove(fs::path(folder_) / path);
  }
}

}  // namespace
}  // namespace reshape::conformance
