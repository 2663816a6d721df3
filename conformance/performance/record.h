#pragma once

#include <map>
#include <string>
#include <vector>

#include "conformance/performance/statistics.h"
#include "reference/tensor/result.h"

namespace reshape::conformance::performance {

// How often something was claimed in so many plays.
struct Tally {
  int claimed = 0;
  int plays = 0;
  friend bool operator==(const Tally&, const Tally&) = default;
};

// What a gate must achieve before it may judge others.
struct Promise {
  double slowed = 0;  // 0: the same library against itself, where every claim is a false alarm
  double most = 1;    // the rate is at most this
  double least = 0;   // and at least this
};
// False alarms at most 1 %; of 5 % slowdowns 95 % found, of 3 % 80 %.
const std::vector<Promise>& promises();

// The gate's record on one machine: its plays by planted slowdown in thousandths (0: none).
using Record = std::map<int, Tally>;
int key_of(double slowed);

// Which promise the record contradicts, that is, whose 95 % bounds are entirely on the wrong side;
// empty when there is none. A short record contradicts little.
std::string ruled_out(const Record& record);

// "same again: 1 of 300 claimed, 0.0 .. 1.8 %" and so on, one a line.
std::string text(const Record& record);

void add(Record& to, const Record& more);

// A file of records by machine, JSON. A file that is not there is an empty record.
Result<Record> read_record(const std::string& path, const std::string& machine);
// Adds the plays to those of the file, which is replaced in one step.
Result<Record> append_record(const std::string& path, const std::string& machine,
                             const Record& plays);

}  // namespace reshape::conformance::performance
