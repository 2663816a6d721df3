#include "conformance/adapter/process/proc_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace reshape::conformance {
namespace {

constexpr const char* kStatus = "/proc/self/status";

// The number that the next file to be opened gets.
int next_file() {
  const int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  close(file);
  return file;
}

std::string name_in(std::string_view status) { return std::string(field(status, "Name")); }

TEST(ProcFile, SaysWhatIsSoNow) {
  char before[16] = {};
  prctl(PR_GET_NAME, before);
  ProcFile status(kStatus);
  EXPECT_EQ(name_in(status.read()), before);
  prctl(PR_SET_NAME, "another");
  EXPECT_EQ(name_in(status.read()), "another");
  prctl(PR_SET_NAME, before);
  EXPECT_EQ(ProcFile("/proc/nothing").read(), "");
}

TEST(ProcFile, IsReadAfterSomebodyClosedItAndStaysClosed) {
  const int file = next_file();
  ProcFile status(kStatus);
  close(file);
  EXPECT_NE(name_in(status.read()), "");
  EXPECT_EQ(fcntl(file, F_GETFD), -1);
}

TEST(ProcFile, IsReadAnewBehindAFileInItsPlace) {
  const int file = next_file();
  ProcFile status(kStatus);
  const int other = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(dup2(other, file), file);
  close(other);
  EXPECT_EQ(name_in(status.read()), "");
  EXPECT_NE(name_in(status.read_anew()), "");
}

TEST(ProcFile, AFieldIsALineOfThatName) {
  constexpr std::string_view kText = "State:\tS (sleeping)\nSigPnd:\t0a\nShdPnd:\t";
  EXPECT_EQ(field(kText, "State"), "S (sleeping)");
  EXPECT_EQ(field(kText, "SigPnd"), "0a");
  EXPECT_EQ(field(kText, "ShdPnd"), "");
  EXPECT_EQ(field(kText, "Sig"), "");
  EXPECT_EQ(field("", "State"), "");
}

}  // namespace
}  // namespace reshape::conformance
