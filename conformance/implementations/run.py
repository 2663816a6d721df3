#!/usr/bin/env python3
"""Installs, builds and gates the adapters to real libraries: ./dev implementations [folder...]

Each folder beside this file is a library. What its files say: conformance/implementations/LAYOUT.md.
What cannot be had here (a device, a package, a wheel) is said in a sentence and leaves the others as they are.

Exit codes: 0 as the baselines and deviations say, 1 not so, 2 wrong usage, 3 something could not be asked: what
was named, or for another reason than that it cannot be had here, or everything.
"""
import argparse
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import campaign
import forks
import report_upstream
import scoreboard

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build" / "implementations"
REPORTS = BUILD / "report"
FORKS = BUILD / "forks"
PROGRAM = ROOT / "build" / "release" / "bin" / "reshape-conformance"

NEED_SECONDS = 60
INSTALL_SECONDS = 1800
BUILD_SECONDS = 1800
GATE_SECONDS = 3600
DEVIATION_SECONDS = 300

# A folder that has this file needs this program, which these packages of Debian bring where it is not there.
TOOLS = (("package.json", "npm", ["nodejs", "npm"]), ("Cargo.toml", "cargo", ["cargo-web"]))


class CouldNot(Exception):
    """A sentence that says what could not be done, and where."""


class NotHere(CouldNot):
    """What needs.txt, packages.txt or requirements.txt name cannot be had here, which is no fault."""


def call(command, seconds, log, environment=None):
    """Runs a command into a log and returns its exit code; None where it took too long."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "ab") as out:
        return campaign.call(command, seconds, out, environment, ROOT)


def asked_by(jobs, options):
    """The options of an implementation, with so many jobs at once where the caller says so."""
    options = list(options)
    if jobs:
        if "-j" in options:
            at = options.index("-j")
            del options[at:at + 2]
        options += ["-j", str(jobs)]
    return options


class Folder:
    def __init__(self, path, installed=False):
        self.path = path
        self.name = path.name
        self.home = BUILD / self.name
        self.venv = self.home / "venv"
        self.build = self.home / "build"
        self.log = self.home / "log.txt"
        self.installed = installed
        # What Debian packages bring is Debian's own Python's.
        wheels = (path / "requirements.txt").exists()
        self.python = self.venv / "bin" / "python" if wheels else pathlib.Path("/usr/bin/python3")
        if installed:
            self.python = pathlib.Path(shutil.which("python3") or sys.executable)

    def step(self, what, command, seconds, fails=CouldNot):
        """One step of the preparation; `fails` is raised unless it ends well in time."""
        self.home.mkdir(parents=True, exist_ok=True)
        try:
            code = call(command, seconds, self.log)
        except FileNotFoundError:
            raise fails(f"{self.name}: {what}: there is no program '{command[0]}'") from None
        if code is None:
            raise fails(f"{self.name}: {what} took more than {seconds} seconds; see {self.shown(self.log)}")
        if code != 0:
            raise fails(f"{self.name}: {what} failed; see the end of {self.shown(self.log)}")

    @staticmethod
    def shown(path):
        return path.relative_to(ROOT)

    def prepare(self):
        self.log.unlink(missing_ok=True)
        self.look_for_needs()
        if not self.installed:
            self.install_packages()
            self.install_wheels()
            self.install_modules()
        if (self.path / "CMakeLists.txt").exists():
            self.compile()
        if (self.path / "Cargo.toml").exists():
            self.compile_crate()

    def look_for_needs(self):
        """What nothing can install, such as a device: a command of needs.txt ends with 0 where it is there."""
        for line in scoreboard.lines_of(self.path / "needs.txt"):
            what, _, command = (part.strip() for part in line.partition("\t"))
            try:
                self.step(f"looking for {what}", command.split(), NEED_SECONDS)
            except CouldNot:
                raise NotHere(f"{self.name}: there is no {what} here, says '{command}'") from None

    def install_packages(self):
        """Debian packages; elsewhere their equivalents are trusted to be there."""
        wanted = scoreboard.lines_of(self.path / "packages.txt")
        for needs, program, brought_by in TOOLS:
            if (self.path / needs).exists() and shutil.which(program) is None:
                wanted += brought_by
        if not wanted or shutil.which("dpkg-query") is None:
            return
        asked = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Package}\\n", *wanted],
                               capture_output=True, text=True, check=False)
        there = {line.split()[-1] for line in asked.stdout.splitlines() if line.startswith("ii")}
        missing = [package for package in wanted if package not in there]
        if not missing:
            return
        by = [] if os.geteuid() == 0 else ["sudo", "-n"]
        if by and shutil.which("sudo") is None:
            raise NotHere(f"{self.name}: not root and no sudo here to install {' '.join(missing)}")
        print(f"Will install for {self.name} with apt-get: {' '.join(missing)}", flush=True)
        apt = [*by, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]
        self.step("apt-get update", [*apt, "update"], INSTALL_SECONDS, NotHere)
        self.step("apt-get install", [*apt, "install", "-y", "--no-install-recommends", *missing],
                  INSTALL_SECONDS, NotHere)

    def install_wheels(self):
        """Wheels into a virtual environment of this folder, made anew when the list changes."""
        wanted = self.path / "requirements.txt"
        if not wanted.exists():
            return
        installed = self.venv / "installed.txt"
        digest = hashlib.sha256(wanted.read_bytes()).hexdigest()
        if installed.exists() and installed.read_text() == digest:
            return
        print(f"Will install for {self.name} with pip: {' '.join(scoreboard.lines_of(wanted))}", flush=True)
        shutil.rmtree(self.venv, ignore_errors=True)
        self.step("making a virtual environment", [sys.executable, "-m", "venv", str(self.venv)], 300,
                  NotHere)
        self.step("pip install", [str(self.venv / "bin" / "python"), "-m", "pip", "install", "-q",
                                  "--disable-pip-version-check", "--timeout", "60", "-r", str(wanted)],
                  INSTALL_SECONDS, NotHere)
        installed.write_text(digest)

    def install_modules(self):
        """Modules of npm beside a copy of their lists; scripts that they bring for their installation do not run."""
        lists = [self.path / "package.json", self.path / "package-lock.json"]
        if not lists[0].exists():
            return
        digest = hashlib.sha256(b"".join(one.read_bytes() for one in lists)).hexdigest()
        installed = self.home / "modules.txt"
        if installed.exists() and installed.read_text() == digest:
            return
        print(f"Will install for {self.name} with npm what package.json lists", flush=True)
        self.home.mkdir(parents=True, exist_ok=True)
        for one in lists:
            shutil.copy(one, self.home)
        self.step("npm ci", ["npm", "--prefix", str(self.home), "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
                  INSTALL_SECONDS, NotHere)
        installed.write_text(digest)

    def compile(self):
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        self.step("configuring", ["cmake", "-G", "Ninja", "-S", str(self.path), "-B", str(self.build),
                                  "-DCMAKE_BUILD_TYPE=Release", f"-DIMPLEMENTATION_VENV={self.venv}",
                                  *launcher], 300)
        self.step("building", ["cmake", "--build", str(self.build)], BUILD_SECONDS)

    def compile_crate(self):
        """A plug-in in Rust, and its deviations as examples; crates come in the versions of Cargo.lock."""
        cargo = ["env", f"CARGO_HOME={self.home / 'cargo'}", "cargo"]
        of_this = ["--locked", "--manifest-path", str(self.path / "Cargo.toml")]
        self.step("cargo fetch", [*cargo, "fetch", "-q", *of_this], INSTALL_SECONDS, NotHere)
        self.step("building", [*cargo, "build", "-q", "--release", "--offline", "--lib", "--examples", *of_this,
                               "--target-dir", str(self.build)], BUILD_SECONDS)

    def words(self, text):
        for key, value in (("folder", self.path), ("build", self.build), ("venv", self.venv),
                           ("python", self.python), ("modules", self.home / "node_modules")):
            text = text.replace("{" + key + "}", str(value))
        return text

    def own_environment(self):
        """What environment.txt says."""
        pairs = (line.partition("=") for line in scoreboard.lines_of(self.path / "environment.txt"))
        return {name: self.words(value) for name, _, value in pairs}

    def environment(self):
        return {**os.environ, **self.own_environment(), "RESHAPE_CONFORMANCE": str(PROGRAM)}

    def implementations(self):
        """(name, what run -i gets, further options) of each line of implementations.txt."""
        for number, line in enumerate(scoreboard.lines_of(self.path / "implementations.txt"), 1):
            parts = [part.strip() for part in line.split("\t") if part.strip()]
            if not 2 <= len(parts) <= 3:
                raise CouldNot(f"{self.name}/implementations.txt, entry {number}: not NAME, LIBRARY and "
                               "options with tabs between them")
            yield parts[0], self.words(parts[1]), self.words(parts[2]).split() if len(parts) > 2 else []

    def baseline(self, name, may_lack=False):
        """Where this implementation's known failures stand."""
        file = self.path / f"baseline-{name}.txt"
        if not may_lack and not file.exists():
            raise CouldNot(f"{name}: there is no {self.shown(file)}; --mend-baseline writes it")
        return file

    def gate(self, name, library, options, mend, jobs):
        """Whether this implementation does what its baseline says."""
        report = REPORTS / f"{name}.json"
        text = REPORTS / f"{name}.txt"
        baseline = self.baseline(name, mend)
        REPORTS.mkdir(parents=True, exist_ok=True)
        for old in (report, text):
            old.unlink(missing_ok=True)
        command = [str(PROGRAM), "run", "-q", "-i", library, "--json", str(report), "--baseline",
                   str(baseline), "--no-diagnosis", "--waive", "process-start", *asked_by(jobs, options)]
        if mend:
            command.append("--mend-baseline=causes")
        begin = time.monotonic()
        code = call(command, GATE_SECONDS, text, self.environment())
        seconds = time.monotonic() - begin
        lines = text.read_text(errors="replace").strip().splitlines() if text.exists() else []
        said = lines[-1] if lines else "it printed nothing"
        if code is None:
            print(f"NOT AS KNOWN  {name}: no end after {GATE_SECONDS} seconds [{self.shown(text)}]", flush=True)
            return False
        if code not in (0, 1):
            raise CouldNot(f"{name}: could not be asked (exit code {code}): {said}")
        verdict = "as known" if code == 0 else "NOT AS KNOWN"
        print(f"{verdict:14}{name}: {said} [{seconds:.0f} s; {self.shown(text)}]", flush=True)
        return code == 0

    def campaign(self, name, library, options, minutes, jobs):
        """Asks requests of fresh seeds for so long; whether the baseline knows all that fails."""
        try:
            return campaign.run(str(PROGRAM), ROOT, name, library, asked_by(jobs, options), self.baseline(name),
                                minutes, self.environment(), self.own_environment(),
                                BUILD / "campaign" / f"{name}.txt")
        except campaign.CouldNot as why:
            raise CouldNot(f"{name}: {why}") from why

    def fork(self, name, library, suite, jobs):
        """Asks this implementation the requests of forks.txt, into a report."""
        report, text = FORKS / f"{name}.json", FORKS / f"{name}.txt"
        report.parent.mkdir(parents=True, exist_ok=True)
        for old in (report, text):
            old.unlink(missing_ok=True)
        command = [str(PROGRAM), "run", "-q", "-i", library, "--json", str(report), "--suite-only", "--no-diagnosis",
                   "--deadline", "60", "--waive", "*", *(f"--filter={one}" for one in suite.filters())]
        call(command + (["-j", str(jobs)] if jobs else []), GATE_SECONDS, text, self.environment())
        print(f"{'asked' if report.exists() else 'COULD NOT ASK':14}{name}", flush=True)

    def scripts(self):
        return scoreboard.scripts(self.path.parent, self.name)

    def show(self, script):
        """Runs a script of this folder: how it ended, and what it printed."""
        command = {".py": [str(self.python), str(script)],
                   ".js": ["node", str(script)],
                   ".cpp": [str(self.build / "deviations" / script.stem)],
                   ".rs": [str(self.build / "release" / "examples" / script.stem)]}[script.suffix]
        log = self.home / script.parent.name / f"{script.stem}.txt"
        log.unlink(missing_ok=True)
        code = call(command, DEVIATION_SECONDS, log, self.environment())
        return code, log.read_text(errors="replace").strip()

    def show_all(self, scripts, good, bad):
        """Runs scripts and prints what they said; whether all of them are good."""
        codes = []
        for script in scripts:
            code, said = self.show(script)
            verdict = {0: good, 1: bad, report_upstream.NOT_HERE: "not here",
                       None: "did not end"}.get(code, f"could not run ({code})")
            print(f"{verdict:14}{self.name}/{script.stem}: {said}".replace("\n", "; "), flush=True)
            codes.append(code)
        return all(code in (0, report_upstream.NOT_HERE) for code in codes)

    def converters(self):
        """Whether each converter writes what `reshape-conformance port` says."""
        return self.show_all(sorted((self.path / "converters").glob("*.py")), "as port says", "NOT AS SAID")

    def deviations(self):
        """Whether each stand-alone script shows what it is there to show."""
        return self.show_all(self.scripts(), "deviates", "GONE")


def report(folders, name):
    """The text of an issue about FOLDER/SCRIPT; the exit code of the script, and 3 where it does not end."""
    known = {f"{path.name}/{script.stem}": (Folder(path), script)
             for path in folders.values() for script in Folder(path).scripts()}
    if name not in known:
        print(f"run.py: there is no deviation '{name}', only {', '.join(known)}", file=sys.stderr)
        return 2
    folder, script = known[name]
    try:
        folder.prepare()
    except CouldNot as sentence:
        print(f"could not     {sentence}", file=sys.stderr)
        return 3
    return report_upstream.write(folder, script, *folder.show(script))


def write_forks(folders, installed, jobs):
    """FORKS.md: these folders are asked, and of the others the reports are taken that are there."""
    suite = forks.Suite(str(PROGRAM), forks.asked(HERE))
    for path in folders:
        folder = Folder(path, installed)
        try:
            folder.prepare()
            for name, library, _ in folder.implementations():
                folder.fork(name, library, suite, jobs)
        except CouldNot as sentence:
            print(f"could not     {sentence}", flush=True)
    return forks.write(HERE, suite, FORKS)


def minutes_of(text):
    """More than none, and no more than a day."""
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0.0
    if not 0 < minutes <= 24 * 60:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of minutes up to 1440")
    return minutes


def main():
    folders = {path.name: path for path in sorted(HERE.iterdir()) if (path / "implementations.txt").exists()}
    parser = argparse.ArgumentParser(prog="./dev implementations", description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="*", help="of: " + ", ".join(folders))
    parser.add_argument("--only", metavar="NAME", action="append", help="only this implementation (repeatable)")
    parser.add_argument("--jobs", "-j", metavar="N", type=int, help="cases asked at the same time, as run -j")
    parser.add_argument("--prepare", action="store_true", help="install and build, and ask nothing")
    parser.add_argument("--installed", action="store_true",
                        help="install nothing: ask the versions that this machine's python3 has")
    parser.add_argument("--mend-baseline", action="store_true", help="rewrite the baselines from this run")
    parser.add_argument("--deviations", action="store_true", help="run the stand-alone scripts and no gate")
    parser.add_argument("--campaign", metavar="MINUTES", type=minutes_of,
                        help="ask each so long what fresh seeds draw, and tell what its baseline does not know")
    parser.add_argument("--scoreboard", action="store_true",
                        help="write conformance/implementations/README.md from the reports in build/")
    parser.add_argument("--forks", action="store_true",
                        help="write FORKS.md: what every document and library answers to the requests of forks.txt")
    parser.add_argument("--report-upstream", metavar="FOLDER/SCRIPT",
                        help="print the text of an issue about this deviation, for the library's maintainers")
    asked = parser.parse_args()
    unknown = [name for name in asked.folder if name not in folders]
    if unknown:
        parser.error(f"there is no folder '{unknown[0]}', only {', '.join(folders)}")
    if asked.report_upstream:
        return report(folders, asked.report_upstream)
    if asked.scoreboard:
        return scoreboard.write(HERE, REPORTS)
    if asked.forks:
        return write_forks([folders[name] for name in asked.folder or folders], asked.installed, asked.jobs)

    chosen = asked.folder or list(folders)
    if asked.only:
        if asked.deviations:
            parser.error("--only names what is gated, and --deviations gates nothing")
        known = {name: folder for folder, name in scoreboard.listed(HERE) if folder in chosen}
        unknown = [name for name in asked.only if name not in known]
        if unknown:
            parser.error(f"there is no implementation '{unknown[0]}' in these folders, only {', '.join(known)}")
        chosen = [folder for folder in chosen if folder in {known[name] for name in asked.only}]

    as_known, done, could_not = True, 0, []
    for name in chosen:
        folder = Folder(folders[name], asked.installed)
        try:
            folder.prepare()
            if asked.prepare:
                done += 1
                print(f"ready         {name}", flush=True)
                continue
            lines = [] if asked.deviations else list(folder.implementations())
        except CouldNot as sentence:
            could_not.append(sentence)
            continue
        for line in lines:
            if asked.only and line[0] not in asked.only:
                continue
            try:
                if asked.campaign:
                    as_known &= folder.campaign(*line, asked.campaign, asked.jobs)
                else:
                    as_known &= folder.gate(*line, asked.mend_baseline, asked.jobs)
                done += 1
            except CouldNot as sentence:
                could_not.append(sentence)
        if not asked.only and not asked.campaign:
            as_known &= folder.converters()
            as_known &= folder.deviations()
            done += len(folder.scripts()) if asked.deviations else 0
    if not done and not could_not:
        could_not.append(CouldNot("nothing was asked: these folders list nothing"))
    for sentence in could_not:
        print(f"could not     {sentence}", flush=True)
    if not as_known:
        return 1
    named = asked.folder or asked.only
    excused = done and not named and all(isinstance(sentence, NotHere) for sentence in could_not)
    return 3 if could_not and not excused else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
