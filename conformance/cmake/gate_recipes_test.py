"""Runs the steps of the GitHub action and of the GitLab template as they stand, on a library and on mutants.

usage: gate_recipes_test.py ROOT_OF_THE_PROJECT reshape-conformance LIBRARY
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

ROOT, PROGRAM, LIBRARY = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
ACTION = yaml.safe_load((ROOT / ".github/actions/conformance-gate/action.yml").read_text(encoding="utf-8"))
TEMPLATE = (ROOT / "conformance/run/ci/gitlab.yml").read_text(encoding="utf-8")
GITLAB = yaml.safe_load(TEMPLATE)[".reshape-conformance"]
MUTANT = "mutant:minus-one-rounds-down"
# A few cases of which each mutant fails some. The asterisks are the program's and must reach it.
SHORT = ("--no-diagnosis --dialect openvino-reshape-1 --filter openvino-reshape-1/*divide* "
         "--filter openvino-reshape-1/count-?.f64")
REPORTS = {"report.html", "report.json", "report.xml", "report.sarif", "summary.md"}


class Machine:
    """What a CI's machine has: a working directory, and files for outputs and summary."""

    def __init__(self, folder):
        self.home = pathlib.Path(folder)
        self.outputs = self.home / "outputs"
        self.summary = self.home / "summary"
        for file in (self.outputs, self.summary):
            file.write_text("")
        self.work = self.home / "work"
        self.work.mkdir()
        # What a shell would put in the place of the asterisks of SHORT.
        (self.work / "openvino-reshape-1").mkdir()
        (self.work / "openvino-reshape-1/undivided").touch()

    def shell(self, script, variables):
        known = {"PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "HOME": str(self.home),
                 "GITHUB_OUTPUT": str(self.outputs), "GITHUB_STEP_SUMMARY": str(self.summary)}
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=self.work,
                              env={**known, **variables}, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=280)
        print(done.stdout, end="")
        return done.returncode

    def output(self, name):
        return dict(line.split("=", 1) for line in self.outputs.read_text().splitlines()).get(name)

    def github(self, inputs):
        """The exit code of the last step; a failing step ends the action."""
        given = {name: one.get("default", "") for name, one in ACTION["inputs"].items()} | inputs
        code = 0
        for step in ACTION["runs"]["steps"]:
            if "run" not in step:
                continue
            variables = {name: self.filled(value, given) for name, value in step["env"].items()}
            code = self.shell(step["run"], variables)
            if code != 0:
                break
        return code

    def filled(self, text, given):
        text = re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: given[found[1]], text)
        return re.sub(r"\$\{\{ steps\.\w+\.outputs\.([\w-]+) \}\}", lambda found: self.output(found[1]), text)

    def gitlab(self, variables):
        return self.shell("\n".join(GITLAB["script"]), {**GITLAB["variables"], **variables})


class Gate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.machine = Machine(folder.name)

    def written(self):
        return {file.name for file in (self.machine.work / "reshape-conformance").iterdir()}

    def test_github_lets_a_right_library_through(self):
        self.assertEqual(self.machine.github({"library": str(LIBRARY), "arguments": SHORT}), 0)
        self.assertEqual(self.written(), REPORTS)
        self.assertIn("conforms", self.machine.summary.read_text())
        self.assertEqual(self.machine.output("exit-code"), "0")

    def test_github_stops_a_wrong_one_and_tells_why(self):
        self.assertEqual(self.machine.github({"library": MUTANT, "arguments": SHORT}), 1)
        self.assertEqual(self.written(), REPORTS)
        self.assertIn("minus-one.divides", self.machine.summary.read_text())
        self.assertEqual(self.machine.output("exit-code"), "1")

    def test_github_holds_to_a_baseline(self):
        known = self.machine.work / "known.yaml"
        subprocess.run([PROGRAM, "run", "-q", "-i", MUTANT, *SHORT.split(), "--baseline", known, "--mend-baseline"],
                       check=True, stdout=subprocess.DEVNULL)
        self.assertEqual(self.machine.github({"library": MUTANT, "arguments": SHORT, "baseline": "known.yaml"}), 0)

    def test_github_tells_a_library_that_is_not_there(self):
        self.assertEqual(self.machine.github({"library": "./libgone.so"}), 3)

    def init_ci(self, *options):
        return subprocess.run([PROGRAM, "init-ci", "-i", MUTANT, "--arguments", SHORT, *options], check=False,
                              cwd=self.machine.work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def test_init_ci_writes_a_workflow_that_is_green_today(self):
        done = self.init_ci("--build", "echo 'it''s built'")
        self.assertEqual(done.returncode, 0, done.stdout)
        file = self.machine.work / ".github/workflows/reshape-conformance.yml"
        build, gate = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"]["gate"]["steps"][1:]
        self.assertEqual(build["run"], "echo 'it''s built'")
        self.assertTrue(gate["uses"].split("@")[0].endswith("/.github/actions/conformance-gate"))
        self.assertEqual(self.machine.github(gate["with"]), 0)
        # Not because nothing is asked: another mistake is red.
        self.assertEqual(self.machine.github({**gate["with"], "library": "mutant:minus-zero-normalised"}), 1)
        again = self.init_ci()
        self.assertEqual(again.returncode, 2)
        self.assertIn("it is there already", again.stdout)

    def test_init_ci_writes_all_or_nothing(self):
        home = self.machine.work
        before = sorted(home.iterdir())
        # All cases, which nobody answers in a hundredth of a second; the few of SHORT some machines do.
        nothing = subprocess.run([PROGRAM, "init-ci", "-i", MUTANT, "--arguments", "--no-diagnosis --time-limit 0.01"],
                                 check=False, cwd=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(nothing.returncode, 4, nothing.stdout)
        self.assertEqual(sorted(home.iterdir()), before)
        (home / ".github").write_text("no folder")
        refused = self.init_ci()
        self.assertEqual((refused.returncode, refused.stdout), (
            2, "reshape-conformance init-ci: .github/workflows/reshape-conformance.yml: cannot be written: Not a directory\n"))
        gone = subprocess.run([PROGRAM, "init-ci", "--gitlab", "-i", "./libgone.so"], check=False, cwd=home, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.assertEqual((gone.returncode, gone.stdout.count("\n")), (3, 1), gone.stdout)
        self.assertEqual(sorted(home.iterdir()), sorted([*before, home / ".github"]))

    def test_init_ci_serves_gitlab(self):
        self.assertEqual(self.init_ci("--gitlab").returncode, 0)
        file = self.machine.work / ".gitlab/reshape-conformance.yml"
        written = yaml.safe_load(file.read_text(encoding="utf-8"))
        job = written["reshape-conformance"]
        included, = written["include"]
        self.assertEqual((ROOT / included["file"]).read_text(encoding="utf-8"), TEMPLATE)
        self.assertEqual(job["extends"], ".reshape-conformance")
        self.assertEqual(self.machine.gitlab(job["variables"]), 0)

    def test_gitlab_does_the_same(self):
        self.assertEqual(self.machine.gitlab({"RESHAPE_LIBRARY": str(LIBRARY), "RESHAPE_ARGUMENTS": SHORT}), 0)
        self.assertEqual(self.machine.gitlab({"RESHAPE_LIBRARY": MUTANT, "RESHAPE_ARGUMENTS": SHORT}), 1)
        self.assertTrue((self.machine.work / GITLAB["artifacts"]["reports"]["junit"]).exists())


unittest.main(argv=sys.argv[:1], verbosity=2)
