#include "conformance/run/write_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace reshape::conformance {
namespace {

class WriteFile : public ::testing::Test {
 protected:
  WriteFile() {
    folder = std::filesystem::path(::testing::TempDir()) /
             ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  ~WriteFile() override { std::filesystem::remove_all(folder); }

  std::string text_of(const std::string& path) {
    std::ifstream stream(path);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  std::size_t files() {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
  }

  std::filesystem::path folder;
};

TEST_F(WriteFile, WritesThroughLinksAndKeepsTheMode) {
  const std::filesystem::path target = folder / "target.json";
  std::ofstream(target) << "old";
  std::filesystem::permissions(target, std::filesystem::perms(0600));
  std::filesystem::create_symlink("target.json", folder / "link.json");
  std::filesystem::create_symlink(folder / "link.json", folder / "link-of-a-link.json");
  ASSERT_TRUE(write_file(folder / "link-of-a-link.json", "new"));
  EXPECT_EQ(text_of(target), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.json"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link-of-a-link.json"));
  EXPECT_EQ(std::filesystem::status(target).permissions(), std::filesystem::perms(0600));
  // A link's target need not exist.
  std::filesystem::create_symlink("fresh.json", folder / "dangling.json");
  ASSERT_TRUE(check_writable(folder / "dangling.json"));
  ASSERT_TRUE(write_file(folder / "dangling.json", "fresh"));
  EXPECT_EQ(text_of(folder / "fresh.json"), "fresh");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "dangling.json"));
}

TEST_F(WriteFile, ALoopOfLinksIsNoPlaceForAFile) {
  std::filesystem::create_symlink("that.json", folder / "this.json");
  std::filesystem::create_symlink("this.json", folder / "that.json");
  for (const char* name : {"this.json", "that.json"}) {
    const Result<std::string> written = write_file(folder / name, "lost");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().message, "cannot be written: Too many levels of symbolic links");
    EXPECT_FALSE(check_writable(folder / name));
    EXPECT_FALSE(is_replaced(folder / name));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / name));
  }
  EXPECT_EQ(files(), 2u);
}

TEST_F(WriteFile, ReplacesTheWholeFileAndLeavesNothingBeside) {
  const std::string path = folder / "report.json";
  ASSERT_TRUE(write_file(path, "a long first text"));
  ASSERT_TRUE(write_file(path, "second"));
  EXPECT_EQ(text_of(path), "second");
  EXPECT_EQ(files(), 1u);
}

TEST_F(WriteFile, AnErrorNamesThePathAndLeavesTheOldFile) {
  const std::string path = folder / "none" / "report.json";
  EXPECT_EQ(write_file(path, "x").error().text(),
            path + ": cannot be written: No such file or directory");
  EXPECT_EQ(check_writable(path).error().text(),
            path + ": cannot be written: No such file or directory");
  EXPECT_FALSE(write_file(folder, "x"));
  EXPECT_FALSE(check_writable(folder));
  EXPECT_EQ(files(), 0u);
}

// As on a full disk: the write stops half-way.
TEST_F(WriteFile, WhatIsHalfWrittenIsTakenAwayAgain) {
  const std::string path = folder / "report.json";
  ASSERT_TRUE(write_file(path, "old"));
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit four_bytes = {4, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &four_bytes), 0);
  const Result<std::string> written = write_file(path, "too long");
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(written.error().text(), path + ": cannot be written: File too large");
  EXPECT_EQ(text_of(path), "old");
  EXPECT_EQ(files(), 1u);
}

// The limit's signal kills the program while it writes.
TEST_F(WriteFile, WhoIsEndedWhileItWritesLeavesNothing) {
  const std::string path = folder / "report.json";
  if (open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600) < 0)
    GTEST_SKIP() << "this file system has no files without a name";
  const pid_t writer = fork();
  if (writer == 0) {
    const rlimit four_bytes = {4, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &four_bytes);
    static_cast<void>(write_file(path, "too long"));
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(writer, &status, 0), writer);
  EXPECT_TRUE(WIFSIGNALED(status)) << status;
  EXPECT_EQ(files(), 0u);
}

TEST_F(WriteFile, TryingLeavesNoTrace) {
  const std::string path = folder / "report.json";
  EXPECT_TRUE(check_writable(path));
  EXPECT_EQ(files(), 0u);
  ASSERT_TRUE(write_file(path, "old"));
  EXPECT_TRUE(check_writable(path));
  EXPECT_EQ(text_of(path), "old");
}

TEST_F(WriteFile, DevicesAreWrittenInPlace) {
  EXPECT_TRUE(check_writable("/dev/null"));
  EXPECT_TRUE(write_file("/dev/null", "x"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_FALSE(is_replaced("/dev/null"));
  EXPECT_TRUE(is_replaced(folder / "report.json"));
}

// As a shell opens it: >> keeps what is there, and a process substitution is a pipe.
TEST_F(WriteFile, WhatIsOpenAlreadyIsWrittenInPlace) {
  const std::string path = folder / "log";
  std::ofstream(path) << "kept\n";
  const int log = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  std::filesystem::create_symlink("/proc/self/fd/" + std::to_string(log), folder / "link");
  for (const std::string& name :
       {"/dev/fd/" + std::to_string(ends[1]), (folder / "link").string()}) {
    EXPECT_FALSE(is_replaced(name));
    ASSERT_TRUE(check_writable(name)) << check_writable(name).error().text();
    ASSERT_TRUE(write_file(name, "new"));
  }
  EXPECT_EQ(text_of(path), "kept\nnew");
  char piece[8] = {};
  EXPECT_EQ(read(ends[0], piece, sizeof piece), 3);
  EXPECT_STREQ(piece, "new");
  for (const int file : {log, ends[0], ends[1]}) close(file);
  EXPECT_FALSE(check_writable("/dev/fd/" + std::to_string(log)));
}

// A pipe would block until somebody reads; other things are not the file that was meant.
TEST_F(WriteFile, AnyOtherThingThatIsNoFileIsRefused) {
  const std::string path = folder / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(check_writable(path).error().text(), path + ": not written: it is no regular file");
  EXPECT_EQ(write_file(path, "x").error().text(), path + ": not written: it is no regular file");
  EXPECT_FALSE(check_writable("-"));
  EXPECT_FALSE(write_file("-", "x"));
}

}  // namespace
}  // namespace reshape::conformance
