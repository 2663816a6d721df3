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
constexpr std::string_view kNoSharedLines =
    "rows begin anywhere in a line, so that they leave by way of a stage; tried: stages of 32 to "
    "128 "
    "rows, reads asked for into the first cache and the second";
constexpr std::string_view kTwoThreads =
    "at two threads the memory is the limit, and how much of it this machine gives changes from "
    "minute to minute: the fraction of one run says little";

// Peers: oneDNN 3.13, ONNX Runtime 1.31, OpenVINO 2026.4, NumPy 2.4, XLA of JAX 0.10, TensorFlow
// 2.21, PyTorch 1.13, HPTT of 2022 (with its plans measured). They were measured apart from this
// program, each beside the plain copies of its own process, on the same kind of machine (2 vCPU of a
// Zen 4 EPYC, Debian 12): compare fractions and not seconds. 09 counts oneDNN 2.6, which was better.
// clang-format off
constexpr Standard kStandards[] = {
    {"01", .95, {"PyTorch", .65}, {"PyTorch", .73}, ""},
    {"02", .60, {"HPTT", .29}, {"HPTT", .52}, kPowerOfTwo},
    {"03", .50, {"XLA", .11}, {"XLA", .17}, kPowerOfTwo},
    {"04", .50, {"ONNX Runtime", .05}, {"ONNX Runtime", .09}, kPowerOfTwo},
    {"05", 0, {"oneDNN", .26}, {"oneDNN", .40}, kNoSharedLines},
    {"06", 0, {"oneDNN", .34}, {"oneDNN", .30}, kPowerOfTwo},
    {"07", .95, {"HPTT", .74}, {"HPTT", .94}, ""},
    {"08", .95, {"HPTT", .62}, {"HPTT", .66}, "tried: dealt by way of a stage, and straight from tiles"},
    {"09", .92, {"oneDNN 2.6", .63}, {"XLA", .58}, ""},
    {"10", .92, {"XLA", .43}, {"XLA", .63}, ""},
    {"11", .70, {"HPTT", .58}, {"HPTT", .78}, ""},
    {"12", .70, {"HPTT", .51}, {"HPTT", .76}, ""},
    {"13", .70, {"HPTT", .53}, {"HPTT", .75}, ""},
    {"14", .70, {"HPTT", .45}, {"HPTT", .72}, ""},
    {"15", .92, {"XLA", .31}, {"XLA", .22}, "about as large as the last cache: from .85 to 1.07 from run to run"},
    {"16", .82, {"HPTT", .60}, {"PyTorch", .54}, ""},
    {"17", .90, {"PyTorch", .79}, {"PyTorch", .69}, "from .75 to .92 from run to run; walked in blocks of the output's rows"},
    {"18", 0, {"NumPy", .77}, {"PyTorch", .78}, ""},
    {"19", 0, {"XLA", .53}, {"XLA", .53}, ""},
    {"20", 0, {"oneDNN", .11}, {"oneDNN", .11}, ""},
    {"21", .85, {"oneDNN", .76}, {"oneDNN", .75}, ""},
    {"22", .55, {"oneDNN", .46}, {"oneDNN", .52}, ""},
    {"23", 0, {"XLA", 1.02}, {"PyTorch", 1.19}, ""},
    {"24", 0, {"NumPy", 1.27}, {"PyTorch", 1.33}, "tried: lines of one element, streamed: as fast as memory is written"},
    {"25", .95, {"HPTT", .81}, {"HPTT", 1.00}, ""},
    {"26", .95, {"HPTT", .57}, {"HPTT", .87}, "tried: orders of tiles in blocks of 1 to 64 either way"},
    {"27", .85, {"oneDNN", .69}, {"oneDNN", .74}, ""},
};
// clang-format on

const Peer& peer_of(const Standard& standard, int threads) {
  return threads == 1 ? standard.one_thread : standard.two_threads;
}

}  // namespace

const Standard* standard_of(std::string_view benchmark) {
  constexpr std::string_view kGroup = "layout/";
  if (!benchmark.starts_with(kGroup)) return nullptr;
  const std::string_view row = benchmark.substr(kGroup.size(), 2);
  const auto* found = std::ranges::find(kStandards, row, &Standard::row);
  return found == std::end(kStandards) ? nullptr : found;
}

void print_standing(std::ostream& out, const Ours& ours) {
  for (const auto& [threads, rows] : ours) {
    double logs = 0;
    int above = 0;
    for (const auto& [row, fraction] : rows) {
      const double over = fraction / peer_of(*standard_of("layout/" + row), threads).fraction;
      logs += std::log(over);
      if (over >= 1) ++above;
    }
    out << fmt::format(
        "\n{} thread{}: {:.2f} times the best peer of each row in the geometric mean; {} of {} "
        "rows "
        "not below it\n",
        threads, threads == 1 ? "" : "s", std::exp(logs / static_cast<double>(rows.size())), above,
        rows.size());
    for (const auto& [row, fraction] : rows) {
      const Standard& standard = *standard_of("layout/" + row);
      const Peer& peer = peer_of(standard, threads);
      const double reach = threads == 1 ? standard.reach : 0;
      // As they are printed: a figure that reads as reached is.
      const double shown = std::round(fraction * 100) / 100;
      if (shown >= reach && shown >= peer.fraction) continue;
      out << fmt::format("  {} at {:.2f}", row, fraction);
      if (shown < reach) out << fmt::format(", to reach {:.2f}", reach);
      if (shown < peer.fraction) out << fmt::format(", {} has {:.2f}", peer.name, peer.fraction);
      const std::string_view note =
          standard.note.empty() && threads > 1 ? kTwoThreads : standard.note;
      out << fmt::format("{}{}\n", note.empty() ? "" : "; ", note);
    }
  }
  if (!ours.empty()) {
    out << "The peers were measured apart, on the same kind of machine "
           "(optimized/benchmark/standards.cpp).\n";
  }
}

}  // namespace reshape::optimized
