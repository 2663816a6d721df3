#!/usr/bin/env python3
"""./dev implementations without a library: issues, scoreboard and forks, made of files that stand here."""
import contextlib
import io
import json
import pathlib
import shutil
import sys
import tempfile
import unittest

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

    def write(self, name, *cases, **more):
        (self.reports / f"{name}.json").write_text(json.dumps(report(*cases, **more)))

    def run_it(self, *arguments):
        """How the command ended, and what it printed."""
        kept = run.HERE, run.BUILD, run.ROOT, sys.argv
        run.HERE, run.BUILD, run.ROOT = self.here, self.here.parent / "build", self.here.parent
        sys.argv = ["run.py", *arguments]
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                return run.main(), said.getvalue()
        finally:
            self.said = said.getvalue()
            run.HERE, run.BUILD, run.ROOT, sys.argv = kept

    def scoreboard(self):
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(scoreboard.write(self.here, self.reports), 0)
        return (self.here / "README.md").read_text()


class ReportUpstream(Fixture):
    def test_tells_what_was_asked_what_came_and_how_to_see_it(self):
        code, said = self.run_it("--report-upstream", "mine/volume")
        self.assertEqual(code, 0, said)
        self.assertTrue(said.startswith("# Reshape: Six elements become five\n"), said)
        self.assertIn("## What the document says\n\nvolume.kept: as many elements as before.\n", said)
        self.assertIn("```text\n[2, 3] by the pattern [5] gives [5]\n```", said)
        self.assertIn(f"```python\n{DEVIATES.strip()}\n```", said)
        self.assertIn("Python 3", said.split("## Versions")[1])

    def test_says_where_the_deviation_is_gone(self):
        (self.scripts / "volume.py").write_text(DEVIATES + "raise SystemExit(1)\n")
        code, said = self.run_it("--report-upstream", "mine/volume")
        self.assertEqual(code, 1)
        self.assertIn("the deviation is gone", said)

    def test_a_script_that_does_not_end_shows_nothing(self):
        (self.scripts / "volume.py").write_text(DEVIATES + "import time\ntime.sleep(1000)\n")
        self.addCleanup(setattr, run, "DEVIATION_SECONDS", run.DEVIATION_SECONDS)
        run.DEVIATION_SECONDS = 0
        code, said = self.run_it("--report-upstream", "mine/volume")
        self.assertEqual(code, 3, said)
        self.assertIn("It did not end, so that nothing is shown.", said)

    def test_a_name_that_is_none_gets_the_names_that_are(self):
        code, said = self.run_it("--report-upstream", "mine/volumes")
        self.assertEqual(code, 2)
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
        program = self.here / "program"
        program.write_text(f"#!/bin/sh\necho a sentence\nexit {code}\n")
        program.chmod(0o755)
        for name in ("mine-eager", "mine-late"):
            (self.here / "mine" / f"baseline-{name}.txt").write_text("known:\n")
        kept = run.PROGRAM, run.REPORTS
        run.PROGRAM, run.REPORTS = program, self.here.parent / "build" / "report"
        try:
            return self.run_it(*arguments)
        finally:
            run.PROGRAM, run.REPORTS = kept

    def test_a_name_that_is_none_gates_nothing_and_is_told(self):
        (self.here / "other").mkdir()
        (self.here / "other" / "implementations.txt").write_text("other\tchild:other\n")
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
        (self.here / "other").mkdir()
        (self.here / "other" / "implementations.txt").write_text("other\tchild:other\n")
        (self.here / "other" / "needs.txt").write_text("a device\tfalse\n")
        code, said = self.gate(0, "--only", "mine-late")
        self.assertEqual(code, 0, said)
        self.assertTrue(said.startswith("as known      mine-late: a sentence ["), said)
        self.assertEqual(len(said.splitlines()), 1, said)
        code, said = self.gate(0, "--only", "other")
        self.assertEqual(code, 3, said)

    def test_what_could_not_be_asked_is_no_mended_baseline(self):
        for more in (), ("--mend-baseline",):
            for ended in 2, 3, 4:
                code, said = self.gate(ended, "mine", "--only", "mine-eager", *more)
                self.assertEqual(code, 3, said)
                self.assertEqual(said, "could not     mine-eager: could not be asked "
                                       f"(exit code {ended}): a sentence\n")
            code, said = self.gate(1, "mine", "--only", "mine-eager", *more)
            self.assertEqual(code, 1, said)
            self.assertIn("NOT AS KNOWN  mine-eager: a sentence", said)


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

    def test_keeps_what_the_page_says_of_what_needs_a_device(self):
        self.write("mine-eager", case("fits", "f32[2] i64[2]", "produced [2]"),
                   case("far", SECRET, "produced [7777]", fault("canaries", "7 bytes", clause="", plane="memory", duty="C7")),
                   case("more", "f32[2] i64[3]", "produced [3]",
                        fault("shape", "produced [3]", clause="output.shape")),
                   laws=[law("same-again", False)])
        before = self.scoreboard()
        (self.here / "another").mkdir()
        (self.here / "another" / "implementations.txt").write_text("another\tchild:another\n")
        (self.reports / "mine-eager.json").unlink()
        self.write("another", case("fits", "f32[2] i64[2]", "produced [2]"))
        self.assertIn("1 folders were asked; not asked here: mine-eager, mine-late.", self.scoreboard())
        # A page that says nothing of it keeps nothing.
        (self.here / "mine" / "needs.txt").write_text("a device\tfalse\n")
        self.assertIn("; not asked here: mine-eager, mine-late.", self.scoreboard())
        (self.here / "README.md").write_text(before)
        for _ in range(2):
            page = self.scoreboard()
            self.assertIn("1 folders were asked; not asked here: mine-late.\nWhat mine-eager need was not there", page)
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
    print("FAIL  generated/5/7   shape plane, clause volume.kept\\n      asked     f32[6] i64[5]\\n\\nmore")
print("mine 1 conforms: 50 planned = 40 executed + 10 skipped")
sys.exit(1 if len(asked) == 3 else 0)
"""


class Campaign(Fixture):
    def campaign(self, text, options=()):
        program = self.here / "program"
        program.write_text(text)
        program.chmod(0o755)
        log = self.here / "campaign" / "mine.txt"
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            known = campaign.run(str(program), self.here, "mine", "child:mine", list(options),
                                 self.here / "baseline-mine.txt", 0.06, None, log)
        return known, printed.getvalue(), log.read_text()

    def test_tells_what_the_baseline_does_not_know(self):
        known, printed, log = self.campaign(PROGRAM)
        self.assertFalse(known)
        self.assertIn("clause volume.kept", printed)
        self.assertNotIn("more", printed)
        self.assertIn("1 KINDS NOT KNOWN", printed)
        self.assertIn("--seed", log)

    def test_asks_fresh_seeds_and_leaves_out_which_cases_a_gate_asks(self):
        self.campaign(PROGRAM, ["--tier", "quick", "--deadline", "60", "--waive", "*", "-j", "1"])
        rounds = (self.here / "rounds.txt").read_text().splitlines()
        self.assertGreater(len(rounds), 2)
        seeds = [line.split("--seed ")[1].split()[0] for line in rounds]
        self.assertEqual(len(set(seeds)), len(seeds))
        for line in rounds:
            self.assertIn("--deadline 60 -j 1", line)
            for gone in ("--tier", "--waive *"):
                self.assertNotIn(gone, line)
            # Not to be told in each campaign again of what the gate lets through.
            self.assertEqual("--waive process-start" in line, "--generate" in line)

    def test_nothing_but_an_answer_as_expected_is_known(self):
        known, printed, _ = self.campaign("#!/bin/sh\necho known.yaml:3: entry matches no case\nexit 1\n")
        self.assertFalse(known)
        self.assertIn("entry matches no case", printed)
        known, printed, _ = self.campaign("#!/bin/sh\nkill -9 $$\n")
        self.assertFalse(known)
        self.assertIn("could not     mine: no answer", printed)
        known, printed, _ = self.campaign("#!/bin/sh\nsleep 0.2\necho nothing could be asserted\nexit 4\n")
        self.assertFalse(known)
        self.assertIn("nothing was asked", printed)

    def test_ends_where_the_library_cannot_be_asked(self):
        known, printed, _ = self.campaign("#!/bin/sh\necho no such library\nexit 3\n")
        self.assertFalse(known)
        self.assertIn("could not     mine: no such library", printed)


if __name__ == "__main__":
    unittest.main()
