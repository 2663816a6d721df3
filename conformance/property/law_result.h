#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reshape::conformance {

// One trial of a law, as it is made again in a fresh process.
struct LawTrial {
  std::string input;       // the line that it begins with
  std::uint64_t seed = 0;  // of what the law adds to it
  std::string broken;      // what was seen where it does not hold; empty: it holds
};

// One law, asked of many requests.
struct LawResult {
  std::string name;      // "round-trip"
  std::string rests_on;  // a clause of the documents, or a duty of the contract
  std::string says;
  int tried = 0;          // requests that the law speaks about and that were asked
  std::string not_asked;  // why none could be: "views are not promised"
  std::string broken;     // what was seen where it does not hold; empty: it holds
  std::vector<std::string>
      lines;  // of the requests that show it, in the order in which to ask them
  // Of the trial that shows it in a fresh process as well: what try_law takes. Empty: it does not show there,
  // or no process could be started to look.
  std::string input;
  std::uint64_t seed = 0;
  // To be compared with each other, each made in a fresh process: of a broken law the one that shows it and others
  // that break or keep it, of another one that keeps it.
  std::vector<LawTrial> trials;
  bool hung = false;    // the answer that broke it never came
  std::string refused;  // why the machine did not let all of it be asked; empty: it did
  // Draws whose requests are answered wrongly even when each is asked alone, in a fresh process: they say
  // nothing about the law, and another was drawn. Where only such were found, `broken` and `lines` tell
  // the first of them, and the law is neither kept nor broken.
  int wrong_alone = 0;
  bool undecided = false;
  double seconds = 0;
  std::string known;        // why a baseline accepts that it does not hold; empty: none does
  std::string known_until;  // where one did until a past day: "2026-11-01 (owner ana): why"

  bool holds() const { return broken.empty(); }
  // It is broken or undecided, and no baseline accepts that.
  bool fails() const { return !holds() && known.empty(); }
};

}  // namespace reshape::conformance
