// The report of a crash in a plug-in names function, file and line if it has debug symbols.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "conformance/command/shell_test.h"

namespace reshape::conformance {
namespace {

using Json = nlohmann::json;

class CrashFrames : public ShellTest {
 protected:
  // The line of the plug-in's source that holds these words.
  static int line_of(const std::string& words) {
    std::ifstream source(RESHAPE_CRASHING_SOURCE);
    std::string line;
    for (int number = 1; std::getline(source, line); ++number) {
      if (has(line, "// " + words)) return number;
    }
    ADD_FAILURE() << words << " is nowhere in " RESHAPE_CRASHING_SOURCE;
    return 0;
  }
  static std::string place_of(const std::string& words) {
    return "crashing_plugin.c:" + std::to_string(line_of(words)) + "\n";
  }
  static Ran replay(const std::string& library, const std::string& pattern) {
    return shell("replay 'openvino-reshape-1 f32[2,5] i64[" + pattern +
                 "] special_zero=false' -i '" + library + "'");
  }
  // Makes one run, which also writes a JSON and a SARIF report.
  Ran run(const char* library) {
    const Ran ran = shell(
        "run -q --suite-only --no-diagnosis -d openvino-reshape-1 -c content.kept "
        "--most-failures 3 -i '" +
        std::string(library) + "' --json " + file("run.json") + " --sarif " + file("run.sarif"));
    json = Json::parse(text_of(file("run.json")))["runs"][0];
    sarif = Json::parse(text_of(file("run.sarif")))["runs"][0];
    return ran;
  }
  // The faults of that run that have a frame.
  std::vector<Json> crashes() const {
    std::vector<Json> found;
    for (const Json& one : json["cases"]) {
      for (const Json& fault : one.value("faults", Json::array())) {
        if (fault.contains("frame")) found.push_back(fault);
      }
    }
    return found;
  }
  Json json;
  Json sarif;
};

TEST_F(CrashFrames, TextNamesFunctionFileAndLine) {
  Ran ran = replay(RESHAPE_CRASHING, "5,2");
  expect_says(ran, 1, {"      frame     store at ", place_of("the store")});
}

// The fault names the guard page first; the frame is an addition to it.
TEST_F(CrashFrames, AnOverrunIsToldWithItsFrame) {
  const Ran ran = replay(RESHAPE_CRASHING, "5,2,1,1");
  expect_in(ran.out, "      watch     guard-page");
  expect_in(ran.out, "      frame     overrun at ");
  expect_in(ran.out, place_of("the overrun"));
}

// The faulting instruction is in the C library; the frame named is the plug-in's that called it.
TEST_F(CrashFrames, ACrashBelowThePluginIsToldWhereItCalled) {
  Ran ran = replay(RESHAPE_CRASHING, "10");
  expect_in(ran.out, "      frame     clear at ");
  expect_in(ran.out, place_of("the call of memset"));
  ran = replay(RESHAPE_CRASHING, "5,2,1");
  expect_in(ran.out, "      frame     give_up at ");
  expect_in(ran.out, place_of("the call of abort"));
}

TEST_F(CrashFrames, WithoutSymbolsThereIsTheAddressAlone) {
  const Ran ran = replay(RESHAPE_CRASHING_BARE, "5,2");
  expect_in(ran.out, "      frame     libcrashing_without_symbols.so+0x");
  EXPECT_FALSE(has(ran.out, " at ")) << ran.out;
  EXPECT_EQ(run(RESHAPE_CRASHING_BARE).code, 1);
  EXPECT_FALSE(crashes().empty());
  for (const Json& fault : crashes()) {
    EXPECT_GT(fault["frame"]["address"], 0);
    EXPECT_FALSE(fault["frame"].contains("line")) << fault;
  }
}

TEST_F(CrashFrames, WithoutAToolThereIsTheAddressAlone) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", file("none").c_str(), 1);
  const Ran bare = replay(RESHAPE_CRASHING, "5,2");
  ::setenv("PATH", path.c_str(), 1);
  expect_says(bare, 1, {"      frame     libcrashing_with_symbols.so+0x"});
}

TEST_F(CrashFrames, JsonAndSarifPointAtTheLine) {
  const Ran ran = run(RESHAPE_CRASHING);
  EXPECT_EQ(ran.code, 1);
  int stores = 0;
  for (const Json& fault : crashes()) {
    if (fault["frame"]["function"] != "store") continue;
    ++stores;
    EXPECT_EQ(fault["frame"]["line"], line_of("the store"));
    EXPECT_TRUE(has(fault["frame"]["file"], "testing/crashing_plugin.c")) << fault;
  }
  EXPECT_GT(stores, 0);
  int pointed = 0;
  for (const Json& result : sarif["results"]) {
    const Json& place = result["locations"][0]["physicalLocation"];
    if (!has(place["artifactLocation"]["uri"], "testing/crashing_plugin.c") ||
        place["region"]["startLine"] != line_of("the store")) {
      continue;
    }
    ++pointed;
    EXPECT_TRUE(has(result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"],
                    "specs/dialects/"))
        << result;
    EXPECT_EQ(result["stacks"][0]["frames"][0]["location"]["logicalLocations"][0]["name"], "store");
  }
  EXPECT_EQ(pointed, stores);
}

}  // namespace
}  // namespace reshape::conformance
