#include "conformance/run/crash_frames.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace reshape::conformance {
namespace {

// The frame of a crash at 0x10 if addr2line prints these lines.
CrashFrame named(const std::string& printed) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "crash-frames-tool";
  std::filesystem::create_directories(folder);
  const std::string tool = (folder / "addr2line").string();
  std::ofstream(tool) << "#!/bin/sh\ncat <<'END'\n" << printed << "END\n";
  chmod(tool.c_str(), 0755);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (folder.string() + ":" + path).c_str(), 1);
  std::vector<CaseResult> cases(1);
  Fault fault;
  fault.frame = CrashFrame{16, "", "", 0};
  cases[0].verdict.faults.push_back(fault);
  name_crash_frames("libmine.so", cases);
  ::setenv("PATH", path.c_str(), 1);
  return *cases[0].verdict.faults[0].frame;
}

TEST(CrashFrames, AreTheLibrarysOwnAndNotWhatIsInlinedFromHeadersOfTheSystem) {
  const CrashFrame frame = named(
      "0x0000000000000010\n"
      "std::allocator<long>::allocate(unsigned long)\n/usr/include/c++/12/bits/allocator.h:137\n"
      "mine::copy(char*)\n/home/me/mine.cpp:42\n"
      "mine::execute()\n/home/me/mine.cpp:7\n");
  EXPECT_EQ(frame.function, "mine::copy(char*)");
  EXPECT_EQ(frame.file, "/home/me/mine.cpp");
  EXPECT_EQ(frame.line, 42);
}

TEST(CrashFrames, AreTheInnermostWhereAllAreOfTheSystem) {
  const CrashFrame frame = named(
      "0x0000000000000010\n"
      "std::allocator<long>::allocate(unsigned long)\n/usr/include/c++/12/bits/allocator.h:137\n"
      "std::vector<long>::resize()\n/usr/include/c++/12/bits/vector.h:9\n");
  EXPECT_EQ(frame.line, 137);
  EXPECT_EQ(named("0x0000000000000010\n??\n??:0\n").line, 0);
}

}  // namespace
}  // namespace reshape::conformance
