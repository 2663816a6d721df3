// Shards that are run one by one and merged, as a CI matrix does it.
#include "conformance/command/shell_test.h"

namespace reshape::conformance {
namespace {

class Merge : public ShellTest {
 protected:
  // Runs the shards of a short run, and the whole run to compare with.
  void ask(const std::string& library, const char* mistake = "") {
    const std::string run = "run -q " + library + kAsked;
    for (const char* part : {"1", "2", "3"}) {
      shell(run + " --shard " + part + "/3 --json " + file(std::string(part) + ".json"), mistake);
    }
    whole = shell(run + " --junit " + file("whole.xml"), mistake);
  }
  std::string all() const { return file("1.json") + " " + file("2.json") + " " + file("3.json"); }
  // Without the seconds, which are never the same.
  static std::string last_line(const std::string& out) {
    const std::size_t begin = out.rfind('\n', out.size() - 2) + 1;
    return out.substr(begin, out.rfind(", in ") - begin);
  }

  const std::string kAsked = " -d openvino-reshape-1 -c minus-one.divides --no-diagnosis";
  Ran whole;
};

TEST_F(Merge, SaysWhatTheWholeRunSays) {
  ask(kReference);
  EXPECT_EQ(whole.code, 0) << whole.out;
  const Ran joined = shell("merge -q " + all() + " --json " + file("joined.json") + " --junit " +
                           file("joined.xml"));
  EXPECT_EQ(joined.code, 0) << joined.out;
  EXPECT_EQ(last_line(joined.out), last_line(whole.out));
  expect_in(text_of(file("joined.xml")), "<testsuites");
  // A merged report is that of a whole run, so it cannot be merged again.
  expect_says(shell("merge " + file("joined.json")), 2, {"it is no part of a run"});
}

TEST_F(Merge, AWrongLibraryIsWrongInParts) {
  ask(kWrong, "minus-one-rounds-down");
  EXPECT_EQ(whole.code, 1);
  const Ran joined = shell("merge -q " + all());
  EXPECT_EQ(joined.code, 1);
  EXPECT_EQ(last_line(joined.out), last_line(whole.out));
  expect_in(joined.out, "reshape-conformance replay 'openvino-reshape-1 ");
}

TEST_F(Merge, RefusesWhatDoesNotMakeAWhole) {
  ask(kReference);
  expect_sentence(shell("merge " + file("1.json") + " " + file("3.json")), 2, "is a part of: 2/3");
  expect_sentence(shell("merge " + all() + " " + file("2.json")), 2, "part 2/3 is there twice");
  shell("run -q " + kReference + " -d openvino-reshape-1 -c volume.kept --shard 2/3 --json " +
        file("2.json"));
  expect_sentence(shell("merge " + all()), 2, "it is a part of another run");
  shell("run -q " + kReference + kAsked + " --deadline 9 --shard 2/3 --json " + file("2.json"));
  expect_sentence(shell("merge " + all()), 2, "the --deadline there is 10");
  expect_sentence(shell("merge " + file("gone.json")), 2, "cannot be read");
  std::ofstream(file("2.json")) << "[]";
  expect_sentence(shell("merge " + all()), 2, "this is not what run --json writes");
  std::ofstream(file("2.json")) << "{\n";
  expect_sentence(shell("merge " + all()), 2, "is no JSON: parse error at line 2, column 1: ");
}

// Parts of two libraries under one path are no run, and evidence is of what was asked.
TEST_F(Merge, IsOfTheLibraryThatWasAsked) {
  const std::string library = file("libmine.so");
  std::filesystem::copy_file(RESHAPE_REFERENCE, library);
  ask("-i " + library);
  const std::string evidence = file("evidence.json");
  EXPECT_EQ(shell("merge -q " + all() + " --evidence " + evidence).code, 0);
  const std::string told = text_of(evidence);
  std::ofstream(library, std::ios::app) << "another";
  EXPECT_EQ(shell("merge -q " + all() + " --evidence " + evidence).code, 0);
  const auto digest = [](const std::string& text) {
    const std::size_t at = text.find("\"library_sha256\": [");
    return text.substr(at, text.find(']', at) - at);
  };
  EXPECT_EQ(digest(text_of(evidence)), digest(told));
  expect_says(shell("verify " + evidence + " -i " + library + " --sample 1"), 1,
              {"differs  the library is not the file that the evidence is of"});
  shell("run -q -i " + library + kAsked + " --shard 2/3 --json " + file("2.json"));
  expect_sentence(shell("merge " + all()), 2,
                  "2.json: it is a part of another run than " + file("1.json") +
                      ": the SHA-256 of the library there is ");
}

// A part that was edited after it was written is refused, whichever word was changed.
TEST_F(Merge, RefusesAPartThatWasChanged) {
  ask(kWrong, "minus-one-rounds-down");
  const std::string written = text_of(file("2.json"));
  const auto with = [&](const std::string& old_words, const std::string& new_words) {
    std::string changed = written;
    const std::size_t at = changed.find(old_words);
    EXPECT_NE(at, std::string::npos) << old_words;
    std::ofstream(file("2.json")) << changed.replace(at, old_words.size(), new_words);
    return shell("merge " + all());
  };
  const char* const kChanged = "2.json: it was changed after it was written";
  expect_sentence(with(R"("verdict": "fail")", R"("verdict": "pass")"), 2, kChanged);
  expect_sentence(with(R"("executed": true)", R"("executed": false)"), 2, kChanged);
  expect_sentence(with(R"("answered": "produced)", R"("answered": "produces)"), 2, kChanged);
  expect_sentence(with(R"("library": ")", R"("library": "other\n)"), 2, kChanged);
  expect_sentence(with(R"("sha256": ")", R"("sha257": ")"), 2, "a key is missing");
  // Different white space is no change.
  EXPECT_EQ(with("  ", "\t\r\n").code, 1);
}

}  // namespace
}  // namespace reshape::conformance
