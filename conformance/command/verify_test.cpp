// `verify` on the output of run --evidence.
#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "conformance/command/shell_test.h"
#include "conformance/files/sha256.h"

namespace reshape::conformance {
namespace {

class Verify : public ShellTest {
 protected:
  // Writes evidence of a short run. Uses a copy of the library, which a test can replace.
  void make(const std::string& from, const char* mistake = "") {
    library = file("libmine.so");
    std::filesystem::copy_file(from, library);
    const Ran ran = shell("run -q -i '" + library + "'" + kAsked + " --evidence " + evidence +
                              " --badge " + file("badge.svg"),
                          mistake);
    ASSERT_TRUE(ran.code == 0 || ran.code == 1) << ran.out;
  }
  void change(const std::string& words, const std::string& by) {
    std::string text = text_of(evidence);
    const std::size_t at = text.find(words);
    ASSERT_NE(at, std::string::npos) << words;
    std::ofstream(evidence) << text.replace(at, words.size(), by);
  }
  // Changes the run that is told, and computes the digest anew, as anybody can.
  void forge(const std::function<void(nlohmann::ordered_json& run)>& how) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(text_of(evidence));
    json.erase("digest");
    how(json["report"]["runs"][0]);
    json["digest"] = sha256(json.dump());
    std::ofstream(evidence) << json.dump();
  }
  Ran verify(const std::string& more = "", const char* mistake = "") {
    return shell("verify '" + evidence + "' " + more, mistake);
  }
  std::string asked_again() const { return "-i '" + library + "' --seed 7 --sample 40"; }

  const std::string kAsked = " -d openvino-reshape-1 -c minus-one.divides --no-diagnosis";
  const std::string evidence = file("evidence.json");
  std::string library;
};

TEST_F(Verify, WhatWasNotTouchedHolds) {
  make(RESHAPE_REFERENCE);
  const Ran ran = verify();
  expect_says(ran, 0, {"The evidence is whole and of this suite."});
  EXPECT_FALSE(has(ran.out, "another build")) << ran.out;
  // A part of the suite is not taken for all of it.
  expect_in(ran.out,
            "\n  of what was asked with --dialect openvino-reshape-1 --clause minus-one.divides\n");
  const Ran again = verify(asked_again() + " --badge " + file("again.svg"));
  expect_says(again, 0, {"cases asked again with seed 7, 0 differ"});
  EXPECT_EQ(text_of(file("again.svg")), text_of(file("badge.svg")));
  expect_in(text_of(file("badge.svg")), " pass</title>");
}

// What cannot be sent to a child was not left out.
TEST_F(Verify, OfAChildAllIsThereThatItCanBeAsked) {
  setenv("PYTHONPATH", RESHAPE_CHILD_SDK, 1);
  const Ran ran = shell("run -q -i \"child:python3 '" RESHAPE_PLAIN_CHILD
                        "'\" -f 'numpy-reshape/*strided*' -f 'numpy-reshape/infer-*' "
                        "--no-diagnosis --evidence " +
                        evidence);
  unsetenv("PYTHONPATH");
  EXPECT_FALSE(has(ran.out, " 0 skipped")) << ran.out;
  const Ran verified = verify();
  expect_in(verified.out, "The evidence is whole");
  EXPECT_FALSE(has(verified.out, "note     skipped")) << verified.out;
}

TEST_F(Verify, AChangedVerdictShows) {
  make(RESHAPE_REFERENCE);
  change("\"verdict\": \"pass\"", "\"verdict\": \"mistrusted\"");
  const Ran ran = verify();
  expect_says(ran, 1, {"differs  it was changed after it was written"});
  EXPECT_FALSE(has(ran.out, "is whole")) << ran.out;
}

TEST_F(Verify, AConclusionThatDoesNotFollowShows) {
  make(RESHAPE_MUTANTS_LIBRARY, "minus-one-rounds-down");
  forge([](auto& run) {
    auto& cases = run["cases"];
    cases.erase(std::remove_if(cases.begin(), cases.end(),
                               [](const auto& one) { return one["verdict"] == "fail"; }),
                cases.end());
  });
  expect_says(verify(), 1, {"differs  its \"conforming\" is not what follows from its cases"});
  forge([](auto& run) { run["conforming"] = true; });
  expect_says(verify(), 1, {"differs  its \"conclusion\" is not what follows from its cases"});
}

TEST_F(Verify, EveryWordOfAConclusionAndEveryAnswerIsHeldAgainstTheCases) {
  make(RESHAPE_REFERENCE);
  const std::string written = text_of(evidence);
  forge([](auto& run) { run["conclusion"] = "reference 1.0.0 conforms to everything"; });
  expect_says(verify(), 1, {"differs  its \"conclusion\" is not what follows from its cases"});
  std::ofstream(evidence) << written;
  forge([](auto& run) { run["summary"]["all"]["pass"] = 1; });
  expect_says(verify(), 1, {"differs  its \"summary\" is not what follows from its cases"});
  std::ofstream(evidence) << written;
  forge([](auto& run) { run["open_points"] = nlohmann::ordered_json::parse("[1]"); });
  expect_says(verify(), 1, {"differs  its \"open_points\" is not what follows from its cases"});
  std::ofstream(evidence) << written;
  forge([](auto& run) { run["cases"][0]["answered"] = "produced [12345]"; });
  expect_says(verify(), 1, {"passes with another answer than the right one"});
}

TEST_F(Verify, WhatWasAskedBesideTheCasesIsTold) {
  make(RESHAPE_REFERENCE);
  expect_in(verify().out, "\n  beside its cases: no law, no drawn request\n");
  forge([](auto& run) { run["options"]["in_process"] = true; });
  expect_in(verify().out, "no drawn request; asked within the process of the harness\n");
}

// The requests of a bounded world are in no file of the suite.
TEST_F(Verify, EvidenceOfABoundedWorldIsEvidence) {
  const Ran ran = shell(std::string("run -q -i ") + RESHAPE_REFERENCE +
                        " -d stablehlo-reshape --exhaustive --evidence " + evidence);
  EXPECT_EQ(ran.code, 0) << ran.out;
  expect_says(verify(), 0, {"The evidence is whole and of this suite."});
}

TEST_F(Verify, ARunThatTellsOfAPartShows) {
  make(RESHAPE_REFERENCE);
  forge([](auto& run) { run["options"]["clauses"] = nlohmann::ordered_json::array(); });
  const Ran ran = verify();
  expect_says(ran, 1, {"differs  it leaves out "});
  expect_in(ran.out, " of the cases that such a run asks: openvino-reshape-1/");
}

TEST_F(Verify, AnotherSuiteShows) {
  make(RESHAPE_REFERENCE);
  const std::filesystem::path ours = std::filesystem::path(RESHAPE_CHILD_SDK) / "../../specs";
  std::filesystem::copy(ours, folder / "specs", std::filesystem::copy_options::recursive);
  EXPECT_EQ(verify("--specs " + file("specs")).code, 0);
  std::string text = text_of(file("specs/suite.yaml"));
  const std::size_t at = text.find("version: ") + 9;
  std::ofstream(file("specs/suite.yaml")) << text.replace(at, 1, "1");
  expect_says(verify("--specs " + file("specs")), 1, {"differs  it is of another suite"});
}

TEST_F(Verify, AnotherLibraryShows) {
  make(RESHAPE_REFERENCE);
  std::ofstream(library, std::ios::app) << "more";
  expect_says(verify(asked_again()), 1,
              {"differs  the library is not the file that the evidence is of", " 0 differ\n"});
}

// A document that is cut from what the library declares would be cut from what it fails, too.
TEST_F(Verify, EveryDeclarationIsHeldAgainstTheLibrarysOwn) {
  make(RESHAPE_REFERENCE);
  expect_says(verify(asked_again()), 0, {"is whole"});
  std::vector<std::string> keys = {"name", "version"};
  forge([&](auto& run) {
    auto& told = run["implementation"];
    told["name"] = told["version"] = "another";
    for (auto& [key, value] : told["capabilities"].items()) {
      keys.push_back(key);
      if (value.is_array()) {
        value = nlohmann::ordered_json::array({value[0]});
      } else if (value.is_boolean()) {
        value = !value.template get<bool>();
      } else {
        value = value.template get<int>() + 1;
      }
    }
    told["capabilities"]["dialects"] = {"openvino-reshape-1"};
    run["options"]["dialects"] = nlohmann::ordered_json::array();
  });
  const Ran ran = verify(asked_again());
  EXPECT_EQ(ran.code, 1) << ran.out;
  EXPECT_GT(keys.size(), 20u);
  for (const std::string& key : keys) expect_in(ran.out, "differs  the library declares " + key);
}

// A build beside the run writes to the file while the library is asked: more than once, since a slow
// program looks at the file only after the first time.
TEST_F(Verify, OfALibraryThatChangedThereIsNoEvidence) {
  library = file("libmine.so");
  std::filesystem::copy_file(RESHAPE_REFERENCE, library);
  const std::string run =
      "run -i '" + library + "' -f 'openvino-reshape-1/*' --shard 1/5 --no-diagnosis -q -j 1";
  const Ran ran =
      run_command("( for at in $(seq 300); do sleep 1; echo more >> '" + library +
                  "'; done ) & writer=$!; '" RESHAPE_PROGRAM "' " + run + " --evidence " +
                  evidence + " 2>&1; code=$?; kill $writer; exit $code");
  expect_says(ran, 4,
              {" cannot be judged: the file " + library + " changed while it was asked",
               "no evidence is written: the library changed while it was asked"});
  EXPECT_FALSE(std::filesystem::exists(evidence));
}

// The same library file, but RESHAPE_MUTANT makes it answer otherwise.
TEST_F(Verify, ASampleThatDiffersShows) {
  make(RESHAPE_MUTANTS_LIBRARY, "right");
  EXPECT_EQ(verify(asked_again(), "right").code, 0);
  expect_says(verify(asked_again(), "minus-one-rounds-down"), 1,
              {"the evidence says pass, and now it is fail; minus-one.divides | shape"});
}

TEST_F(Verify, WhatDoesNotConformIsTold) {
  make(RESHAPE_MUTANTS_LIBRARY, "minus-one-rounds-down");
  expect_says(verify(asked_again(), "minus-one-rounds-down"), 1,
              {"does not conform", " 0 differ\n"});
  expect_in(text_of(file("badge.svg")), " fail</title>");
}

TEST_F(Verify, WhatIsNoEvidenceIsABadFile) {
  make(RESHAPE_REFERENCE);
  const std::string text = text_of(evidence);
  std::ofstream(evidence) << text.substr(0, text.size() / 2);
  expect_sentence(verify(), 2, evidence + ": is no JSON: parse error at line ");
  std::ofstream(evidence) << "{\"digest\": 0, " << text.substr(text.find('{') + 1);
  expect_sentence(verify(), 2, "the key \"digest\" is given twice");
  std::ofstream(evidence) << "{}";
  expect_sentence(verify(), 2, "this is not what run --evidence writes");
  expect_sentence(shell("verify " + file("gone.json")), 2, "cannot be read");
  expect_sentence(shell("verify " + evidence + " -i " + library + " --sample 0"), 2, "--sample");
}

}  // namespace
}  // namespace reshape::conformance
