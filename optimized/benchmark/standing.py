#!/usr/bin/env python3
"""Says where the optimized copies stand: reads the JSON of `reshape-conformance bench --peer ...
--threads 1 --threads 2` and standards.yaml.

usage: standing.py bench.json [--svg FILE] [--readme]

Prints each row beside what it is to reach and the best peer (with a * where that was measured apart
from this run), then for each kind of rows the geometric mean over the best peer, and a line for each row
that misses something. A peer at several threads counts as fast as with fewer where that took it less time.
--readme prints the layout rows as the README's table instead, with what misses its reach or the best peer in
bold.
"""
import argparse
import collections
import html
import json
import math
import pathlib
import signal
import statistics
import sys

import yaml

STANDARDS = pathlib.Path(__file__).with_name("standards.yaml")
ROW, LEFT, WIDTH, TOP = 22, 340, 520, 50
OURS, OTHER, GRID = "#1b6ca8", "#c9a227", "#cccccc"
APART_REPLACED_BY = {"PyTorch": "libtorch"}

Peer = collections.namedtuple("Peer", "name fraction apart")


class Row:
    """One workload at one number of threads; `peers` are fractions, 0 for a wrong answer."""

    def __init__(self, workload, ours, peers, gigabytes=0.0, standards=None):
        self.name, _, threads = workload.partition("/threads:")
        self.threads = int(threads or 1)
        self.group, _, self.title = self.name.partition("/")
        self.ours, self.peers, self.gigabytes = ours, peers, gigabytes
        number = self.title[:2] if self.group == "layout" else ""
        self.standard = (standards or {"rows": {}})["rows"].get(number, {})
        self.label = number if self.standard else self.title

    @property
    def reach(self):
        return self.standard.get("reach", 0) if self.threads == 1 else 0

    @property
    def best_peer(self):
        """The best that another library did, in this run or measured apart; None where nobody did it."""
        found = [Peer(name, value, False) for name, value in self.peers.items() if value > 0]
        for name, value in self.standard.get("one" if self.threads == 1 else "two", {}).items():
            if APART_REPLACED_BY.get(name) not in self.peers:
                found.append(Peer(name, value, True))
        # Of two that are equal the one that was measured here.
        return max(found, key=lambda peer: (peer.fraction, not peer.apart), default=None)

    def misses(self):
        """What it is held to and does not reach, as it is printed: what reads as reached is."""
        peer = self.best_peer
        said = []
        if round(self.ours, 2) < self.reach:
            said.append(f"to reach {self.reach:.2f}")
        if peer and round(self.ours, 2) < round(peer.fraction, 2):
            said.append(f"{peer.name} has {peer.fraction:.2f}")
        return said


def rows_of(report, standards):
    """The rows of copies, in the order of the report, and the names of the peers."""
    names = [name for name in report["context"].get("peers", "").split(",") if name]
    runs = collections.defaultdict(list)
    for run in report["benchmarks"]:
        if run["run_type"] == "iteration" and "fraction_of_best_copy" in run:
            runs[run["workload"]].append(run)

    def median(alike, key):
        return statistics.median(run[key] for run in alike)

    rows = []
    for workload, alike in runs.items():
        # One wrong answer is enough: a library that has one has no speed.
        peers = {
            name: 0 if any(run[name] == 0 for run in alike) else median(alike, name)
            for name in names
            if all(name in run for run in alike)
        }
        rows.append(Row(workload, median(alike, "fraction_of_best_copy"), peers,
                        2 * alike[0]["bytes"] / median(alike, "best_copy_ns"), standards))
    # A library that was told to use several threads may be faster with fewer, as ours decides by itself:
    # it counts by what took it the least time.
    by_name = collections.defaultdict(list)
    for row in sorted(rows, key=lambda row: -row.threads):
        by_name[row.name].append(row)
    for row, *fewer in (alike[at:] for alike in by_name.values() for at in range(len(alike))):
        for name, fraction in row.peers.items():
            if fraction > 0:
                row.peers[name] = max(one.peers.get(name, 0) * one.gigabytes / row.gigabytes for one in (row, *fewer))
    return rows, names


def left_out(report):
    """Lines about what was not timed: how much of each kind at each number of threads, and why."""
    whys = {run["workload"]: run.get("error_message") for run in report["benchmarks"]}
    kinds = collections.defaultdict(list)
    for row, why in ((Row(workload, 0, {}), why) for workload, why in whys.items()):
        kinds[(row.group, row.threads)].append(why)
    return [f"left out: {count} of the {len(alike)} {group} at {threads} thread{'s' if threads > 1 else ''}, {why}"
            for (group, threads), alike in sorted(kinds.items())
            for why, count in collections.Counter(filter(None, alike)).items()]


def shown(value):
    return "-" if value is None else "wrong" if value == 0 else f"{value:.2f}"


def table(rows, names):
    lines = [f"{'fraction of the best copy':<48} {'best GB/s':>9} {'ours':>6} {'reach':>6} {'best peer':<18}"
             + "".join(f" {name:>9}" for name in names)]
    for row in rows:
        peer = row.best_peer
        best = f"{peer.fraction:.2f} {peer.name}{'*' * peer.apart}" if peer else "-"
        lines.append(f"{row.name + f'/{row.threads}T':<48} {row.gigabytes:>9.1f} {row.ours:>6.2f} "
                     f"{f'{row.reach:.2f}' if row.reach else '-':>6} {best:<18}"
                     + "".join(f" {shown(row.peers.get(name)):>9}" for name in names))
    return lines


def summary(rows, standards):
    kinds = collections.defaultdict(list)
    for row in rows:
        # A row that nobody else can run says nothing about others.
        if row.best_peer:
            kinds[(row.group, row.threads)].append(row)
    lines = []
    for (group, threads), alike in sorted(kinds.items()):
        mean = math.exp(statistics.fmean(math.log(row.ours / row.best_peer.fraction) for row in alike))
        above = sum(round(row.ours, 2) >= round(row.best_peer.fraction, 2) for row in alike)
        lines += ["", f"{group}, {threads} thread{'s' if threads > 1 else ''}: {mean:.2f} times the best peer of "
                  f"each row in the geometric mean; {above} of {len(alike)} rows not below it"]
        lines += [line for row in alike for line in missed(row, standards)]
    # A row that has no peer is still held to its reach.
    alone = [line for row in rows if not row.best_peer for line in missed(row, standards)]
    if alone:
        lines += ["", "without a peer:"] + alone
    if any(row.best_peer and row.best_peer.apart for row in rows):
        lines += ["* measured apart, on the same kind of machine (optimized/benchmark/standards.yaml)"]
    return lines


def missed(row, standards):
    misses = row.misses()
    if not misses:
        return []
    note = row.standard.get("note", "")
    if row.standard and not note and row.threads > 1:
        note = "two threads"
    note = standards["notes"].get(note, note)
    return [f"  {row.label} at {row.ours:.2f}, {', '.join(misses)}" + (f"; {note}" if note else "")]


def readme(rows, names):
    by_name = collections.defaultdict(dict)
    for row in rows:
        if row.group == "layout":
            by_name[row.title][row.threads] = row
    others = "".join(f" {name} |" for name in names)
    lines = [f"| workload | 1 thread | to reach | best peer |{others} 2 threads | best peer |{others}",
             "|---|---|---|---|" + "---|" * len(names) + "---|---|" + "---|" * len(names)]
    dash = "–"

    def cells(row):
        if row is None:
            return [dash] * (2 + len(names))
        ours = f"**{row.ours:.2f}**" if row.misses() else f"{row.ours:.2f}"
        peer = row.best_peer
        return [ours, f"{peer.fraction:.2f}{'*' * peer.apart}" if peer else dash] + [
            shown(row.peers.get(name)).replace("-", dash) for name in names]

    for title, row in by_name.items():
        one, two = cells(row.get(1)), cells(row.get(2))
        reach = f"{row[1].reach:.2f}" if row.get(1) and row[1].reach else dash
        lines.append("| " + " | ".join([title, one[0], reach] + one[1:] + two) + " |")
    return lines


def svg(rows, machine):
    best = [row.best_peer for row in rows]
    most = max([1.0] + [row.ours for row in rows] + [peer.fraction for peer in best if peer])
    scale = WIDTH / most
    height = TOP + ROW * len(rows) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 60}" height="{height}" '
        'font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="10" y="18" font-size="13">Fraction of the best plain copy, {html.escape(machine)}</text>',
        f'<rect x="10" y="27" width="10" height="10" fill="{OURS}"/><text x="24" y="36">ours</text>',
        f'<rect x="70" y="27" width="10" height="10" fill="{OTHER}"/>'
        '<text x="84" y="36">the best of the others (named at the bar, * measured apart)</text>',
    ]
    for tenth in range(0, int(most * 10) + 1, 2):
        x = LEFT + tenth / 10 * scale
        parts.append(f'<line x1="{x:.1f}" y1="{TOP - 4}" x2="{x:.1f}" y2="{height - 18}" '
                     f'stroke="{"#555555" if tenth == 10 else GRID}"/>')
        parts.append(f'<text x="{x:.1f}" y="{height - 6}" text-anchor="middle">{tenth / 10:.1f}</text>')
    for i, (row, peer) in enumerate(zip(rows, best)):
        y = TOP + i * ROW
        parts.append(f'<text x="{LEFT - 6}" y="{y + 12}" text-anchor="end">'
                     f'{html.escape(row.name)} {row.threads}T</text>')
        parts.append(f'<rect x="{LEFT}" y="{y + 1}" width="{row.ours * scale:.1f}" height="9" fill="{OURS}"/>')
        parts.append(f'<text x="{LEFT + row.ours * scale + 3:.1f}" y="{y + 9}" font-size="9">{row.ours:.2f}</text>')
        if peer:
            parts.append(f'<rect x="{LEFT}" y="{y + 11}" width="{peer.fraction * scale:.1f}" height="6" '
                         f'fill="{OTHER}"/>')
            parts.append(f'<text x="{LEFT + peer.fraction * scale + 3:.1f}" y="{y + 18}" font-size="8">'
                         f'{html.escape(peer.name)}{"*" * peer.apart} {peer.fraction:.2f}</text>')
    return "\n".join(parts + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("result", type=pathlib.Path)
    parser.add_argument("--svg", type=pathlib.Path)
    parser.add_argument("--readme", action="store_true")
    arguments = parser.parse_args()
    standards = yaml.safe_load(STANDARDS.read_text(encoding="utf-8"))
    report = json.loads(arguments.result.read_text(encoding="utf-8"))
    rows, names = rows_of(report, standards)
    if not rows:
        sys.exit(f"{arguments.result}: no row is a copy that was timed beside plain copies")
    if arguments.svg:
        arguments.svg.write_text(svg(rows, report["context"]["processor"]), encoding="utf-8")
    print("\n".join(readme(rows, names) if arguments.readme
                    else table(rows, names) + left_out(report) + summary(rows, standards)))


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that has seen enough
    main()
