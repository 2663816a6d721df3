"""pytest --reshape-conformance: every case and law of a run as a test.

The program runs once, while tests are collected; a test tells what it found.
"""

import json
import pathlib
import shlex
import subprocess
import tempfile

import pytest

from . import program

_NAME = "reshape-conformance"
_WAYS = ("python:", "child:", "mutant:")
_TOLD = (0, 1, 4)  # exit codes of runs that wrote a report


class _Failed(Exception):
    """What the run found, in words for people."""


def pytest_addoption(parser):
    group = parser.getgroup(_NAME, "hold a Reshape to what the specification says")
    group.addoption("--reshape-conformance", action="store_true",
                    help="make a test of each case and law that reshape-conformance asks")
    group.addoption("--reshape-conformance-of", action="append", default=[], metavar="TARGET",
                    help="module:function or file.py:function, or what reshape-conformance run -i takes; "
                         "repeatable. Also as reshape_conformance_of in the configuration file")
    group.addoption("--reshape-conformance-baseline", metavar="FILE",
                    help="known failures, which become xfail(strict)")
    group.addoption("--reshape-conformance-args", metavar="OPTIONS",
                    help="further options of reshape-conformance run, such as '--tier quick'")
    parser.addini("reshape_conformance_of", "as --reshape-conformance-of", type="linelist", default=[])
    parser.addini("reshape_conformance_baseline", "as --reshape-conformance-baseline", default="")
    parser.addini("reshape_conformance_args", "as --reshape-conformance-args", default="")


def _option(config, name):
    """The command line's, else the configuration file's."""
    return config.getoption(name) or config.getini(name)


def pytest_configure(config):
    if config.getoption("reshape_conformance") and not _option(config, "reshape_conformance_of"):
        raise pytest.UsageError("--reshape-conformance needs to know of what: --reshape-conformance-of "
                                "module:function, or reshape_conformance_of in the configuration file")


def _library(target):
    """What run -i is given. A path to a shared library is left alone."""
    is_function = ":" in target and not target.startswith(_WAYS)
    return f"python:{target}" if is_function else target


def _folder(config, name):
    """Where what this option names is looked for: what the command line names, where pytest was called; what
    the configuration file names, in pytest's root."""
    return config.invocation_params.dir if config.getoption(name) else config.rootpath


def _baseline(config):
    name = "reshape_conformance_baseline"
    given = _option(config, name)
    return str(pathlib.Path(_folder(config, name), given)) if given else ""


def _run(config, target):
    """The report of one run, as a dictionary, with the program's exit code. Raises pytest.UsageError where there
    is none."""
    command = program.path()
    if command is None:
        raise pytest.UsageError("reshape-conformance is neither in this package nor on the path")
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        words = [command, "run", "--quiet", "--no-diagnosis", "-i", _library(target), "--json", report]
        if _baseline(config):
            words += ["--baseline", _baseline(config)]
        words += shlex.split(_option(config, "reshape_conformance_args") or "")
        done = subprocess.run(words, cwd=_folder(config, "reshape_conformance_of"), env=program.environment(),
                              check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode not in _TOLD or not report.is_file():
            lines = (done.stderr or done.stdout).strip().splitlines()
            raise pytest.UsageError(lines[-1] if lines else f"{command} ended with {done.returncode}")
        run = json.loads(report.read_text(encoding="utf-8"))["runs"][0]
        return {**run, "exit_code": done.returncode}


@pytest.hookimpl(tryfirst=True)  # before -k and -m deselect
def pytest_collection_modifyitems(session, config, items):
    if not config.getoption("reshape_conformance"):
        return
    for target in _option(config, "reshape_conformance_of"):
        run = _run(config, target)
        collector = _Target.from_parent(session, name=target, nodeid=f"{_NAME}::{target}")
        items.extend(collector.items_of(run))


class _Target(pytest.Collector):
    def collect(self):
        return []

    def items_of(self, run):
        for case in run["cases"]:
            yield _CaseItem.of(self, case["id"], case)
        for law in run.get("laws", []):
            yield _LawItem.of(self, f"law/{law['name']}", law)
        yield _RunItem.of(self, "run", run)


class _Item(pytest.Item):
    """`told` is the part of the report that this test is about."""

    @classmethod
    def of(cls, parent, name, told):
        item = cls.from_parent(parent, name=f"{parent.name}[{name}]", nodeid=f"{parent.nodeid}[{name}]")
        item.told = told
        item.prepare()
        return item

    def prepare(self):
        pass

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, _Failed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, None, self.name


def _words_of(case):
    lines = [f"asked     {case['request']}", f"expected  {case['expected']}"]
    lines += [f"answered  {case['answered']}"] if case["answered"] else []
    for fault in case.get("faults", []):
        about = ", ".join(word for word in (fault["clause"], fault["duty"]) if word)
        lines.append(f"wrong     {fault['plane']} plane, {about}: {fault['answered']}")
    lines += [f"because   {case['because']}"] if case.get("because") else []
    lines += [f"{word:9} {case[word]}" for word in ("replay", "explain") if case.get(word)]
    return "\n".join(lines)


def _fault_of(case):
    """What is wrong with the case, known or not. None where nothing is."""
    known = case.get("known")
    if known in ("differs from the known failure", "known failure, past its day"):
        return f"{known} {case.get('known_until', '')}".strip() + f"\n{_words_of(case)}"
    if known == "known failure, not executed":
        return f"{known}: {case.get('reason', '')}"
    return _words_of(case) if case["verdict"] == "fail" else None


def _is_red(case):
    """Whether the test of this case fails."""
    known = case.get("known")
    if known == "unexpected pass":
        return case["verdict"] == "pass"  # a pass that proves too little is skipped
    return known != "known failure" and _fault_of(case) is not None


class _CaseItem(_Item):
    def prepare(self):
        # A case that is known to fail and passes is a test that fails: the baseline has to stay true.
        if self.told.get("known") in ("known failure", "unexpected pass"):
            self.add_marker(pytest.mark.xfail(strict=True, raises=_Failed,
                                              reason=self.told.get("known_reason") or "known failure"))

    def runtest(self):
        case = self.told
        fault = _fault_of(case)
        if fault is not None:
            raise _Failed(fault)
        if case["verdict"] != "pass":
            pytest.skip(case["reason"])  # unsupported, or a pass that proves too little


class _LawItem(_Item):
    def prepare(self):
        if self.told["known"]:
            self.add_marker(pytest.mark.xfail(strict=True, raises=_Failed, reason=self.told["known"]))

    def runtest(self):
        law = self.told
        if law["red"] or law["known"]:
            raise _Failed("\n".join([f"law       {law['says']}", f"broken    {law['broken']}", *law["lines"]]))
        if law["undecided"]:
            pytest.skip("undecided: what it asks is answered wrongly alone")
        if law["not_asked"] and not law["tried"]:
            pytest.skip(law["not_asked"])


class _RunItem(_Item):
    """What is wrong with the run and is no case's fault. What no case tells must not pass."""

    def runtest(self):
        run = self.told
        faults = list(run["baseline_faults"])
        faults += [f"clause {one['clause']} of {one['dialect']} was not asked: {one['reason']}"
                   for one in run["unasked_clauses"] if one["red"]]
        faults += [f"once in each process: {one['saw']}" for one in run["at_first_use"] if not one["waived"]]
        if run["implementation"].get("library_changed"):
            faults.append("the library changed while it was asked")
        if run.get("cut_short"):
            faults.append(f"not everything was asked: {run['cut_short']}")
        asked = any(case["executed"] for case in run["cases"]) or any(law["tried"] for law in run.get("laws", []))
        if not asked and not faults:
            faults.append("nothing was asked")
        told = any(map(_is_red, run["cases"])) or any(law["red"] for law in run.get("laws", []))
        # The exit code decides, also where its cause is one that no test here is about.
        if faults or (run["exit_code"] != 0 and not told):
            raise _Failed("\n".join([run["conclusion"], *faults]))
