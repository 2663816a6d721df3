"""The wheel, as users have it: built, installed into a fresh virtual environment, and asked there.

wheel_test.py SOURCE PROGRAM PREPARED WORK: the project, its portable_program, what ./dev test fetched by pip (a
virtual environment and wheels), and a folder to write to. Names of tests behind them: these alone."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

SOURCE, PROGRAM, PREPARED, WORK = (pathlib.Path(word).resolve() for word in sys.argv[1:5])
VENV = WORK / "venv"
TESTING = SOURCE / "conformance/python/testing"
SKIPPED = 77
ONE = ["-f", "numpy-reshape/infer-first", "--no-diagnosis"]
QUICK = ["--tier", "quick", "--no-diagnosis"]


def ran(*words, **options):
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("PYTHONPATH", "RESHAPE_PYTHON", "VIRTUAL_ENV")}
    return subprocess.run([str(word) for word in words], cwd=WORK, env=environment, check=False, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def must(*words):
    done = ran(*words)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def asked(function, *more):
    return ran(VENV / "bin/reshape-conformance", "run", "-q", "-i", f"python:{function}", *more)


def tested(*words):
    return ran(VENV / "bin/python", "-m", "pytest", "-p", "no:cacheprovider", "-q", "--reshape-conformance",
               *words)


def setUpModule():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    shutil.copy(TESTING / "functions.py", WORK)
    (WORK / "pytest.ini").write_text("[pytest]\n")  # so that this folder is pytest's root
    pip = [PREPARED / "venv/bin/python", "-m", "pip"]
    must(*pip, "wheel", SOURCE, "--no-build-isolation", "--no-deps", "--no-index", "-w", WORK,
         "-C", f"build-dir={WORK}/build", "-C", f"cmake.define.RESHAPE_PORTABLE_PROGRAM={PROGRAM}")
    must(sys.executable, "-m", "venv", "--without-pip", VENV)
    wheel, = WORK.glob("*.whl")
    # By which it gets the name of the oldest glibc that it runs on; pip takes it only where that is true.
    must("env", f"PATH={PREPARED}/venv/bin:{os.environ['PATH']}", PREPARED / "venv/bin/auditwheel", "repair", "-w",
         WORK / "repaired", wheel)
    wheel, = (WORK / "repaired").glob("*.whl")
    must(*pip, "--python", VENV / "bin/python", "install", "-q", "--no-index", "--find-links",
         PREPARED / "wheels", wheel, "pytest")


class Wheel(unittest.TestCase):
    def test_is_for_every_python(self):
        wheel, = WORK.glob("*.whl")
        self.assertRegex(wheel.name, r"^reshape_conformance-[0-9.]+-py3-none-linux_\w+\.whl$")

    @unittest.skipUnless(shutil.which("readelf"), "readelf is not installed")
    def test_is_named_after_the_glibc_that_it_needs(self):
        wheel, = (WORK / "repaired").glob("*.whl")
        named = re.match(r"^reshape_conformance-[0-9.]+-py3-none-manylinux_2_(\d+)_\w+\.whl$", wheel.name)
        self.assertTrue(named, wheel.name)
        asked = re.findall(r"Name: GLIBC_2\.(\d+)", must("readelf", "-V", self.program()))
        self.assertEqual(int(named[1]), max(map(int, asked)))

    def program(self):
        program, = VENV.glob("lib/python*/site-packages/reshape_conformance/bin/reshape-conformance")
        return program

    @unittest.skipUnless(shutil.which("readelf"), "readelf is not installed")
    def test_needs_nothing_but_glibc(self):
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", must("readelf", "-d", self.program())))
        self.assertLessEqual(needed, {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"})
        self.assertIn("libc.so.6", needed)

    def test_brings_the_program_with_its_suite(self):
        version = re.search(r"reshape-conformance VERSION ([0-9.]+)", (SOURCE / "CMakeLists.txt").read_text())
        self.assertIn(f"reshape-conformance {version[1]}", must(VENV / "bin/reshape-conformance", "--version"))
        self.assertIn("no orphan", must(VENV / "bin/reshape-conformance", "trace"))


class Gate(unittest.TestCase):
    def test_numpy_conforms(self):
        done = asked("functions:reshape", "--no-diagnosis", "--deadline", "60")  # all that there is
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"reshape 0 conforms: .* [1-9][0-9]+ pass")

    def test_a_wrong_one_does_not(self):
        done = asked("functions:reversed_elements", *QUICK)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("bytes plane", done.stdout)
        self.assertIn("-i python:functions:reversed_elements", done.stdout)

    def test_ways_to_be_right(self):
        for function, name in (("functions:by_request", "with-a-request 7"), ("functions.py:reshape", "reshape 0"),
                               ("functions:column_by_column", "column_by_column 0"),
                               ("functions:refuses_by_key_error", "refuses_by_key_error 0"),
                               ("functions:refuses_at_length", "refuses_at_length 0")):
            done = asked(function, "-f", "numpy-reshape/infer-*", "-f", "numpy-reshape/alike-divided-before-1",
                         "--no-diagnosis")
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn(f"{name} conforms", done.stdout)

    def test_types_that_numpy_has_not(self):
        done = asked("functions:bits", "-f", "onnx-reshape-25/dense-1*.bf16", "-f", "onnx-reshape-25/dense-1*.i4", "--no-diagnosis")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"bits 0 conforms: .* [1-9][0-9]* pass")

    def test_ways_to_be_wrong(self):
        for function, words in (
                ("returns_a_list", "it returned list, which has no buffer as arrays have"),
                ("returns_nothing", "it returned NoneType, which has no buffer as arrays have"),
                ("returns_doubles", "it returned elements of float64 for float32"),
                ("refuses_all", "rejected (ValueError: not today)"),
                ("raises_another", "KeyError: 'no such key'"),
                ("exits", "the child ended with exit(0) instead of answering"),
                ("aborts", "the child died of SIGABRT"),
                ("hangs", "no answer within 2 s")):
            done = asked(f"functions:{function}", *ONE, "--deadline", "2")
            self.assertEqual(done.returncode, 1, f"{function}: {done.stdout}")
            self.assertIn(words, done.stdout, function)

    def test_what_cannot_be_started_is_told_in_one_sentence(self):
        (WORK / "broken.py").write_text("import no_such_thing\n")
        for target, words in (
                ("nowhere:reshape", "there is no module 'nowhere', neither here nor on Python's path"),
                ("nowhere.py:reshape", "there is no file nowhere.py"),
                ("functions:nothing", "functions has no 'nothing'"),
                ("functions", "'functions' is not module:function, and not file.py:function"),
                ("functions:undecorated",
                 "functions:undecorated is not decorated with @reshape_conformance.implementation(...)"),
                ("broken:reshape",
                 "broken cannot be imported: ModuleNotFoundError: No module named 'no_such_thing'"),
                ("", "it names no function: python:module:function")):
            done = asked(target)
            self.assertEqual((done.returncode, done.stdout.strip()),
                             (3, f"reshape-conformance run: python:{target}: {words}"))

    def test_a_python_without_the_module(self):
        done = ran("env", f"RESHAPE_PYTHON={PREPARED}/venv/bin/python", PROGRAM, "run", "-i", "python:a:b")
        self.assertEqual(done.returncode, 3)
        self.assertIn("has no module reshape_conformance: install this project's wheel there", done.stdout)


class Pytest(unittest.TestCase):
    OF = ["--reshape-conformance-of", "functions:reshape"]
    NARROW = ["--reshape-conformance-args", "-f 'numpy-reshape/infer-*' -f 'numpy-reshape/alike-divided-*'"]

    def test_each_case_is_a_test(self):
        done = tested(*self.OF, "-rA", "--reshape-conformance-args", "--tier quick", "-k", "alike-digits-1 or law or [run]")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("PASSED reshape-conformance::functions:reshape[numpy-reshape/", done.stdout)
        self.assertIn("PASSED reshape-conformance::functions:reshape[run]", done.stdout)
        self.assertRegex(done.stdout, r"SKIPPED .*this way of reaching it cannot")
        self.assertRegex(done.stdout, r"[0-9]{3,} deselected")

    def test_a_failure_says_what_was_asked(self):
        done = tested("--reshape-conformance-of", "functions:reversed_elements", *self.NARROW, "-rf")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("FAILED reshape-conformance::functions:reversed_elements[numpy-reshape/", done.stdout)
        for words in ("asked     numpy-reshape ", "expected  produces", "replay    reshape-conformance replay '"):
            self.assertIn(words, done.stdout)

    def test_known_failures_are_strict(self):
        written = asked("functions:reversed_elements", "-f", "numpy-reshape/infer-*", "--no-diagnosis", "--baseline",
                        "known.yaml", "--mend-baseline")
        self.assertEqual(written.returncode, 0, written.stdout)
        narrow = ["--reshape-conformance-baseline", "known.yaml", "--reshape-conformance-args",
                  "-f 'numpy-reshape/infer-*'"]
        done = tested("--reshape-conformance-of", "functions:reversed_elements", *narrow)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"[1-9][0-9]* xfailed")
        done = tested(*self.OF, *narrow)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("[XPASS(strict)]", done.stdout)

    def test_a_broken_law_is_a_failure_until_a_baseline_knows_it(self):
        function = "functions:reversed_after_a_refusal"
        of = ["--reshape-conformance-of", function, "--reshape-conformance-args=--laws"]
        done = tested(*of, "-rf")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(f"FAILED reshape-conformance::{function}[law/", done.stdout)
        written = asked(function, "--laws", "--baseline", "laws.yaml", "--mend-baseline")
        self.assertEqual(written.returncode, 0, written.stdout)
        done = tested(*of, "--reshape-conformance-baseline", "laws.yaml")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"[1-9][0-9]* xfailed")

    def test_what_no_case_tells_is_a_failure_of_the_run(self):
        # No function of Python is a file of which the program would see that it changed, or is asked within a
        # bound: a program that tells so takes the place of the real one.
        (WORK / "other_program.py").write_text(
            "import os\nfrom reshape_conformance import program\n"
            "os.environ['REAL_PROGRAM'] = program.path()\n"
            "program.path = lambda: str(os.path.join(os.path.dirname(__file__), 'other-program'))\n")
        other = WORK / "other-program"
        for code, changes, words in (
                (4, "run['implementation']['library_changed'] = True", "the library changed while it was asked"),
                (4, "run['cut_short'] = 'not asked within 1 s'", "not everything was asked: not asked within 1 s"),
                (1, "run['exhaustive'] = {'faults': 1}", "why it is red"),
                (1, "run['cases'][0].update(verdict='mistrusted', reason='', known='unexpected pass')",
                 "why it is red")):
            other.write_text(
                f"#!{VENV}/bin/python\nimport json, os, pathlib, subprocess, sys\n"
                "subprocess.run([os.environ['REAL_PROGRAM'], *sys.argv[1:]], check=True)\n"
                "report = pathlib.Path(sys.argv[sys.argv.index('--json') + 1])\n"
                "told = json.loads(report.read_text())\nrun = told['runs'][0]\n"
                f"run['conclusion'] = 'why it is red'\n{changes}\n"
                f"report.write_text(json.dumps(told))\nsys.exit({code})\n")
            other.chmod(0o755)
            done = tested("-p", "other_program", *self.OF, "--reshape-conformance-args", "-f numpy-reshape/infer-first",
                          "-rf")
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("FAILED reshape-conformance::functions:reshape[run]", done.stdout)
            self.assertIn("why it is red", done.stdout)
            self.assertIn(words, done.stdout)
            self.assertIn("1 failed", done.stdout)

    def test_the_configuration_file_names_the_function(self):
        folder = WORK / "configured"
        folder.mkdir()
        shutil.copy(TESTING / "functions.py", folder)
        (folder / "pytest.ini").write_text("[pytest]\nreshape_conformance_of = functions:reshape\n"
                                           "reshape_conformance_args = -f numpy-reshape/infer-first\n")
        done = tested("--rootdir", folder, "-c", folder / "pytest.ini")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("2 passed", done.stdout)

    def test_what_cannot_be_asked_is_a_usage_error(self):
        done = tested()
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertIn("--reshape-conformance needs to know of what", done.stdout)
        done = tested("--reshape-conformance-of", "nowhere:reshape")
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertIn("there is no module 'nowhere'", done.stdout)

    def test_without_the_flag_nothing_is_asked(self):
        done = ran(VENV / "bin/python", "-m", "pytest", "-p", "no:cacheprovider", "-q", *self.OF)
        self.assertEqual(done.returncode, 5, done.stdout)  # no tests


if __name__ == "__main__":
    if not (PREPARED / "ready").exists() or not (PREPARED / "venv/bin/auditwheel").exists():
        print("skipped: scikit-build-core, auditwheel, NumPy and pytest are not there; ./dev test fetches them with pip")
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], *sys.argv[5:]], verbosity=2)
