"""What campaigns keep between their runs, and what the tools beside the fuzzers refuse.

campaign_test.py RESHAPE_FUZZ"""
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest
from contextlib import redirect_stderr, redirect_stdout

import campaign
import explore
import findings
import trees

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
TOKEN = "lib|numpy-reshape|C7|memory|crashed"


class InAFolder(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.home = pathlib.Path(place.name)


class Campaigns(InAFolder):
    def setUp(self):
        super().setUp()
        self.put(trees, "HOME", self.home)

    def put(self, module, name, value):
        self.addCleanup(setattr, module, name, getattr(module, name))
        setattr(module, name, value)

    def corpus(self, name, *inputs):
        folder = self.home / "corpus" / name
        folder.mkdir(parents=True)
        for one in inputs:
            (folder / one).write_text(one)

    def names(self, folder):
        return sorted(one.name for one in (self.home / folder).iterdir())

    def kept_by(self, minimised):
        """What `finding` is given where `judge --minimise` prints this and a file of before lies there."""
        (self.home / "smallest").write_text("of the finding before")
        given = []

        def tool(command, *rest):
            if command == "finding":
                given.append(pathlib.Path(rest[0]).read_text())
                return types.SimpleNamespace(stdout=str(self.home / "findings" / "new"))
            said = minimised if "--minimise" in rest else f"DEDUP_TOKEN: {TOKEN}\n"
            return types.SimpleNamespace(stdout=said)

        self.put(trees, "reshape_fuzz", tool)
        artifact = self.home / "crash-1"
        artifact.write_text("this one")
        with redirect_stdout(io.StringIO()):
            findings.Findings("lib.so", 4).take("plugin", artifact)
        return given

    def test_a_finding_is_kept_with_its_own_input(self):
        for said in ("nothing is wrong with the answer to f32[1]\n", "DEDUP_TOKEN: another\n"):
            self.assertEqual(self.kept_by(said), ["this one"])
        self.assertEqual(self.kept_by(f"DEDUP_TOKEN: {TOKEN}\n"), ["of the finding before"])

    def test_what_a_killed_merge_put_aside_comes_back(self):
        self.corpus("line.old", "a", "b")
        self.corpus("ruling.old", "of before")
        self.corpus("ruling", "merged")
        self.put(trees, "reshape_fuzz", lambda *_: None)
        self.put(trees, "ROOT", self.home)
        trees.make_seeds()
        self.assertEqual(self.names("corpus/line"), ["a", "b"])
        self.assertEqual(self.names("corpus/ruling"), ["merged"])

    def test_a_merge_puts_the_smaller_corpus_in_the_place(self):
        self.corpus("line", "a", "b")
        fuzzer = self.home / "fuzzer"
        fuzzer.write_text('#!/bin/sh\ntouch "$4/a"\n')
        fuzzer.chmod(0o755)
        self.assertEqual(explore.merge(fuzzer, "line"), (2, 1))
        self.assertEqual(self.names("corpus"), ["line"])

    def test_campaigns_of_one_folder_wait_for_nobody(self):
        self.put(trees, "ROOT", self.home)
        with trees.alone():
            with self.assertRaises(trees.Stop) as stopped:
                campaign.main(["line"])
        self.assertEqual(stopped.exception.code, 2)
        trees.alone().close()

    def test_a_file_that_was_cut_short_costs_only_itself(self):
        done = types.SimpleNamespace(
            target="line", chosen=types.SimpleNamespace(implementation=None), fast=explore.Explored(),
            judging=explore.Explored(), findings=types.SimpleNamespace(new=["one"]))
        (self.home / "campaigns.json").write_text('{"line": {"execu')
        said = io.StringIO()
        with redirect_stdout(said):
            campaign.remember([done])
            campaign.remember([done])
        self.assertEqual(len(said.getvalue().splitlines()), 1, said.getvalue())
        self.assertIn('"findings": 2', (self.home / "campaigns.json").read_text())

    def test_a_hang_takes_time(self):
        for hang in ("-1", "0", "nan"):
            with self.assertRaises(SystemExit), redirect_stderr(io.StringIO()):
                campaign.parse(["line", "--hang", hang])
        self.assertEqual(campaign.parse(["line", "--hang", "3"]).hang, 3)


class Tools(InAFolder):
    def refused(self, *words, says):
        done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False,
                              timeout=60)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn(says, done.stderr)

    def test_what_is_no_input_is_no_request(self):
        pipe = self.home / "pipe"
        os.mkfifo(pipe)
        large = self.home / "large"
        with open(large, "wb") as file:
            file.truncate((1 << 20) + 1)
        for file, says in ((self.home / "nosuch", "No such file"), (pipe, "no regular file"),
                           ("/dev/zero", "no regular file"), (large, "larger than 1 MiB")):
            self.refused("show", file, says=says)
            self.refused("clauses", file, says=says)
            self.refused("simpler", file, self.home / "out", says=says)
            self.refused("judge", file, "-i", "lib.so", says=says)
            self.refused("finding", file, "--target", "line", "--token", "a", "--into",
                         self.home / "out", says=says)
        self.assertFalse((self.home / "out").exists())

    def test_a_deadline_is_a_time(self):
        given = self.home / "input"
        given.write_text("x")
        for deadline in ("-1", "0", "nan", "inf"):
            self.refused("judge", given, "-i", "lib.so", f"--deadline={deadline}", says="--deadline is")


unittest.main(argv=sys.argv[:1], verbosity=2)
