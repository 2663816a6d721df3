#!/usr/bin/env python3
"""Draws workloads that nobody chose, and says how the optimized copies do on them as a distribution.

usage: drawn.py write N --seed S [--most-mib M] > workloads.yaml
       drawn.py cliffs N --seed S [--most-mib M] > workloads.yaml
       drawn.py report bench.json [--workloads workloads.yaml --explain PROGRAM]

`write` prints N copies that people have, with sizes and layouts drawn by the seed, as workloads for
`reshape-conformance bench --workloads`. `cliffs` prints N neighbourhoods instead: copies of which one
size, the planes or the columns, is k-1, k and k+1, or whose rows are a whole number of pages apart and
a line less and more. `report` reads what the bench wrote of them; with the
workloads and lib/explain_copies it says of the worst rows by which kernel they are copied, and why.
"""
import argparse
import json
import math
import pathlib
import random
import re
import signal
import statistics
import subprocess

import standing

BITS = {"f64": 64, "i64": 64, "f32": 32, "i32": 32, "f16": 16, "bf16": 16, "u8": 8, "i8": 8, "i4": 4}
SHARE = {"f32": 7, "bf16": 3, "f16": 2, "u8": 3, "i8": 1, "f64": 1, "i64": 1, "i32": 1, "i4": 2}
LEAST_BYTES = 1 << 10


def dense(sizes):
    strides, step = [0] * len(sizes), 1
    for axis in reversed(range(len(sizes))):
        strides[axis], step = step, step * sizes[axis]
    return strides


class Copy:
    """What is read (sizes and strides, in elements) and what is written (sizes, strides where not dense)."""

    def __init__(self, kind, sizes, strides, output=None, out_strides=None):
        self.kind, self.sizes, self.strides = kind, list(sizes), list(strides)
        self.output, self.out_strides = list(output or sizes), out_strides

    @property
    def volume(self):
        return math.prod(self.sizes)

    @property
    def offset(self):
        """Where the first element lies: an axis that is read backwards starts at its other end."""
        return -sum((size - 1) * stride for size, stride in zip(self.sizes, self.strides) if stride < 0)

    def ask(self, element_type):
        words = [f"openvino-reshape-1 {element_type}{text(self.sizes)} i64{text(self.output)} special_zero=false",
                 f"strides={text(self.strides)}"]
        if self.offset:
            words.append(f"offset={self.offset}")
        if self.out_strides:
            words.append(f"out_strides={text(self.out_strides)}")
        return " ".join(words)


def text(values):
    return "[" + ",".join(map(str, values)) + "]"


class Drawer:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def size(self, least, most):
        """Log-uniform; one in two is a multiple of a power of two, as most people's sizes are."""
        size = round(math.exp(self.random.uniform(math.log(least), math.log(most))))
        if self.random.random() < 0.5:
            unit = self.random.choice([u for u in (4, 8, 16, 32, 64) if u <= max(4, size)])
            size = max(least, size // unit * unit)
        return max(least, min(size, most))

    def shared_out(self, volume, axes):
        """Sizes of `axes` axes that hold about `volume` elements."""
        sizes, left = [], volume
        for axis in range(axes - 1, 0, -1):
            size = self.size(2, max(2, round(left ** (self.random.uniform(0.6, 1.6) / (axis + 1)))))
            sizes.append(size)
            left = max(2, left // size)
        sizes.append(max(2, left))
        self.random.shuffle(sizes)
        return sizes

    # One function for each kind of copy, of about `volume` elements.

    def permute(self, volume):
        sizes = self.shared_out(volume, self.random.randint(2, 6))
        order = list(range(len(sizes)))
        while order == sorted(order):
            self.random.shuffle(order)
        strides = dense(sizes)
        return Copy("permute", [sizes[i] for i in order], [strides[i] for i in order])

    def planes(self, volume):
        planes, batch = self.random.randint(2, 64), self.random.choice([1, 1, 4, 16])
        pixels = max(4, volume // (planes * batch))
        if self.random.random() < 0.5:
            return Copy("planes to interleaved", [batch, pixels, planes], [planes * pixels, 1, pixels])
        return Copy("interleaved to planes", [batch, planes, pixels], [planes * pixels, 1, planes])

    def layout(self, volume):
        side = self.random.choice([7, 14, 16, 28, 33, 56, 112, 224, self.random.randint(5, 99)])
        channels = self.random.choice([3, 4, 16, 17, 64, 96, 256, self.random.randint(2, 300)])
        batch, area = max(1, volume // (side * side * channels)), side * side
        whole = area * channels
        if self.random.random() < 0.5:
            return Copy("nchw to nhwc", [batch, area, channels], [whole, 1, area])
        return Copy("nhwc to nchw", [batch, channels, area], [whole, 1, channels])

    def heads(self, volume):
        heads, width = self.random.choice([2, 8, 12, 16, 25, 32]), self.random.choice([32, 64, 80, 128, 50])
        batch = self.random.choice([1, 2, 8])
        length = max(2, volume // (heads * width * batch))
        return Copy("heads", [batch, heads, length, width],
                    [length * heads * width, width, heads * width, 1])

    def pad(self, volume):
        columns = self.size(3, 3000)
        rows = max(2, volume // columns)
        return Copy("pad", [rows, columns], [columns, 1], out_strides=[columns + self.random.randint(1, 70), 1])

    def crop(self, volume):
        columns = self.size(3, 3000)
        rows = max(2, volume // columns)
        return Copy("crop", [rows, columns], [columns + self.random.randint(1, 70), 1])

    def slice(self, volume):
        channels, side = self.random.choice([1, 3, 16, 64, 100]), self.random.randint(8, 120)
        batch, whole = max(1, volume // (channels * side * side)), side + self.random.randint(2, 40)
        return Copy("slice", [batch, side, side, channels],
                    [whole * whole * channels, whole * channels, channels, 1])

    def step(self, volume):
        step, columns = self.random.choice([2, 2, 3, 4, 5, 8]), self.size(8, 4000)
        rows = max(1, volume // columns)
        if self.random.random() < 0.5:
            return Copy("steps of rows", [rows, columns], [step * columns, 1])
        return Copy("steps of columns", [rows, columns], [step * columns, step])

    def flip(self, volume):
        sizes = self.shared_out(volume, self.random.randint(1, 3))
        strides = dense(sizes)
        backwards = self.random.choice([[len(sizes) - 1], list(range(len(sizes))), [0]])
        return Copy("flip", sizes, [-s if i in backwards else s for i, s in enumerate(strides)])

    def pixels(self, volume):
        channels, columns = self.random.choice([1, 3, 3, 4]), self.size(8, 2000)
        rows = max(1, volume // (columns * channels))
        if self.random.random() < 0.5:
            return Copy("mirrored pixels", [rows, columns, channels], [columns * channels, -channels, 1])
        return Copy("three channels of four", [rows * columns, 3], [4, 1])

    def windows(self, volume):
        window, channels = self.random.choice([4, 7, 8, 12]), self.random.choice([32, 96, 128, 192, 33])
        across = self.random.choice([2, 4, 8])
        batch = max(1, volume // (window * window * channels * across * across))
        side = window * across
        return Copy("windows", [batch, across, across, window, window, channels],
                    [side * side * channels, window * side * channels, window * channels, side * channels,
                     channels, 1])

    def seam(self, volume):
        rows = self.size(3, max(3, round(volume ** 0.5)))
        columns = max(3, volume // rows)
        return Copy("seam", [rows, columns], [columns + self.random.randint(1, 30), 1], [columns, rows],
                    [rows + self.random.randint(1, 30), 1])

    def workloads(self, count, most_mib):
        kinds = [(self.permute, 6), (self.planes, 4), (self.layout, 4), (self.heads, 2), (self.pad, 1), (self.crop, 1),
                 (self.slice, 2), (self.step, 2), (self.flip, 2), (self.pixels, 1), (self.windows, 1), (self.seam, 1)]
        made = []
        while len(made) < count:
            element_type = self.random.choices(list(SHARE), SHARE.values())[0]
            bytes_asked = math.exp(self.random.uniform(math.log(LEAST_BYTES), math.log(most_mib * 2 ** 20)))
            draw = self.random.choices([k for k, _ in kinds], [w for _, w in kinds])[0]
            copy = draw(max(8, int(bytes_asked * 8 / BITS[element_type])))
            bytes_made = copy.volume * BITS[element_type] // 8
            # Tensors start with whole bytes.
            whole = copy.offset * BITS[element_type] % 8 == 0
            if whole and LEAST_BYTES <= bytes_made <= most_mib * 2 ** 20:
                made.append((copy, element_type))
        return made


def write(count, seed, most_mib):
    print(f"# Drawn by optimized/benchmark/drawn.py with seed {seed}.\nworkloads:")
    for i, (copy, element_type) in enumerate(Drawer(seed).workloads(count, most_mib)):
        name = f"drawn/{seed}.{i} {copy.kind} {'x'.join(map(str, copy.sizes))} {element_type}"
        print(f'  - {{name: "{name}", call: execute, ask: "{copy.ask(element_type)}"}}')


def neighbourhoods(seed, count, most_mib):
    """(copies at k-1, k and k+1, element type) of one size that is drawn, `count` times."""
    drawer = Drawer(seed)
    draw = drawer.random
    kinds = {
        "planes to interleaved": lambda k, n: Copy("planes to interleaved", [n, k], [1, n]),
        "interleaved to planes": lambda k, n: Copy("interleaved to planes", [k, n], [1, k]),
        "nchw to nhwc": lambda k, n: Copy("nchw to nhwc", [8, n, k], [n * k, 1, n]),
        "three axes": lambda k, n: Copy("three axes", [k, 12, n], [1, k * n, k]),
        "crop": lambda k, n: Copy("crop", [n, k], [k + 9, 1]),
        "pad": lambda k, n: Copy("pad", [n, k], [k, 1], out_strides=[k + 9, 1]),
        "heads": lambda k, n: Copy("heads", [8, n, k], [k, 8 * k, 1]),
        "flip": lambda k, n: Copy("flip", [n, k], [k, -1]),
        "seam": lambda k, n: Copy("seam", [n, k], [k + 5, 1], [k, n], [n + 3, 1]),
    }
    made = []
    while len(made) < count:
        element_type = draw.choices(list(SHARE), SHARE.values())[0]
        volume = 8 * math.exp(draw.uniform(math.log(LEAST_BYTES * 8), math.log(most_mib * 2 ** 20))) / BITS[element_type]
        k = drawer.size(3, 300)
        if draw.random() < 0.3:
            copies = pages_apart(draw, k, volume, BITS[element_type])
        else:
            make, n = draw.choice(list(kinds.values())), max(3, int(volume / k))
            copies = [make(near, n) for near in (k - 1, k, k + 1)]
        if all(copy.offset * BITS[element_type] % 8 == 0 for copy in copies):
            made.append((copies, element_type))
    return made


def pages_apart(draw, rows, volume, bits):
    """Copies whose rows are a whole number of pages of 4 KiB apart, or a few elements less or more, and a line of
    the cache less and more. Rows whole pages apart share sets of the caches, and so do nearly such rows."""
    page, line = 4096 * 8 // bits, 64 * 8 // bits
    run = draw.choice([1, 1, 2, 3, 4, 8, 12, 16])
    n = max(3, int(volume / (rows * run)))
    apart = (n * run + line + page - 1) // page * page
    kinds = {
        "rows from": lambda far: ([n, rows, run], [run, far, 1], None),
        "turned from": lambda far: ([run, n, rows], [1, run, far], None),
        "rows to": lambda far: ([rows, n, run], [run, rows * run, 1], [far, run, 1]),
        "turned to": lambda far: ([rows, n * run], [1, rows], [far, 1]),
    }
    name, make = draw.choice(list(kinds.items()))
    off = draw.choice([0, 0, 1, -1, 2]) * (2 if bits == 4 else 1)  # half bytes stay in whole ones
    made = []
    for far in (apart - line, apart + off, apart + line):
        sizes, strides, out_strides = make(far)
        beside = f" and {off}" if off else ""
        made.append(Copy(f"{name} {apart * bits // 8192} KiB{beside} apart", sizes, strides, out_strides=out_strides))
    return made


def write_cliffs(count, seed, most_mib):
    print(f"# Drawn by optimized/benchmark/drawn.py cliffs with seed {seed}.\nworkloads:")
    for i, (copies, element_type) in enumerate(neighbourhoods(seed, count, most_mib)):
        for place, copy in zip("abc", copies):
            name = f"cliffs/{seed}.{i}{place} {copy.kind} {'x'.join(map(str, copy.sizes))} {element_type}"
            print(f'  - {{name: "{name}", call: execute, ask: "{copy.ask(element_type)}"}}')


def cliffs_told(rows):
    """Lines about the neighbourhoods among the rows of one number of threads."""
    places = {}
    for row in rows:
        number = row.title.split(" ")[0]
        places.setdefault(number[:-1], {})[number[-1]] = row
    whole = [near for near in places.values() if len(near) == 3]

    def depth(near):
        return min(near["a"].ours, near["c"].ours) / near["b"].ours

    cliffs = sorted((near for near in whole if depth(near) > 2), key=depth, reverse=True)
    threads = rows[0].threads
    lines = [f"{len(whole)} neighbourhoods at {threads} thread{'s' if threads > 1 else ''}: {len(cliffs)} cliffs, "
             "more than twice as slow for each byte as one size, or one line of distance, below and above"]
    lines += [f"    {near['b'].ours:.2f} between {near['a'].ours:.2f} and {near['c'].ours:.2f}  {near['b'].title}"
              for near in cliffs]
    return lines


def mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def share(rows, holds):
    return f"{100 * sum(map(holds, rows)) / len(rows):.0f} % ({sum(map(holds, rows))} of {len(rows)})"


def fields(ask):
    """What explain_copies reads of a request."""
    def listed(name):
        found = re.search(rf"(?:^| ){name}=\[([^]]*)\]", ask)
        return found.group(1) if found else "-"

    element_type, sizes, output = re.match(r"\S+ (\w+)\[([^]]*)\] i64\[([^]]*)\]", ask).groups()
    offset = re.search(r" offset=(-?\d+)", ask)
    return "|".join([element_type, sizes, listed("strides"), offset.group(1) if offset else "0", output,
                     listed("out_strides")])


def explained(workloads, program, rows):
    """By which kernel each of the rows is copied and why, by title."""
    asks = {}
    for line in workloads.read_text(encoding="utf-8").splitlines():
        found = re.match(r'  - \{name: "[a-z]+/([^"]*)", call: execute, ask: "([^"]*)"\}', line)
        if found:
            asks[found.group(1)] = found.group(2)
    titles = [row.title for row in rows if row.title in asks]
    result = subprocess.run([program], input="".join(fields(asks[title]) + "\n" for title in titles),
                            capture_output=True, text=True, check=True)
    return dict(zip(titles, result.stdout.splitlines()))


def told(rows, explain=lambda rows: {}):
    """Lines about the rows of one number of threads; explain(rows) says by title how they are copied."""
    lines = [f"{len(rows)} drawn copies at {rows[0].threads} thread{'s' if rows[0].threads > 1 else ''}: "
             f"{mean(row.ours for row in rows):.2f} of the best plain copy in the geometric mean",
             f"  below half of the copy: {share(rows, lambda row: row.ours < 0.5)}"]
    beside = [row for row in rows if row.best_peer]
    if beside:
        lines += [f"  {mean(row.ours / row.best_peer.fraction for row in beside):.2f} times the best peer in the "
                  f"geometric mean of the {len(beside)} that a peer can do",
                  f"  below the best peer: {share(beside, lambda row: row.ours < row.best_peer.fraction)}",
                  f"  below .9 of it: {share(beside, lambda row: row.ours < 0.9 * row.best_peer.fraction)}"]
        worst = sorted(beside, key=lambda row: row.ours / row.best_peer.fraction)[:10]
        lines += ["  the ten worst beside the best peer:"]
        lines += with_reasons(worst, explain, lambda row: f"{row.ours:.2f} where {row.best_peer.name} has "
                              f"{row.best_peer.fraction:.2f}")
    lines += ["  the ten worst beside the copy:"]
    lines += with_reasons(sorted(rows, key=lambda row: row.ours)[:10], explain, lambda row: f"{row.ours:.2f}")
    return lines


def with_reasons(rows, explain, figures):
    reasons, lines = explain(rows), []
    for row in rows:
        lines.append(f"    {figures(row)}  {row.title}")
        if row.title in reasons:
            lines.append(f"      {reasons[row.title]}")
    return lines


def report(path, explain=lambda rows: {}):
    written = json.loads(path.read_text(encoding="utf-8"))
    rows, _ = standing.rows_of(written, {"rows": {}})
    lines = standing.left_out(written)
    for group, tell in (("drawn", lambda some: told(some, explain)), ("cliffs", cliffs_told)):
        of_group = [row for row in rows if row.group == group]
        for threads in sorted({row.threads for row in of_group}):
            lines += tell([row for row in of_group if row.threads == threads])
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name, writes, most_mib in (("write", write, 256), ("cliffs", write_cliffs, 8)):
        one = commands.add_parser(name)
        one.add_argument("count", type=int)
        one.add_argument("--seed", type=int, required=True)
        one.add_argument("--most-mib", type=float, default=most_mib)
        one.set_defaults(writes=writes)
    two = commands.add_parser("report")
    two.add_argument("result", type=pathlib.Path)
    two.add_argument("--workloads", type=pathlib.Path)
    two.add_argument("--explain")
    arguments = parser.parse_args()
    if arguments.command != "report":
        arguments.writes(arguments.count, arguments.seed, arguments.most_mib)
        return
    explain = (lambda rows: explained(arguments.workloads, arguments.explain, rows)) \
        if arguments.explain and arguments.workloads else (lambda rows: {})
    print("\n".join(report(arguments.result, explain)))


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that has seen enough
    main()
