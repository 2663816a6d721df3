#include "optimized/benchmark/standards.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace reshape::optimized {
namespace {

constexpr std::string_view kPowerOfTwo =
    "rows a power of two apart share their places in the caches; tried: orders of tiles in "
    "blocks of 1 to 64 either way, reads asked for by tile, by block, into either cache";
constexpr std::string_view kBytes =
    "six rounds of shuffles turn 64 rows of bytes, half the time of the copy even where all is in "
    "the first cache; tried: blocks of one to sixteen tiles either way, and of one where two do "
    "not fit the second cache's ways";
constexpr std::string_view kNoSharedLines =
    "rows begin anywhere in a line, so that they leave by way of a stage; tried: stages of 32 to "
    "128 rows, reads asked for into the first cache and the second";
constexpr std::string_view kTwoThreads =
    "at two threads the memory is the limit, and how much of it this machine gives changes from "
    "minute to minute: the fraction of one run says little";

// Peers: oneDNN 3.13, ONNX Runtime 1.31, OpenVINO 2026.4, NumPy 2.4, XLA of JAX 0.10, TensorFlow
// 2.21, HPTT of 2022 (with its plans measured), and in columns of its own PyTorch 1.13, which is
// Debian's libtorch. They were measured apart from this program, each beside the plain copies of its
// own process, on the same kind of machine (2 vCPU of a Zen 4 EPYC, Debian 12): compare fractions and
// not seconds. 09 counts oneDNN 2.6, which was better.
// clang-format off
constexpr Standard kStandards[] = {
    {"01", .95, {"NumPy", .64}, {"HPTT", .66}, .65, .73, ""},
    {"02", .60, {"HPTT", .29}, {"HPTT", .52}, .16, .15, kPowerOfTwo},
    {"03", .50, {"XLA", .11}, {"XLA", .17}, .09, .09, kPowerOfTwo},
    {"04", .50, {"ONNX Runtime", .05}, {"ONNX Runtime", .09}, .05, .06, kBytes},
    {"05", 0, {"oneDNN", .26}, {"oneDNN", .40}, .16, .14, kNoSharedLines},
    {"06", 0, {"oneDNN", .34}, {"oneDNN", .30}, .14, .08, kPowerOfTwo},
    {"07", .95, {"HPTT", .74}, {"HPTT", .94}, .18, .18, ""},
    {"08", .95, {"HPTT", .62}, {"HPTT", .66}, .17, .16, "tried: dealt by way of a stage, and straight from tiles"},
    {"09", .92, {"oneDNN 2.6", .63}, {"XLA", .58}, .40, .42, ""},
    {"10", .92, {"XLA", .43}, {"XLA", .63}, .35, .49, ""},
    {"11", .70, {"HPTT", .58}, {"HPTT", .78}, .23, .35, ""},
    {"12", .70, {"HPTT", .51}, {"HPTT", .76}, .15, .26, ""},
    {"13", .70, {"HPTT", .53}, {"HPTT", .75}, .21, .34, ""},
    {"14", .70, {"HPTT", .45}, {"HPTT", .72}, .13, .20, ""},
    {"15", .92, {"XLA", .31}, {"XLA", .22}, .11, .08, "about as large as the last cache: from .85 to 1.07 from run to run"},
    {"16", .82, {"HPTT", .60}, {"HPTT", .40}, .48, .54, "as large as the last cache: from .76 to .98 from run to run"},
    {"17", .90, {"oneDNN", .46}, {"oneDNN", .34}, .79, .69, "from .75 to .92 from run to run; walked in blocks of the output's rows"},
    {"18", 0, {"NumPy", .77}, {"OpenVINO", .70}, .62, .78, ""},
    {"19", 0, {"XLA", .53}, {"XLA", .53}, .37, .36, ""},
    {"20", 0, {"oneDNN", .11}, {"oneDNN", .11}, .03, .04, ""},
    {"21", .85, {"oneDNN", .76}, {"oneDNN", .75}, .63, .72, ""},
    {"22", .55, {"oneDNN", .46}, {"oneDNN", .52}, .39, .49, ""},
    {"23", 0, {"XLA", 1.02}, {"XLA", 1.02}, .98, 1.19, ""},
    {"24", 0, {"NumPy", 1.27}, {"XLA", 1.07}, 1.25, 1.33, "tried: lines of one element, streamed: as fast as memory is written"},
    {"25", .95, {"HPTT", .81}, {"HPTT", 1.00}, .21, .32, "from .88 to .99 from run to run; tried: lines sent by way of a stage"},
    {"26", .95, {"HPTT", .57}, {"HPTT", .87}, .35, .63, "tried: orders of tiles in blocks of 1 to 64 either way"},
    {"27", .85, {"oneDNN", .69}, {"oneDNN", .74}, .67, .72, ""},
    {"28", .95, {}, {}, 0, 0, ""},
};
// clang-format on

int threads_of(const Row& row) { return row.name.ends_with("/1T") ? 1 : 2; }

// Rows that are counted together: "layout", and apart from them their other element types
// ("layout/other"), and so on.
std::string kind_of(const Row& row) {
  const std::string::size_type group = row.name.find('/');
  constexpr std::string_view kOther = "/other";
  const bool other = row.name.compare(group, kOther.size(), kOther) == 0;
  return row.name.substr(0, other ? group + kOther.size() : group);
}

double reach_of(const Row& row) {
  const Standard* standard = standard_of(row.name);
  return standard != nullptr && threads_of(row) == 1 ? standard->reach : 0;
}

// As it is printed: a figure that reads as reached is.
double shown(double fraction) { return std::round(fraction * 100) / 100; }

void print_missed(std::ostream& out, const Row& row) {
  const Peer peer = best_peer(row);
  const double reach = reach_of(row);
  const bool misses_reach = shown(row.ours) < reach;
  const bool misses_peer = shown(row.ours) < shown(peer.fraction);
  if (!misses_reach && !misses_peer) return;
  const Standard* standard = standard_of(row.name);
  const std::string::size_type kind = kind_of(row).size() + 1;
  out << fmt::format(
      "  {} at {:.2f}",
      standard ? std::string(standard->row) : row.name.substr(kind, row.name.rfind('/') - kind),
      row.ours);
  if (misses_reach) out << fmt::format(", to reach {:.2f}", reach);
  if (misses_peer) out << fmt::format(", {} has {:.2f}", peer.name, peer.fraction);
  std::string_view note = standard ? standard->note : std::string_view();
  if (standard && note.empty() && threads_of(row) > 1) note = kTwoThreads;
  out << fmt::format("{}{}\n", note.empty() ? "" : "; ", note);
}

}  // namespace

const Standard* standard_of(std::string_view benchmark) {
  constexpr std::string_view kGroup = "layout/";
  if (!benchmark.starts_with(kGroup)) return nullptr;
  const std::string_view row = benchmark.substr(kGroup.size(), 2);
  const auto* found = std::ranges::find(kStandards, row, &Standard::row);
  return found == std::end(kStandards) ? nullptr : found;
}

Peer best_peer(const Row& row) {
  Peer best;
  const auto take = [&best](const Peer& peer) {
    if (peer.fraction > best.fraction) best = peer;
  };
  if (const Standard* standard = standard_of(row.name)) {
    const bool one = threads_of(row) == 1;
    take(one ? standard->one_thread : standard->two_threads);
    if (!row.peers.contains("libtorch")) {
      take({"PyTorch", one ? standard->pytorch_one : standard->pytorch_two});
    }
  }
  for (const auto& [name, fraction] : row.peers) take({name, fraction, false});
  return best;
}

void print_standing(std::ostream& out, const std::vector<Row>& rows) {
  std::map<std::pair<std::string, int>, std::vector<const Row*>> kinds;
  for (const Row& row : rows) {
    // A row that nobody else can run says nothing about others.
    if (best_peer(row).fraction > 0) kinds[{kind_of(row), threads_of(row)}].push_back(&row);
  }
  for (const auto& [kind, alike] : kinds) {
    double logs = 0;
    int above = 0;
    for (const Row* row : alike) {
      const double peer = best_peer(*row).fraction;
      logs += std::log(row->ours / peer);
      if (shown(row->ours) >= shown(peer)) ++above;
    }
    out << fmt::format(
        "\n{}, {} thread{}: {:.2f} times the best peer of each row in the geometric mean; {} of {} "
        "rows not below it\n",
        kind.first, kind.second, kind.second == 1 ? "" : "s",
        std::exp(logs / static_cast<double>(alike.size())), above, alike.size());
    for (const Row* row : alike) print_missed(out, *row);
  }
  if (std::ranges::any_of(rows, [](const Row& row) { return best_peer(row).apart; })) {
    out << "* The other peers were measured apart, on the same kind of machine "
           "(optimized/benchmark/standards.cpp).\n";
  }
}

}  // namespace reshape::optimized
