#!/usr/bin/env python3
"""Draws workloads that nobody chose, and says how the optimized copies do on them as a distribution.

usage: drawn.py write N --seed S [--most-mib M] > workloads.yaml
       drawn.py report bench.json

`write` prints N copies that people have, with sizes and layouts drawn by the seed, as workloads for
`reshape-conformance bench --workloads`. `report` reads what the bench wrote of them.
"""
import argparse
import json
import math
import pathlib
import random
import statistics

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
                 (self.slice, 2), (self.step, 2), (self.flip, 2), (self.windows, 1), (self.seam, 1)]
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


def mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def share(rows, holds):
    return f"{100 * sum(map(holds, rows)) / len(rows):.0f} % ({sum(map(holds, rows))} of {len(rows)})"


def told(rows):
    """Lines about the rows of one number of threads."""
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
        lines += [f"    {row.ours:.2f} where {row.best_peer.name} has {row.best_peer.fraction:.2f}  {row.title}"
                  for row in worst]
    lines += ["  the ten worst beside the copy:"]
    lines += [f"    {row.ours:.2f}  {row.title}" for row in sorted(rows, key=lambda row: row.ours)[:10]]
    return lines


def report(path):
    rows, _ = standing.rows_of(json.loads(path.read_text(encoding="utf-8")), {"rows": {}})
    rows = [row for row in rows if row.group == "drawn"]
    lines = []
    for threads in sorted({row.threads for row in rows}):
        lines += told([row for row in rows if row.threads == threads])
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("write")
    one.add_argument("count", type=int)
    one.add_argument("--seed", type=int, required=True)
    one.add_argument("--most-mib", type=float, default=256)
    two = commands.add_parser("report")
    two.add_argument("result", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.command == "write":
        write(arguments.count, arguments.seed, arguments.most_mib)
    else:
        print("\n".join(report(arguments.result)))


if __name__ == "__main__":
    main()
