#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reshape::conformance {

// One trial of a law, as it can be repeated in a fresh process.
struct LawTrial {
  std::string input;       // the line that it begins with
  std::uint64_t seed = 0;  // of what the law adds to it
  std::string broken;      // what was seen where it does not hold; empty: it holds
};

// The result of checking one law with many requests.
struct LawResult {
  std::string name = {};      // "round-trip"
  std::string rests_on = {};  // a clause of the documents, or a duty of the contract
  std::string says = {};
  int tried = 0;               // requests that the law speaks about and that were asked
  std::string not_asked = {};  // why none could be: "views are not promised"
  std::string broken = {};     // what was seen where it does not hold; empty: it holds
  std::vector<std::string> lines =
      {};  // the requests that show it, in the order in which to ask them
  // The arguments of try_law for a trial that shows it in a fresh process. Empty: it does not show
  // there, or no process could be started.
  std::string input = {};
  std::uint64_t seed = 0;
  // Trials in fresh processes, for comparison: the one that shows a break, with others that break
  // or keep the law; of a law that holds, one that keeps it.
  std::vector<LawTrial> trials = {};
  bool hung = false;            // the answer that broke it never came
  std::string unfinished = {};  // what ended it before all of it was asked; empty: nothing
  bool refused = false;         // what ended it is that the machine did not let it go on
  // The number of draws with a request that is answered wrongly even alone in a fresh process. They
  // say nothing about the law and are replaced by other draws; so are draws of a law about threads
  // that one thread in turn shows as well. Where there were only such draws, `broken` and `lines`
  // describe the first of them, and `undecided` is set unless one thread in turn breaks the duty.
  int wrong_alone = 0;
  bool undecided = false;
  double seconds = 0;
  std::string known = {};        // the baseline's reason to accept the break; empty: not accepted
  std::string known_until = {};  // accepted until a past day: "2026-11-01 (owner ana): why"

  bool holds() const { return broken.empty(); }
  // It is broken or undecided, and no baseline accepts that.
  bool fails() const { return !holds() && known.empty(); }
};

}  // namespace reshape::conformance
