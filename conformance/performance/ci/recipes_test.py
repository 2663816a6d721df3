#!/usr/bin/env python3
"""Runs the steps of the recipes as they stand, in short form, on a small repository that has a library.

usage: recipes_test.py FOLDER_OF_RECIPES reshape-conformance mine.c ABI_FOLDER INCLUDE_FLAGS...
Only the actions that are not shell are stood in for: a checkout, caches, artifacts.
"""
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import yaml

RECIPES, PROGRAM, SOURCE, ABI = (pathlib.Path(word).resolve() for word in sys.argv[1:5])
MAKEFILE = f"""OUT ?= libmine.so
libmine.so: ; $(CC) -O2 -shared -fPIC -I{ABI} {' '.join(sys.argv[5:])} mine.c -o $(OUT) $(LDFLAGS)
.PHONY: libmine.so
"""
# The program that the recipes call, with few workloads and rounds.
SHORT = f"""#!/bin/sh
what=$1; shift
case $what in
  compare) exec '{PROGRAM}' compare "$@" --filter '^small/(one|2x3)' --pilot 2 --rounds 2 ;;
  count) exec '{PROGRAM}' count "$@" --filter '^small/one' --calls 2 ;;
  bench) exec '{PROGRAM}' bench "$@" --filter '^small/(one|2x3)' --repetitions 1 --passes 1 ;;
  *) exec '{PROGRAM}' "$what" "$@" ;;
esac
"""
failures = []


def check(holds, sentence):
    if not holds:
        failures.append(sentence)


class Place:
    """A repository on main with an origin, and what a CI's machine has around it."""

    def __init__(self, folder):
        self.home = pathlib.Path(folder)
        self.repo = self.home / "work" / "repo"
        tools = self.home / "tools"
        tools.mkdir()
        (tools / "reshape-conformance").write_text(SHORT)
        (tools / "reshape-conformance").chmod(0o755)
        self.summary = self.home / "summary.md"
        self.summary.write_text("")
        self.variables = {
            "PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(self.home), "RESHAPE_THREADS": "1",
            "GIT_CONFIG_NOSYSTEM": "1", "GITHUB_STEP_SUMMARY": str(self.summary), "GITHUB_BASE_REF": "main",
            "TMPDIR": str(self.home),
        }
        self.git("init", "-q", "--bare", "-b", "main", str(self.home / "origin.git"), at=self.home)
        self.clone()
        self.git("checkout", "-q", "-B", "main")
        shutil.copy(SOURCE, self.repo / "mine.c")
        (self.repo / "Makefile").write_text(MAKEFILE)
        self.commit("the library")
        self.git("push", "-q", "origin", "main")

    def clone(self):
        self.git("clone", "-q", str(self.home / "origin.git"), str(self.repo), at=self.home)

    def git(self, *words, at=None):
        ran = subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@localhost", *words],
                             cwd=at or self.repo, env=self.variables, check=True, stdout=subprocess.PIPE, text=True)
        return ran.stdout.strip()

    def commit(self, words):
        with open(self.repo / "mine.c", "a", encoding="utf-8") as file:
            file.write(f"/* {words} */\n")
        self.git("add", "mine.c", "Makefile")
        self.git("commit", "-qm", words)
        self.variables["GITHUB_SHA"] = self.variables["CI_COMMIT_SHA"] = self.git("rev-parse", "HEAD")

    def shell(self, script):
        ran = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=self.repo,
                             env=self.variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             timeout=240)
        print(ran.stdout, end="")
        return ran.returncode

    def github(self, job):
        """Exit codes by the names of the steps; after a failure only those run that always do."""
        codes, failed = {}, False
        for step in yaml.safe_load((RECIPES / "github.yml").read_text())["jobs"][job]["steps"]:
            if "run" not in step or (failed and step.get("if") != "always()"):
                continue
            codes[step["name"]] = self.shell(step["run"])
            failed = failed or codes[step["name"]] != 0
        return codes

    def gitlab(self, job):
        recipe = yaml.safe_load((RECIPES / "gitlab.yml").read_text())[job]
        code = self.shell("\n".join(recipe["script"]))
        for line in recipe.get("after_script", []):
            check(self.shell(line) == 0, f"gitlab {job}: the after_script '{line}' failed")
        return code, recipe


def results(place):
    with sqlite3.connect(place.repo / "history.sqlite") as file:
        return file.execute("SELECT COUNT(*) FROM result").fetchone()[0]


with tempfile.TemporaryDirectory() as folder:
    place = Place(folder)
    place.git("checkout", "-qb", "change")
    place.commit("a change")
    codes = place.github("compare")
    # Two rounds assert nothing, which is no success and is told all the same.
    check(codes == {"build": 0, "compare": 4, "count": 0, "tell": 0}, f"github compare: {codes}")
    told = place.summary.read_text()
    check("| small/one element |" in told and "nothing is asserted" in told, f"the step summary says: {told}")
    check("instructions" in told or "allocations" in told, f"the step summary has no counts: {told}")
    check((place.repo / "record.json").exists(), "the record of the gate was not kept")
    check((place.home / "work/base/libtwin.so").exists(), "the twin was not built")

with tempfile.TemporaryDirectory() as folder:
    place = Place(folder)
    for number in (1, 2):
        place.summary.write_text("")
        codes = place.github("history")
        check(set(codes.values()) == {0}, f"github history: {codes}")
        check(results(place) == number, f"the history has {results(place)} results, where {number} are expected")
        check("small/one element" in place.summary.read_text(), "the step summary has no table")
        place.commit(f"commit {number}")
        place.git("push", "-q", "origin", "main")
        # The next run is on a fresh machine: what it knows is on the branch.
        shutil.rmtree(place.repo)
        place.clone()
    kept = place.git("ls-tree", "--name-only", "reshape-history", at=place.home / "origin.git").split()
    check(kept == ["history.html", "history.sqlite"], f"the branch has {kept}")

with tempfile.TemporaryDirectory() as folder:
    place = Place(folder)
    place.variables["CI_MERGE_REQUEST_DIFF_BASE_SHA"] = place.git("rev-parse", "HEAD")
    place.commit("a change")
    code, recipe = place.gitlab("reshape-performance")
    check(code in recipe["allow_failure"]["exit_codes"], f"gitlab compare ended with {code}")
    check((place.repo / "compare.md").exists(), "gitlab compare wrote no compare.md")
    code, recipe = place.gitlab("reshape-history")
    check(code == 0, f"gitlab history ended with {code}")
    missing = [path for path in recipe["artifacts"]["paths"] if not (place.repo / path).exists()]
    check(not missing, f"gitlab history: there is no {missing}")

sys.exit("\n".join(failures) or 0)
