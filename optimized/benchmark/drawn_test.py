#!/usr/bin/env python3
"""Tests drawn.py. With the program, a library and explain_copies as arguments, also that every drawn copy is
one that the program takes, the library does and explain_copies explains."""
import contextlib
import io
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

import yaml

import drawn
import standing

ASKED = sys.argv[1:]


def written(count, seed, most_mib):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        drawn.write(count, seed, most_mib)
    return out.getvalue()


def row(title, ours, peers, threads=1, group="drawn"):
    return standing.Row(f"{group}/{title}/threads:{threads}", ours, peers)


class Drawn(unittest.TestCase):
    def test_a_seed_draws_the_same_and_another_one_does_not(self):
        self.assertEqual(written(20, 5, 4), written(20, 5, 4))
        self.assertNotEqual(written(20, 5, 4), written(20, 6, 4))

    def test_every_kind_is_drawn_within_the_bounds_and_no_place_is_written_twice(self):
        kinds = set()
        for copy, element_type in drawn.Drawer(1).workloads(600, 2):
            kinds.add(copy.kind)
            size = copy.volume * drawn.BITS[element_type] // 8
            self.assertTrue(drawn.LEAST_BYTES <= size <= 2 << 20, copy.ask(element_type))
            self.assertEqual(copy.volume, math.prod(copy.output))
            self.assertEqual(copy.offset * drawn.BITS[element_type] % 8, 0)
            strides = copy.out_strides or drawn.dense(copy.output)
            for inner in range(1, len(strides)):
                self.assertGreaterEqual(strides[inner - 1], strides[inner] * copy.output[inner])
        self.assertEqual(len(kinds), 16, kinds)

    def test_the_report_is_of_the_distribution(self):
        rows = [row("a", 0.8, {"P": 0.4}), row("b", 0.2, {"P": 0.4}), row("c", 0.4, {})]
        text = "\n".join(drawn.told(rows))
        self.assertIn("3 drawn copies at 1 thread: 0.40 of the best plain copy", text)
        self.assertIn("below half of the copy: 67 % (2 of 3)", text)
        self.assertIn("1.00 times the best peer in the geometric mean of the 2 that a peer can do", text)
        self.assertIn("below .9 of it: 50 % (1 of 2)", text)
        self.assertIn("0.20 where P has 0.40  b", text)

    def test_what_was_not_timed_is_told_first(self):
        runs = [{"workload": "drawn/a", "run_type": "iteration", "error_message": "it is too large"},
                {"workload": "drawn/b", "run_type": "iteration", "bytes": 9, "best_copy_ns": 3,
                 "fraction_of_best_copy": 0.5}]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bench.json"
            path.write_text(json.dumps({"context": {}, "benchmarks": runs}), encoding="utf-8")
            lines = drawn.report(path)
        self.assertEqual(lines[0], "left out: 1 of the 2 drawn at 1 thread, it is too large")
        self.assertIn("1 drawn copies at 1 thread: 0.50", lines[1])

    def test_the_worst_are_told_with_their_reasons(self):
        rows = [row("a", 0.8, {"P": 0.4}), row("b", 0.2, {"P": 0.4})]
        lines = drawn.told(rows, lambda worst: {one.title: f"because of {one.title}" for one in worst})
        self.assertIn("      because of b", lines[lines.index("    0.20  b") + 1])

    def test_neighbourhoods_are_one_size_apart_or_one_line(self):
        by_a_line = nearly = 0
        for copies, element_type in drawn.neighbourhoods(3, 60, 1):
            below, middle, above = copies
            if "apart" in middle.kind:
                by_a_line += 1
                bits = drawn.BITS[element_type]
                apart = [max(copy.out_strides or copy.strides) * bits // 8 for copy in copies]
                self.assertEqual(apart[2] - apart[0], 128)
                self.assertEqual((apart[0] + 64) % 4096, 0)
                self.assertLessEqual(abs(apart[1] - apart[0] - 64), 2 * 8)
                nearly += apart[1] % 4096 != 0
                continue
            changed = [i for i, size in enumerate(middle.sizes) if below.sizes[i] != size]
            self.assertEqual(len(changed), 1, middle.ask(element_type))
            sizes = [copy.sizes[changed[0]] for copy in copies]
            self.assertEqual([size - sizes[1] for size in sizes], [-1, 0, 1])
            self.assertEqual(below.kind, above.kind)
        self.assertGreater(by_a_line, 10)
        self.assertGreater(nearly, 0)

    def test_a_cliff_is_twice_as_slow_as_both_its_neighbours(self):
        def near(number, *ours):
            return [row(f"{number}{place} k", value, {}, group="cliffs") for place, value in zip("abc", ours)]

        lines = drawn.cliffs_told(near("5.0", 0.5, 0.2, 0.6) + near("5.1", 0.5, 0.2, 0.3) + near("5.2", 0.5, 0.4, 0.6))
        self.assertIn("3 neighbourhoods at 1 thread: 1 cliffs", lines[0])
        self.assertEqual([line.strip() for line in lines[1:]], ["0.20 between 0.50 and 0.60  5.0b k"])

    def test_a_request_is_told_to_the_program_that_explains(self):
        self.assertEqual(
            drawn.fields("openvino-reshape-1 f32[2,3] i64[6] special_zero=false strides=[-1,2] offset=1 out_strides=[4]"),
            "f32|2,3|-1,2|1|6|4")
        self.assertEqual(drawn.fields("openvino-reshape-1 u8[7] i64[7] special_zero=false strides=[2]"), "u8|7|2|0|7|-")

    @unittest.skipUnless(ASKED, "no program is given")
    def test_every_drawn_copy_is_explained(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "drawn.yaml"
            path.write_text(written(60, 12, 0.25), encoding="utf-8")
            names = [one["name"] for one in yaml.safe_load(path.read_text(encoding="utf-8"))["workloads"]]
            rows = [row(name.removeprefix("drawn/"), 1, {}) for name in names]
            reasons = drawn.explained(path, ASKED[2], rows)
            self.assertEqual(sorted(reasons), sorted(one.title for one in rows))
            for title, reason in reasons.items():
                self.assertRegex(reason, "; for |since ", title)

    @unittest.skipUnless(ASKED, "no program is given")
    def test_the_library_does_every_drawn_copy(self):
        program, library, _ = ASKED
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "drawn.yaml"
            text = written(60, 11, 0.25)
            path.write_text(text, encoding="utf-8")
            result = subprocess.run(
                [program, "bench", "-i", library, "--workloads", path, "--repetitions", "1", "--passes", "1"],
                capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            for one in yaml.safe_load(text)["workloads"]:
                self.assertIn(one["name"][:40], result.stdout)
            self.assertNotIn("left out", result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
