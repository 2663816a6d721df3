#pragma once

#include <map>
#include <ostream>
#include <string>
#include <string_view>

namespace reshape::optimized {

// The best that any other library did on a row, as a fraction of the best plain copy.
struct Peer {
  std::string_view name;
  double fraction = 0;
};

// What a layout workload, named by its two digits, is held to.
struct Standard {
  std::string_view row;
  double reach = 0;  // at one thread; 0: only the peer
  Peer one_thread, two_threads;
  std::string_view note;  // why it is hard and what was tried, for where it is missed
};

// The one for "layout/02 transpose ...", or null.
const Standard* standard_of(std::string_view benchmark);

// Our fractions of this run, by number of threads and row.
using Ours = std::map<int, std::map<std::string, double>>;

// Under the table: our geometric mean over the best peer of each row, and a line for each row that
// misses what it is held to, with its note.
void print_standing(std::ostream& out, const Ours& ours);

}  // namespace reshape::optimized
