#!/usr/bin/env python3
"""Tests drawn.py. With the program and a library as arguments, also that every drawn copy is one that the
program takes and the library does."""
import contextlib
import io
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


def row(title, ours, peers, threads=1):
    return standing.Row(f"drawn/{title}/threads:{threads}", ours, peers)


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
        self.assertEqual(len(kinds), 14, kinds)

    def test_the_report_is_of_the_distribution(self):
        rows = [row("a", 0.8, {"P": 0.4}), row("b", 0.2, {"P": 0.4}), row("c", 0.4, {})]
        text = "\n".join(drawn.told(rows))
        self.assertIn("3 drawn copies at 1 thread: 0.40 of the best plain copy", text)
        self.assertIn("below half of the copy: 67 % (2 of 3)", text)
        self.assertIn("1.00 times the best peer in the geometric mean of the 2 that a peer can do", text)
        self.assertIn("below .9 of it: 50 % (1 of 2)", text)
        self.assertIn("0.20 where P has 0.40  b", text)

    @unittest.skipUnless(ASKED, "no program is given")
    def test_the_library_does_every_drawn_copy(self):
        program, library = ASKED
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
