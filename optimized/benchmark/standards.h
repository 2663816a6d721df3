#pragma once

#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace reshape::optimized {

// What another library did on a row, as a fraction of the best plain copy; 0: none.
struct Peer {
  std::string_view name;
  double fraction = 0;
  bool apart = true;  // not measured in the same run
};

// What a layout workload, named by its two digits, is held to. The peers were measured apart from this
// program: the best of those that it does not run itself in the same release, and PyTorch.
struct Standard {
  std::string_view row;
  double reach = 0;  // at one thread; 0: only the peers
  Peer one_thread, two_threads;
  double pytorch_one = 0, pytorch_two = 0;
  std::string_view note;  // why it is hard and what was tried, for where it is missed
};

// The one for "layout/02 transpose ...", or null.
const Standard* standard_of(std::string_view benchmark);

// A row of this run: its full name, which ends in /1T or /2T, our fraction, and those of the
// libraries that ran beside ours (0: its output was wrong).
struct Row {
  std::string name;
  double ours = 0;
  std::map<std::string, double> peers;
};

// The best that any other library did: in this run, or measured apart. A measured libtorch takes the
// place of PyTorch's figure; the others join theirs, which are of other releases.
Peer best_peer(const Row& row);

// Under the table, for each kind of rows and number of threads: our geometric mean over the best peer
// of each row, and a line for each row that misses what it is held to, with its note.
void print_standing(std::ostream& out, const std::vector<Row>& rows);

}  // namespace reshape::optimized
