#!/usr/bin/env python3
"""Tests standing.py: what a row is held to, and what is said of it."""
import sys
import unittest

import yaml

import standing

STANDARDS = yaml.safe_load(standing.STANDARDS.read_text(encoding="utf-8"))


def row(workload, ours, peers=None):
    return standing.Row(workload, ours, peers or {}, 1.0, STANDARDS)


def said(*rows):
    return "\n".join(standing.summary(list(rows), STANDARDS))


class Standing(unittest.TestCase):
    def test_every_layout_row_of_the_workloads_has_a_standard(self):
        path = standing.STANDARDS.parents[2] / "conformance/performance/workloads.yaml"
        names = [one["name"] for one in yaml.safe_load(path.read_text(encoding="utf-8"))["workloads"]]
        layout = [name for name in names if name.startswith("layout/")]
        self.assertEqual(len(layout), len(STANDARDS["rows"]))
        for name in layout:
            self.assertTrue(row(name, 1).standard, name)
        self.assertFalse(row("onednn/01 of another group", 1).standard)

    def test_the_mean_is_geometric_over_the_peer_of_as_many_threads(self):
        # 02: .29 at one thread, .52 at two; 12: .51 and .76.
        self.assertIn("layout, 1 thread: 4.00 times the best peer of each row in the geometric mean; 2 of 2",
                      said(row("layout/02 a/threads:1", .58), row("layout/12 b/threads:1", 4.08)))
        self.assertIn("layout, 2 threads: 0.50 times",
                      said(row("layout/02 a/threads:2", .52), row("layout/12 b/threads:2", .19)))
        self.assertEqual(said(), "")

    def test_what_is_missed_is_said_and_what_is_reached_is_not(self):
        text = said(row("layout/02 a", .596), row("layout/03 b", .40), row("layout/12 c", .45),
                    row("layout/12 c/threads:2", .70), row("layout/28 d", .5))
        self.assertNotIn("  02 at", text)
        self.assertIn("  03 at 0.40, to reach 0.50; rows a power of two apart", text)
        self.assertIn("  12 at 0.45, to reach 0.70, HPTT has 0.51\n", text)
        self.assertIn("  12 at 0.70, HPTT has 0.76; at two threads", text)
        self.assertIn("  28 at 0.50, to reach 0.95", text)  # nobody else was measured on it

    def test_what_ran_beside_ours_counts_when_it_is_better(self):
        self.assertEqual(row("layout/19 a", .87, {"Eigen": .10, "oneDNN": 0}).best_peer, ("XLA", .53, True))
        self.assertEqual(row("layout/19 a", .87, {"Eigen": .10, "oneDNN": .68}).best_peer,
                         ("oneDNN", .68, False))

    def test_a_measured_libtorch_takes_the_place_of_pytorch_measured_apart(self):
        # 17 at one thread: PyTorch .79, and the best of the rest .46.
        self.assertEqual(row("layout/17 a", .9, {"oneDNN": .52}).best_peer.name, "PyTorch")
        self.assertEqual(row("layout/17 a", .9, {"oneDNN": .52, "libtorch": .70}).best_peer,
                         ("libtorch", .70, False))
        self.assertEqual(row("layout/17 a", .9, {"libtorch": .30}).best_peer.name, "oneDNN")

    def test_rows_without_a_standard_are_held_to_those_beside_them(self):
        text = said(row("onednn/merge 4,512", .8, {"oneDNN": .4}), row("onednn/reshape 1,1", .4, {"oneDNN": .8}))
        self.assertIn("onednn, 1 thread: 1.00 times the best peer of each row in the geometric mean; 1 of 2 rows "
                      "not below it\n  reshape 1,1 at 0.40, oneDNN has 0.80", text)

    def test_a_report_is_read_by_medians_and_one_wrong_answer_is_enough(self):
        def run(fraction, eigen, **more):
            return {"run_type": "iteration", "workload": "layout/02 x/threads:2", "bytes": 100,
                    "best_copy_ns": 50, "fraction_of_best_copy": fraction, "Eigen": eigen, **more}
        report = {"context": {"peers": "Eigen,oneDNN"}, "benchmarks": [
            run(.5, .1), run(.7, 0), run(.6, .1, oneDNN=.3), {"run_type": "aggregate"},
            {"run_type": "iteration", "workload": "infer/x", "product_loops": 9}]}
        rows, names = standing.rows_of(report, STANDARDS)
        self.assertEqual(names, ["Eigen", "oneDNN"])
        self.assertEqual([(one.title, one.threads, one.ours, one.peers, one.gigabytes) for one in rows],
                         [("02 x", 2, .6, {"Eigen": 0}, 4.0)])
        self.assertIn("wrong", standing.table(rows, names)[1])

    def test_a_peer_that_is_faster_with_fewer_threads_counts_so(self):
        def run(threads, best, **peers):
            return {"run_type": "iteration", "workload": f"drawn/x/threads:{threads}", "bytes": 100,
                    "best_copy_ns": best, "fraction_of_best_copy": .5, **peers}
        report = {"context": {"peers": "Eigen,oneDNN,libtorch"}, "benchmarks": [
            run(1, 60, Eigen=.6, oneDNN=.6, libtorch=.6), run(2, 50, Eigen=.2, oneDNN=.8, libtorch=0)]}
        one, two = standing.rows_of(report, {"rows": {}})[0]
        self.assertEqual(one.peers, {"Eigen": .6, "oneDNN": .6, "libtorch": .6})
        # 100 ns at one thread; what is wrong at two is not made right by one.
        self.assertEqual({name: round(value, 6) for name, value in two.peers.items()},
                         {"Eigen": .5, "oneDNN": .8, "libtorch": 0})

    def test_what_was_not_timed_is_told_with_the_reason(self):
        report = {"benchmarks": [
            {"workload": "drawn/a/threads:2"}, {"workload": "drawn/b/threads:2", "error_message": "it is too large"},
            {"workload": "drawn/b/threads:2", "error_message": "it is too large"}, {"workload": "layout/c"}]}
        self.assertEqual(standing.left_out(report), ["left out: 1 of the 2 drawn at 2 threads, it is too large"])

    def test_the_readme_has_a_line_a_row_and_marks_what_is_missed(self):
        lines = standing.readme([row("layout/02 a/threads:1", .50, {"Eigen": .1}),
                                 row("layout/02 a/threads:2", .90), row("onednn/x", 1)], ["Eigen"])
        self.assertEqual(len(lines), 3)
        self.assertEqual(lines[2], "| 02 a | **0.50** | 0.60 | 0.29* | 0.10 | 0.90 | 0.52* | – |")

    def test_the_plot_names_every_row(self):
        text = standing.svg([row("layout/02 a & b/threads:2", .5), row("onednn/x", .1)], "machine")
        self.assertIn("layout/02 a &amp; b 2T", text)
        self.assertIn("HPTT* 0.52", text)


if __name__ == "__main__":
    sys.exit(unittest.main())
