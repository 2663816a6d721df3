#!/usr/bin/env python3
"""./dev implementations without a library: issues, scoreboard and forks, made of files that stand here."""
import contextlib
import io
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import campaign
import forks
import run
import scoreboard

DEVIATES = '''"""Six elements become five. Clause volume.kept: as many elements as before."""
print("[2, 3] by the pattern [5] gives [5]")
'''
SECRET = "f32[77,3] i64[7777]"


def fault(watch, answered, clause="volume.kept", plane="shape", duty="C4"):
    return {"plane": plane, "clause": clause, "duty": duty, "watch": watch, "expected": "rejects volume.kept",
            "answered": answered, "probe": "", "fingerprint": ""}


def case(name, request, answered, *faults, dialect="numpy-reshape"):
    return {"id": f"{dialect}/{name}", "dialect": dialect, "request": f"{dialect} {request}", "executed": True,
            "verdict": "fail" if faults else "pass", "answered": answered, "faults": list(faults)}


def law(name, holds, undecided=False):
    return {"name": name, "clause": "C17", "says": f"{name} | always", "holds": holds, "undecided": undecided,
            "known": "a pool | of threads"}


def report(*cases, laws=(), first_use=()):
    return {"suite_version": "2.0.1",
            "runs": [{"implementation": {"name": "mine by hand", "version": "3.1-4"}, "cases": list(cases),
                      "laws": list(laws), "at_first_use": list(first_use),
                      "open_points": [{"dialect": "numpy-reshape", "clause": "pattern.values", "chose": "rejected",
                                       "cases": ["a", "b"]}]}]}


def ended(status):
    """Whether a process has ended, by its stat file, which a zombie keeps and which may go while it is read."""
    try:
        return ") Z " in status.read_text()
    except OSError:
        return True


class Fixture(unittest.TestCase):
    """A folder of implementations with one library in it, which needs nothing installed."""

    def setUp(self):
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        self.here = pathlib.Path(room.name) / "implementations"
        self.reports = pathlib.Path(room.name) / "reports"
        self.reports.mkdir()
        self.scripts = self.here / "mine" / "deviations"
        self.scripts.mkdir(parents=True)
        (self.here / "mine" / "implementations.txt").write_text(
            "# a comment\nmine-eager\tchild:mine\nmine-late\tchild:mine late\n")
        (self.here / "mine" / "notes.md").write_text("What became of the suspects.\n")
        (self.scripts / "volume.py").write_text(DEVIATES)

    def put(self, module, **values):
        """Until the end of the test."""
        patched = mock.patch.multiple(module, **values)
        patched.start()
        self.addCleanup(patched.stop)

    def program(self, text):
        program = self.here / "program"
        program.write_text(text)
        program.chmod(0o755)
        return program

    def other(self, text="other\tchild:other\n"):
        """A second folder, with this list."""
        folder = self.here / "other"
        folder.mkdir()
        (folder / "implementations.txt").write_text(text)
        return folder

    def write(self, name, *cases, **more):
        (self.reports / f"{name}.json").write_text(json.dumps(report(*cases, **more)))

    def run_it(self, *arguments):
        """How the command ended, and what it printed."""
        self.put(run, HERE=self.here, BUILD=self.here.parent / "build", ROOT=self.here.parent)
        self.put(sys, argv=["run.py", *arguments])
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                return run.main(), said.getvalue()
        finally:
            self.said = said.getvalue()

    def ends(self, code, ended):
        """What a command printed, which ended with this code."""
        self.assertEqual(ended[0], code, ended[1])
        return ended[1]

    def scoreboard(self):
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(scoreboard.write(self.here, self.reports), 0)
        return (self.here / "README.md").read_text()


class ReportUpstream(Fixture):
    def test_tells_what_was_asked_what_came_and_how_to_see_it(self):
        said = self.ends(0, self.run_it("--report-upstream", "mine/volume"))
        self.assertTrue(said.startswith("# Reshape: Six elements become five\n"), said)
        self.assertIn("## What the document says\n\nvolume.kept: as many elements as before.\n", said)
        self.assertIn("```text\n[2, 3] by the pattern [5] gives [5]\n```", said)
        self.assertIn(f"```python\n{DEVIATES.strip()}\n```", said)
        self.assertIn("Python 3", said.split("## Versions")[1])

    def test_says_where_the_deviation_is_gone(self):
        (self.scripts / "volume.py").write_text(DEVIATES + "raise SystemExit(1)\n")
        said = self.ends(1, self.run_it("--report-upstream", "mine/volume"))
        self.assertIn("the deviation is gone", said)

    def test_a_machine_that_cannot_show_it_says_so(self):
        (self.scripts / "volume.py").write_text("print('no such processor')\nraise SystemExit(77)\n")
        said = self.ends(77, self.run_it("--report-upstream", "mine/volume"))
        self.assertIn("It cannot be shown on this machine.", said)
        said = self.ends(0, self.run_it("mine", "--deviations"))
        self.assertIn("not here      mine/volume: no such processor", said)

    def test_a_script_that_does_not_end_shows_nothing(self):
        (self.scripts / "volume.py").write_text(DEVIATES + "import time\ntime.sleep(1000)\n")
        self.put(run, DEVIATION_SECONDS=0)
        said = self.ends(3, self.run_it("--report-upstream", "mine/volume"))
        self.assertIn("It did not end, so that nothing is shown.", said)

    def test_a_name_that_is_none_gets_the_names_that_are(self):
        said = self.ends(2, self.run_it("--report-upstream", "mine/volumes"))
        self.assertIn("there is no deviation 'mine/volumes', only mine/volume", said)


class Needs(Fixture):
    """What nothing can install: a folder says how to see whether it is there."""

    def asked(self, command, *arguments):
        (self.here / "mine" / "needs.txt").write_text(f"# a comment\nfloating point unit\t{command}\n")
        return self.run_it("mine", "--prepare", *arguments)

    def test_a_folder_is_asked_where_they_are_there(self):
        self.assertEqual(self.asked("true"), (0, "ready         mine\n"))

    def test_where_they_are_not_a_sentence_says_which(self):
        for command in ("false", "no-such-program --list"):
            self.assertEqual(self.asked(command), (3, "could not     mine: there is no floating point unit here, says "
                                                      f"'{command}'\n"))

    def test_what_is_installed_is_asked_without_installing(self):
        (self.here / "mine" / "requirements.txt").write_text("no-such-wheel==1.0\n")
        (self.here / "mine" / "packages.txt").write_text("no-such-package\n")
        self.assertEqual(self.asked("true", "--installed"), (0, "ready         mine\n"))
        self.assertEqual(run.Folder(self.here / "mine", installed=True).python, pathlib.Path(shutil.which("python3")))


class Gate(Fixture):
    """Of a program in place of reshape-conformance, which ends as the test says."""

    def gate(self, code, *arguments):
        for name in ("mine-eager", "mine-late"):
            (self.here / "mine" / f"baseline-{name}.txt").write_text("known:\n")
        self.put(run, PROGRAM=self.program(f"#!/bin/sh\necho a sentence\nexit {code}\n"),
                 REPORTS=self.here.parent / "build" / "report")
        return self.run_it(*arguments)

    def test_a_name_that_is_none_gates_nothing_and_is_told(self):
        self.other()
        for folder, name, known in (((), "mane", "mine-eager, mine-late, other"),
                                    (("mine",), "other", "mine-eager, mine-late")):
            with self.assertRaises(SystemExit) as ended:
                self.gate(0, *folder, "--only", name)
            self.assertEqual(ended.exception.code, 2)
            self.assertIn(f"there is no implementation '{name}' in these folders, only {known}\n", self.said)
        with self.assertRaises(SystemExit) as ended:
            self.gate(0, "--only", "other", "--deviations")
        self.assertEqual(ended.exception.code, 2)

    def test_only_what_is_named_is_gated(self):
        (self.other() / "needs.txt").write_text("a device\tfalse\n")
        said = self.ends(0, self.gate(0, "--only", "mine-late"))
        self.assertTrue(said.startswith("as known      mine-late: a sentence ["), said)
        self.assertEqual(len(said.splitlines()), 1, said)
        said = self.ends(3, self.gate(0, "--only", "other"))

    def test_what_could_not_be_asked_is_no_mended_baseline(self):
        for more in (), ("--mend-baseline",):
            for ended in 2, 3, 4:
                said = self.ends(3, self.gate(ended, "mine", "--only", "mine-eager", *more))
                self.assertEqual(said, "could not     mine-eager: could not be asked "
                                       f"(exit code {ended}): a sentence\n")
            said = self.ends(1, self.gate(1, "mine", "--only", "mine-eager", *more))
            self.assertIn("NOT AS KNOWN  mine-eager: a sentence", said)

    def test_only_what_cannot_be_had_here_is_excused(self):
        other = self.other()
        needs = other / "needs.txt"
        needs.write_text("a device\tfalse\n")
        said = self.ends(0, self.gate(0))
        self.assertIn("could not     other: there is no a device here", said)
        # A library that ends while it is loaded, a baseline that is no YAML.
        self.assertEqual(self.gate(3)[0], 3)
        self.assertEqual(self.gate(2)[0], 3)
        # No baseline.
        needs.unlink()
        said = self.ends(3, self.gate(0))
        self.assertIn("could not     other: there is no", said)
        # A list that cannot be read, an adapter that does not compile.
        (other / "implementations.txt").write_text("other\n")
        self.assertEqual(self.gate(0)[0], 3)
        (other / "implementations.txt").write_text("# none\n")
        self.assertEqual(self.gate(0)[0], 0)
        (other / "CMakeLists.txt").write_text("message(FATAL_ERROR no)\n")
        self.assertEqual(self.gate(0)[0], 3)

    def test_nothing_asked_is_no_pass(self):
        (self.here / "mine" / "needs.txt").write_text("a device\tfalse\n")
        for more in (), ("--deviations",), ("--prepare",):
            self.assertEqual(self.gate(0, *more)[0], 3)
        (self.here / "mine" / "needs.txt").unlink()
        shutil.rmtree(self.scripts)
        said = self.ends(3, self.gate(0, "--deviations"))
        self.assertIn("could not     nothing was asked", said)

    def test_a_gate_without_an_end_is_not_as_known(self):
        self.put(run, GATE_SECONDS=0)
        said = self.ends(1, self.gate("0 & sleep 1000"))
        self.assertIn("NOT AS KNOWN  mine-eager: no end after 0 seconds", said)


# Stands for npm or cargo: notes what it was asked, and fails where a file beside it says so.
INSTALLER = """#!/usr/bin/env python3
import os, pathlib, sys
room = pathlib.Path(__file__).parent
with (room / "asked.txt").open("a") as asked:
    print(pathlib.Path(sys.argv[0]).name, *sys.argv[1:], file=asked)
sys.exit((room / "fails.txt").exists())
"""


class Languages(Fixture):
    """Libraries that npm and Cargo install, with programs in their place."""

    def setUp(self):
        super().setUp()
        self.tools = self.here.parent / "tools"
        self.tools.mkdir()
        for name in "npm", "cargo":
            (self.tools / name).write_text(INSTALLER)
            (self.tools / name).chmod(0o755)
        patched = mock.patch.dict(os.environ, PATH=f"{self.tools}:{os.environ['PATH']}")
        patched.start()
        self.addCleanup(patched.stop)
        self.mine = self.here / "mine"

    def prepared(self, code=0):
        said = self.ends(code, self.run_it("--prepare", "mine"))
        asked = self.tools / "asked.txt"
        return said, asked.read_text().splitlines() if asked.exists() else []

    def test_modules_are_installed_once_for_each_list_and_their_scripts_do_not_run(self):
        (self.mine / "package.json").write_text('{"dependencies": {"of-others": "1.2.3"}}')
        (self.mine / "package-lock.json").write_text("{}")
        for _ in range(2):
            _, asked = self.prepared()
            self.assertEqual(len(asked), 1, asked)
        self.assertIn("--ignore-scripts", asked[0])
        (self.mine / "package-lock.json").write_text('{"lockfileVersion": 3}')
        self.assertEqual(len(self.prepared()[1]), 2)

    def test_a_crate_is_built_of_the_locked_versions_without_a_network(self):
        (self.mine / "Cargo.toml").write_text('[dependencies]\nof-others = "=1.2.3"\n')
        fetched, built = self.prepared()[1]
        self.assertIn("fetch", fetched)
        self.assertIn("--offline", built)
        for one in fetched, built:
            self.assertIn("--locked", one)

    def test_what_cannot_be_installed_is_told(self):
        (self.mine / "Cargo.toml").write_text("[dependencies]\n")
        (self.tools / "fails.txt").touch()
        self.assertIn("could not     mine: cargo fetch failed", self.prepared(3)[0])

    def test_an_issue_tells_their_versions(self):
        (self.mine / "Cargo.toml").write_text(
            '[dependencies]\nof-others = "=1.2.3"\nmore = { version = "=4.5", features = [] }\n')
        (self.mine / "package.json").write_text('{"dependencies": {"third": "6.7.8"}}')
        (self.mine / "package-lock.json").write_text("{}")
        versions = self.run_it("--report-upstream", "mine/volume")[1].split("## Versions")[1]
        for line in "of-others 1.2.3", "more 4.5", "third 6.7.8":
            self.assertIn(f"- {line}\n", versions)


class Scoreboard(Fixture):
    def test_counts_and_names_what_was_not_asked(self):
        self.write("mine-eager", case("fits", "f32[2] i64[2]", "produced [2]"),
                   case("more", "f32[2] i64[3]", "produced [3]", fault("shape", "produced [3]")),
                   case("most", "f32[2] i64[33]", "unsupported", fault("status", "unsupported", duty="C18")))
        self.write("gone-from-the-list", case("fits", "f32[2] i64[2]", "produced [2]"))
        page = self.scoreboard()
        self.assertIn("1 implementations in 1 folders were asked; not asked here: mine-late.", page)
        self.assertIn("**1 deviations** are shown by scripts of their own, and 0 clauses", page)
        self.assertIn("| mine-eager | 3.1 | numpy-reshape | 3 | 1 | 1 | 1 |", page)
        self.assertIn("[mine/deviations/volume.py](mine/deviations/volume.py) | Six elements become five.", page)
        self.assertIn("| 1 | shape | volume.kept | produced [#] | `numpy-reshape f32[2] i64[3]` |", page)
        self.assertIn("| mine-eager | numpy-reshape | pattern.values | rejected | 2 |", page)
        self.assertIn("how to read the failures: [mine](mine/notes.md).", page)
        self.assertNotIn("gone-from-the-list", page)

    def test_of_what_touches_memory_the_clause_and_the_plane_are_told_and_no_request(self):
        self.write("mine-eager",
                   case("far", SECRET, "produced [7777]",
                        fault("shape", "produced [7777]"), fault("canaries", "7 bytes", clause="", plane="memory", duty="C7")))
        # The same clause of the same library, by another way of asking, would give it away.
        self.write("mine-late", case("near", SECRET, "produced [7777]", fault("shape", "produced [7777]")))
        page = self.scoreboard()
        self.assertNotIn("7777", page)
        self.assertIn("| mine | volume.kept | memory |", page)
        self.assertEqual(page.count("| shape | volume.kept | shape | first for the vendor |"), 2)
        # Nor where it is not seen another time.
        self.write("mine-eager", case("far", SECRET, "produced [7777]", fault("shape", "produced [7777]")))
        page = self.scoreboard()
        self.assertNotIn("7777", page)
        self.assertIn("| mine | volume.kept | memory |", page)

    def test_tells_what_no_single_request_shows(self):
        self.write("mine-eager", case("fits", "f32[2] i64[2]", "produced [2]"),
                   laws=[law("same-again", False), law("many-calls", True), law("view-aliases", None),
                         law("composition", False, undecided=True)],
                   first_use=[{"watch": "threads", "duty": "C15", "saw": "1 thread", "waived": True}] * 2)
        self.write("mine-late", case("fits", "f32[2] i64[2]", "produced [2]"))
        page = self.scoreboard()
        self.assertIn("Of 1 implementations [a law does not hold](#laws-that-do-not-hold), which", page)
        laws = page.split("## Laws that do not hold")[1].split("##")[0]
        self.assertIn("|---|\n| mine-eager | same-again | C17 | same-again \\| always "
                      "| a pool \\| of threads |\n\n", laws)
        self.assertEqual(laws.count("| mine-"), 1)
        first = page.split("## What they do at first use")[1].split("##")[0]
        self.assertIn("|---|\n| mine-eager | C15 | threads |\n\n", first)

    def test_keeps_what_the_page_says_of_what_was_not_asked(self):
        self.write("mine-eager", case("fits", "f32[2] i64[2]", "produced [2]"),
                   case("far", SECRET, "produced [7777]", fault("canaries", "7 bytes", clause="", plane="memory", duty="C7")),
                   case("more", "f32[2] i64[3]", "produced [3]",
                        fault("shape", "produced [3]", clause="output.shape")),
                   laws=[law("same-again", False)])
        before = self.scoreboard()
        self.other("another\tchild:another\n")
        (self.reports / "mine-eager.json").unlink()
        self.write("another", case("fits", "f32[2] i64[2]", "produced [2]"))
        # Without a page that tells of it there is nothing to keep.
        (self.here / "README.md").unlink()
        self.assertIn("1 folders were asked; not asked here: mine-eager, mine-late.", self.scoreboard())
        (self.here / "README.md").write_text(before)
        for _ in range(2):
            page = self.scoreboard()
            self.assertIn("1 folders were asked; not asked here: mine-late.\nThese were not asked this time, and the "
                          "page before tells of them: mine-eager.", page)
            rows = [line for line in page.splitlines() if line.startswith("| mine")]
            self.assertEqual(rows, [line for line in before.splitlines() if line.startswith("| mine")])
            self.assertIn("and 1 clauses on a plane", page)
            self.assertIn("### mine-eager\n\n| cases |", page)
            self.assertIn("produced [#] | `numpy-reshape f32[2] i64[3]` |", page)
            self.assertEqual(page.count("## "), before.count("## "))
            self.assertIn("| another | 3.1 | numpy-reshape | 1 | 1 | 0 | 0 |\n| mine-eager |", page)

    def test_says_that_there_is_no_report(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            self.assertEqual(scoreboard.write(self.here, self.reports), 3)
        self.assertIn("there is no report in", said.getvalue())


class Forks(unittest.TestCase):
    def page(self, **reports):
        suite = forks.Suite.__new__(forks.Suite)
        empty, full = ("[0,3]", "[0,-1]", True), ("[0,3]", "[0,-1]", False)
        suite.questions = {"onnx-reshape-13/a": empty, "onnx-reshape-5/a": empty, "numpy-reshape/b": full}
        suite.expected = {"onnx-reshape-13/a": "unspecified minus-one.beside permits rejects | produces [0,*]",
                          "onnx-reshape-5/a": "unspecified minus-one.beside permits rejects | produces [0,*]",
                          "numpy-reshape/b": "rejects zero.with-minus-one"}
        return list(forks.page([("[0,3]", "[0,-1]", "both")], suite, reports, {name: "lib" for name in reports}))

    def test_answers_stand_side_by_side(self):
        lines = self.page(
            one=report(case("a", "", "produced [0,3]", dialect="onnx-reshape-5"),
                       case("a", "", "rejected (why)", dialect="onnx-reshape-13")),
            two=report(case("b", "", "rejected (why)"), case("other", "", "produced [1]")))
        self.assertIn("| `[0,3]`, `[0,-1]` | both | copies | produces [0,3] |  | one (onnx-reshape-5) |", lines)
        self.assertIn("|  |  |  | rejects |  | one (onnx-reshape-13) |", lines)
        self.assertIn("|  |  |  | open: rejects or produces [0,*] | onnx-reshape-5, -13 |  |", lines)
        self.assertIn("|  |  | is 0 | rejects | numpy-reshape | two |", lines)
        self.assertNotIn("[1]", "\n".join(lines))

    def test_what_touches_memory_is_not_told(self):
        lines = "\n".join(self.page(
            one=report(case("b", "", "produced [7777]", fault("guard-page", "died of SIGSEGV"))),
            two=report(case("b", "", "produced [7777]", fault("shape", "produced [7777]")))))
        self.assertNotIn("7777", lines)
        self.assertNotIn("two", lines.split("Asked:")[1].split("\n", 1)[1])
        self.assertIn("| rejects | numpy-reshape |  |", lines)

    def test_a_missing_flag_is_no_reading_of_a_zero(self):
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        cases = [("a/flag-missing", "a f32[2,3] i64[0,3]", "rejects special-zero.required"),
                 ("a/literal", "a f32[2,3] i64[0,3] special_zero=false", "rejects volume.kept"),
                 ("a/copies", "a f32[2,3] i64[0,3] special_zero=true", "produces [2,3]")]
        told = json.dumps({"cases": [{"id": name, "request": request, "expect": expect}
                                     for name, request, expect in cases]})
        program = pathlib.Path(room.name, "program")
        program.write_text(f"#!/bin/sh\n[ $1 = list ] && echo '{told}'\n")
        program.chmod(0o755)
        suite = forks.Suite(str(program), [("[2,3]", "[0,3]", "a 0")])
        self.assertEqual(suite.questions, {"a/literal": ("[2,3]", "[0,3]", False),
                                           "a/copies": ("[2,3]", "[0,3]", True)})
        self.assertEqual(suite.filters(), ["*/copies", "*/literal"])

    def test_the_requests_are_read(self):
        self.assertIn(("[0,3]", "[0,-1]", "a 0 and a -1 over no elements"),
                      forks.asked(pathlib.Path(__file__).parent))


# Knows nothing of its requests, but that the third seed of a campaign fails.
PROGRAM = """#!/usr/bin/env python3
import pathlib, sys
rounds = pathlib.Path(__file__).with_name("rounds.txt")
asked = rounds.read_text().splitlines() if rounds.exists() else []
asked.append(" ".join(sys.argv[1:]))
rounds.write_text("\\n".join(asked) + "\\n")
if len(asked) == 3:
    print("FAIL  generated/5/7   shape plane, clause volume.kept\\n      asked     mine f32[6] i64[5]\\n\\nmore")
print("mine 1 conforms: 50 planned = 40 executed + 10 skipped")
sys.exit(1 if len(asked) == 3 else 0)
"""
# Two causes, one of them twice, and a law, again and again, with other sizes each time.
FAILS = """#!/usr/bin/env python3
import os, sys
sizes = ",".join(["7"] * (os.getpid() % 5 + 1))
for clause in "volume.kept", "output.shape", "output.shape":
    print(f"FAIL  generated/{os.getpid()}/7      shape plane, clause {clause}, duty C3")
    print(f"      asked     mine f32[{sizes}] i64[{sizes}]\\n      expected  produces [{sizes}]: of {sizes}")
    print(f"      answered  rejected (of {os.getpid()})")
    print("      replay    reshape-conformance replay 'mine f32[7]' -i 'child:mine'\\n")
print("  BROKEN     same-again                 C17                       3 tried  says\\n      not the same")
print("  holds      another                    C17                       3 tried  says\\n")
print("  mend it   reshape-conformance run -i child:mine --mend-baseline")
print("mine 1 does not conform: 50 planned = 40 executed + 10 skipped")
sys.exit(1)
"""


class Campaign(Fixture):
    """By a clock that goes on by five seconds each time it is read: a campaign of a minute has four rounds."""

    def setUp(self):
        super().setUp()
        self.put(campaign, clock=itertools.count(step=5).__next__)

    def campaign(self, text, options=(), minutes=1, own=None):
        log = self.here / "campaign" / "mine.txt"
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                known = campaign.run(str(self.program(text)), self.here, "mine", "child:mine", list(options),
                                     self.here / "baseline-mine.txt", minutes, None, own or {}, log)
        except campaign.CouldNot as why:
            known = str(why)
        finally:
            self.printed = printed.getvalue()
        return known, self.printed, log.read_text()

    def run_campaign(self, text, *arguments):
        """The same by the command line, of the folder `mine`."""
        for name in ("mine-eager", "mine-late"):
            (self.here / "mine" / f"baseline-{name}.txt").write_text("known:\n")
        self.put(run, PROGRAM=self.program(text))
        return self.run_it("mine", "--only", "mine-eager", "--campaign", "1", *arguments)

    def test_tells_what_the_baseline_does_not_know(self):
        known, printed, log = self.campaign(PROGRAM)
        self.assertIs(known, False)
        self.assertIn("clause volume.kept", printed)
        self.assertNotIn("more", printed)
        self.assertIn("1 KIND NOT KNOWN", printed)
        self.assertIn("--seed", log)

    def test_asks_fresh_seeds_and_leaves_out_which_cases_a_gate_asks(self):
        options = ["--tier", "quick", "--suite-only", "--deadline", "60", "--waive", "*", "-j", "1"]
        _, printed, log = self.campaign(PROGRAM, options)
        rounds = (self.here / "rounds.txt").read_text().splitlines()
        self.assertEqual(len(rounds), 4)
        seeds = [line.split("--seed ")[1].split()[0] for line in rounds]
        self.assertEqual(len(set(seeds)), len(seeds))
        for line in rounds:
            self.assertIn("--deadline 60 -j 1", line)
            for gone in ("--tier", "--suite-only", "--waive *"):
                self.assertNotIn(gone, line)
            # Not to be told in each campaign again of what the gate lets through.
            self.assertEqual("--waive process-start" in line, "--generate" in line)
        # Also of a round in which nothing failed.
        for seed in seeds:
            self.assertIn(f"--seed {seed} ", log)
        self.assertIn("in 4 rounds (1 of laws; 0 cut short)", printed)

    def test_laws_are_asked_in_the_second_round_unless_the_gate_asks_none(self):
        self.campaign(PROGRAM)
        rounds = (self.here / "rounds.txt").read_text().splitlines()
        self.assertEqual([" --laws " in line for line in rounds], [False, True, False, False])
        (self.here / "rounds.txt").unlink()
        _, printed, _ = self.campaign(PROGRAM, ["--no-laws"])
        self.assertNotIn("--laws", (self.here / "rounds.txt").read_text())
        self.assertIn("(no laws: --no-laws; ", printed)

    def test_a_kind_is_told_and_counted_once_by_its_cause(self):
        known, printed, log = self.campaign(FAILS)
        self.assertIs(known, False)
        self.assertEqual(log.count("# "), 4)
        self.assertEqual(printed.count("clause volume.kept"), 1, printed)
        self.assertEqual(printed.count("clause output.shape"), 1, printed)
        self.assertEqual(printed.count("BROKEN     same-again"), 1, printed)
        self.assertNotIn("another", printed)
        self.assertIn("3 KINDS NOT KNOWN", printed)

    def test_kinds_differ_by_document_clause_answer_and_type_of_wrong_bytes(self):
        def kind(plane="shape", dialect="mine", type_="f32", answered="rejected", number=1):
            return (f"FAIL  a/{number}     {plane} plane, clause c, duty C{3 if plane == 'shape' else 7}\n"
                    f"      asked     {dialect} {type_}[{number}] i64[]\n"
                    f"      answered  {answered} ({number})\n")
        same = campaign.cause(kind())
        self.assertEqual(campaign.cause(kind(number=22)), same)
        self.assertEqual(campaign.cause(kind(type_="i8")), same)
        self.assertEqual(campaign.cause(kind(answered="produced []")),
                         campaign.cause(kind(answered="produced [2,-3]")))
        self.assertNotEqual(campaign.cause(kind(answered="produced [2]")), same)
        self.assertNotEqual(campaign.cause(kind(dialect="other")), same)
        self.assertNotEqual(campaign.cause(kind("bytes")), campaign.cause(kind("bytes", type_="i8")))

    def test_what_is_to_be_repeated_says_how(self):
        known, printed, log = self.campaign(FAILS, ["-j", "2"], own={"WAY": "of two", "LIB": "/a/lib"})
        self.assertIs(known, False)
        before = "WAY='of two' LIB=/a/lib "
        self.assertIn(f"replay    {before}reshape-conformance replay 'mine f32[7]' -i 'child:mine'", printed)
        asked = next(line for line in log.splitlines() if line.startswith("# "))[2:]
        again = asked.split(" --time-limit")[0]
        self.assertIn("--generate", again)
        self.assertIn(f"\n  mend it   {again} --mend-baseline=causes\n", log)
        self.assertTrue(again.startswith(before + str(self.here / "program")), again)
        with tempfile.TemporaryDirectory(suffix=" and blanks") as room:
            one = campaign.Campaign(f"{room}/program", self.here, "mine", "child:mine late", [], "b", None, {})
            self.assertEqual(shlex.split(one.line(one.command)), one.command)

    def test_what_was_not_asked_is_told(self):
        known, printed, log = self.campaign(
            "#!/bin/sh\necho 'mine was not asked everything, not asked within 1 s (--time-limit): "
            "900 planned = 40 executed + 860 skipped'\nexit 4\n", ["--no-laws"])
        self.assertIs(known, True)
        # Of few that are asked in a round the next one plans as many as there is time for.
        planned = [int(one) for one in re.findall(r"--generate (\d+) ", log)]
        self.assertEqual(planned[-1], 80)
        self.assertIn(f"160 of {sum(max(900, one) for one in planned)} requests in 4 rounds "
                      "(no laws: --no-laws; 4 cut short)", printed)

    def test_a_round_that_ends_late_leaves_the_next_less_time(self):
        # The first ends 40 seconds after its limit of 120.
        self.put(campaign, clock=iter([0, 0, 0, 160, 160, 160, 165, 240, 240]).__next__)
        _, _, log = self.campaign(PROGRAM, minutes=4)
        self.assertEqual(re.findall(r"--time-limit (\d+)", log), ["120", "40"])

    def test_what_has_no_end_ends_with_all_that_it_started(self):
        self.put(campaign, GRACE_SECONDS=0)
        sleeps = "#!/bin/sh\nsleep 1000 &\necho $! > $(dirname $0)/pid.txt\nwait\n"
        known, printed, log = self.campaign(sleeps, minutes=0.12)
        self.assertRegex(known, r"no end after 2 seconds; seed \d+")
        self.assertIn("stopped", printed)
        self.assertIn("--seed", log)
        status = pathlib.Path("/proc", (self.here / "pid.txt").read_text().strip(), "stat")
        # A busy machine takes a while from the signal to the end.
        self.assertTrue(any(ended(status) or time.sleep(0.1) for _ in range(600)))

    def test_an_interrupt_leaves_a_tally(self):
        text = FAILS.replace("sys.exit(1)", """
import pathlib, signal, time
if pathlib.Path(__file__).with_name("again").exists():
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(1000)
pathlib.Path(__file__).with_name("again").touch()
sys.exit(1)""")
        with self.assertRaises(KeyboardInterrupt):
            self.campaign(text, minutes=10)
        self.assertIn("3 KINDS NOT KNOWN mine: 40 of 1000 requests in 1 rounds", self.printed)

    def test_nothing_but_an_answer_as_expected_is_known(self):
        known, printed, _ = self.campaign("#!/bin/sh\necho known.yaml:3: entry matches no case\nexit 1\n")
        self.assertIs(known, False)
        self.assertIn("entry matches no case", printed)
        # That clauses were not reached in time blames nobody, and all else that a late round says does.
        late = "; 9 planned = 1 executed + 8 skipped, not asked within 1 s (--time-limit)"
        for why, as_known in (("2 clauses not asked" + late, True), ("1 fault, 2 clauses not asked" + late, False),
                              ("2 clauses not asked; 9 planned = 9 executed", False)):
            said = "mine 1 does not conform: " + why
            known, printed, _ = self.campaign(f"#!/bin/sh\necho '{said}'\nexit 1\n", ["--no-laws"])
            self.assertIs(known, as_known, said)
            self.assertEqual(said in printed, not as_known)
        known, _, _ = self.campaign("#!/bin/sh\nkill -9 $$\n")
        self.assertRegex(known, r"^no answer; seed \d+$")
        known, _, _ = self.campaign("#!/bin/sh\nsleep 0.2\necho nothing could be asserted\nexit 4\n")
        self.assertIn("nothing was asked", known)
        known, _, _ = self.campaign("#!/bin/sh\necho the file changed: 50 planned = 40 executed + 10\nexit 4\n")
        self.assertIn("the file changed", known)

    def test_ends_where_the_library_cannot_be_asked(self):
        known = self.campaign("#!/bin/sh\necho no such library\nexit 3\n")[0]
        self.assertRegex(known, "^no such library; seed")
        said = self.ends(3, self.run_campaign("#!/bin/sh\necho no such library\nexit 3\n"))
        self.assertIn("could not     mine-eager: no such library; seed", said)

    def test_what_was_found_before_it_could_not_be_asked_is_counted(self):
        text = FAILS.replace("import os, sys", """import os, pathlib, sys
again = pathlib.Path(__file__).with_name("again")
if again.exists():
    print("the library is gone")
    sys.exit(3)
again.touch()""")
        said = self.ends(1, self.run_campaign(text))
        self.assertIn("3 KINDS NOT KNOWN mine-eager: 40 of ", said)
        self.assertIn("build/campaign/mine-eager.txt\n", said)
        self.assertIn("could not     mine-eager: the library is gone; seed", said)

    def test_jobs_and_the_environment_of_the_folder_are_handed_on(self):
        (self.here / "mine" / "environment.txt").write_text("WAY=of two\n")
        said = self.ends(1, self.run_campaign(FAILS, "-j", "3"))
        log = (self.here.parent / "build" / "campaign" / "mine-eager.txt").read_text()
        self.assertIn(" -j 3 ", log)
        self.assertIn("# WAY='of two' ", log)

    def test_campaign_py_says_where_it_belongs(self):
        for arguments, code in ((("--help",), 0), ((), 2)):
            ended = subprocess.run([sys.executable, "-B", campaign.__file__, *arguments], capture_output=True,
                                   text=True, check=False)
            self.assertEqual(ended.returncode, code)
            self.assertIn("./dev implementations [folder...] --campaign MINUTES", ended.stdout)


if __name__ == "__main__":
    unittest.main()
