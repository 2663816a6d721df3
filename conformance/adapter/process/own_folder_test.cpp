#include "conformance/adapter/process/own_folder.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "conformance/adapter/testing/processes.h"

namespace reshape::conformance {
namespace {

namespace fs = std::filesystem;

class OwnFolder : public testing::Test {
 protected:
  OwnFolder()
      : place_(fs::path(testing::TempDir()) / ("own-folder-" + std::to_string(getpid()))),
        came_from_(fs::current_path()) {
    fs::create_directories(place_ / "others");
    std::ofstream(place_ / "others" / "precious") << "kept";
    setenv("TMPDIR", place_.c_str(), 1);
  }
  ~OwnFolder() override {
    fs::current_path(came_from_);
    adopt_own_folder();  // none: else later tests would kill the other processes of a pipe
    unsetenv("TMPDIR");
    fs::remove_all(place_);
  }

  bool is_empty_but_for_others() const {
    return std::distance(fs::directory_iterator(place_), fs::directory_iterator()) == 1 &&
           fs::exists(place_ / "others" / "precious");
  }

  const fs::path place_;
  const fs::path came_from_;
};

// A tree that is deeper than the longest path and than the number of files that a program may open.
TEST_F(OwnFolder, GoesWithAllThatItHolds) {
  const std::string folder = *make_own_folder();
  fs::current_path(folder);
  for (int depth = 0; depth < 900; ++depth) {
    ASSERT_EQ(mkdir("deep", 0700), 0);
    ASSERT_EQ(chdir("deep"), 0);
  }
  std::ofstream("at the bottom") << "x";
  fs::current_path(folder);
  fs::create_directories("closed/inner");
  std::ofstream("deep-0") << "x";
  fs::create_symlink(place_ / "others", "link");
  fs::create_symlink(place_ / "others", "closed/inner/link");
  ASSERT_EQ(mkfifo("pipe", 0600), 0);
  fs::permissions("closed/inner", fs::perms::none);
  fs::permissions("closed", fs::perms::none);
  fs::permissions(folder, fs::perms::none);
  fs::current_path(came_from_);
  remove_own_folder(folder);
  EXPECT_TRUE(is_empty_but_for_others());
}

// Files of others must never be removed, whatever a library puts there.
TEST_F(OwnFolder, ALinkInItsPlaceIsNotFollowed) {
  const std::string folder = *make_own_folder();
  fs::current_path(folder);
  adopt_own_folder();
  EXPECT_TRUE(left_in_own_folder().empty());
  std::ofstream("left") << "x";
  EXPECT_EQ(left_in_own_folder(), std::vector<std::string>{"left"});
  EXPECT_TRUE(fs::is_empty(folder));
  fs::remove(folder);
  fs::create_directory_symlink(place_ / "others", folder);
  EXPECT_TRUE(left_in_own_folder().empty());
  EXPECT_TRUE(fs::exists(place_ / "others" / "precious"));
  remove_own_folder(folder);
  EXPECT_TRUE(is_empty_but_for_others());
}

// Runs in a process with mounts of its own; kNoMounts where this machine allows none.
constexpr int kNoMounts = 77;
int with_own_mounts(const std::function<bool()>& holds) {
  return testing_adapter::in_a_child([&] {
    if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return kNoMounts;
    if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return kNoMounts;
    return holds() ? 0 : 1;
  });
}

bool mount_over(const fs::path& what, const fs::path& where) {
  return mount(what.c_str(), where.c_str(), nullptr, MS_BIND, nullptr) == 0;
}

// A mount is told, taken away and never emptied.
TEST_F(OwnFolder, WhatIsMountedInItIsKept) {
  const std::string folder = *make_own_folder();
  fs::permissions(place_ / "others", fs::perms::owner_read | fs::perms::owner_exec);
  const int code = with_own_mounts([&] {
    fs::current_path(folder);
    adopt_own_folder();
    fs::create_directories("inner/mounted");
    std::ofstream("file") << "x";
    bool right = true;
    for (int times = 0; times < 5; ++times) right &= mount_over(place_ / "others", "inner/mounted");
    right &= mount_over(place_ / "others" / "precious", "file");
    right &= left_in_own_folder().size() == 2 && fs::is_empty(folder);
    right &= mount_over(place_ / "others", folder);
    right &= left_in_own_folder() == std::vector<std::string>{"a mount over it"};
    fs::create_directory("mounted");
    right &= mount_over(place_ / "others", "mounted") && mount_over(place_ / "others", folder);
    fs::current_path(came_from_);
    remove_own_folder(folder);
    return right && !fs::exists(folder);
  });
  struct stat state = {};
  EXPECT_EQ(stat((place_ / "others").c_str(), &state), 0);
  EXPECT_EQ(state.st_mode & 0777, 0500u);
  fs::permissions(place_ / "others", fs::perms::owner_all);
  EXPECT_TRUE(fs::exists(place_ / "others" / "precious"));
  remove_own_folder(folder);
  if (code == kNoMounts) GTEST_SKIP() << "nothing can be mounted here";
  EXPECT_EQ(code, 0);
}

TEST_F(OwnFolder, OfManyFilesSomeAreTold) {
  const std::string folder = *make_own_folder();
  fs::current_path(folder);
  adopt_own_folder();
  for (int file = 0; file < 100; ++file) std::ofstream(std::to_string(file)) << "x";
  EXPECT_EQ(left_in_own_folder().size(), 8u);
  EXPECT_TRUE(fs::is_empty(folder));
  remove_own_folder(folder);
}

// Between making the folder and starting its host, nobody else would remove it.
TEST_F(OwnFolder, IsRemovedWhereASignalEndsItsMaker) {
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    const pid_t maker = fork();
    if (maker == 0) {
      end_without_own_folder();
      const auto making = making_own_folder();
      const bool made = make_own_folder().ok() && !is_empty_but_for_others();
      raise(made ? number : SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(maker, &status, 0), maker);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << status;
    EXPECT_TRUE(is_empty_but_for_others());
  }
}

TEST_F(OwnFolder, LiesElsewhereWhereTheFolderForTemporaryFilesIsGone) {
  setenv("TMPDIR", (place_ / "none").c_str(), 1);
  const Result<std::string> folder = make_own_folder();
  ASSERT_TRUE(folder);
  EXPECT_TRUE(folder->starts_with("/tmp/reshape-host-")) << *folder;
  remove_own_folder(*folder);
  EXPECT_FALSE(fs::exists(*folder));
}

}  // namespace
}  // namespace reshape::conformance
