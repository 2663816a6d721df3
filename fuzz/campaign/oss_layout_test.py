"""Runs the build script of OSS-Fuzz in an empty environment, moves what it made to another place, and
checks there what OSS-Fuzz checks of a build: every fuzzer starts, is instrumented, finds inputs
interesting and its seeds harmless, brings its files, and needs no folder of the machine that built it.

  oss_layout_test.py SOURCE WORK [--embed-specs PROGRAM] [--targets ...]
Exit codes: 0, 1 with what is wrong, 77 where the compiler is not there.
"""
import argparse
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

# The smallest set that has one of each sort: a request target and a parser of text.
TARGETS = ["resolve", "line"]
# OSS-Fuzz's own flags for its address sanitizer builds.
FLAGS = ("-O1 -fno-omit-frame-pointer -gline-tables-only -fsanitize=address "
         "-fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link")
SOURCES = ["CMakeLists.txt", ".clusterfuzzlite", "conformance", "fuzz", "optimized", "reference",
           "specs"]
FEWEST_EDGES = 100
FEWEST_SANITIZER_CALLS = 1000
MOST_OTHER_CALLS = 20


def compiler():
    for version in ("-19", "-18", "-17", "-16", ""):
        if shutil.which(f"clang++{version}"):
            return f"clang{version}", f"clang++{version}"
    return None


def build(source, work, clang, specs, targets):
    """The script under the environment that the base image gives, and no other."""
    src, out, scratch = work / "src", work / "out", work / "work"
    left = work.with_name(f"{work.name}-away")  # by a run that was ended
    if left.exists() and not work.exists():
        left.rename(work)
    for folder in (src, out, scratch):
        folder.mkdir(parents=True, exist_ok=True)
    copy = src / "reshape-conformance"
    copy.mkdir(exist_ok=True)
    # As the base image does: a copy of the sources and nothing else, elsewhere. Times are kept, so that
    # what was built before and has not changed is not built again.
    for name in SOURCES:
        at = source / name
        if at.is_dir():
            shutil.copytree(at, copy / name, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(at, copy / name)
    shutil.rmtree(out)
    out.mkdir()
    environment = {
        "PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/tmp"),
        "CC": clang[0], "CXX": clang[1], "CFLAGS": FLAGS, "CXXFLAGS": f"{FLAGS} -stdlib=libc++",
        "LIB_FUZZING_ENGINE": "-fsanitize=fuzzer", "SANITIZER": "address", "FUZZING_ENGINE": "libfuzzer",
        "SRC": str(src), "OUT": str(out), "WORK": str(scratch),
        "RESHAPE_FUZZ_TARGETS": " ".join(targets),
    }
    if specs:
        environment["RESHAPE_EMBED_SPECS"] = str(specs)
        environment["RESHAPE_FUZZ_SEEDS"] = str(specs.parents[1] / "fuzz" / "seeds")
    done = subprocess.run(["env", "-i", *(f"{name}={value}" for name, value in environment.items()),
                           "bash", "-eu", str(copy / ".clusterfuzzlite" / "build.sh")],
                          cwd="/", capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise SystemExit(f"build.sh ended with {done.returncode}\n{done.stdout[-2500:]}"
                         f"{done.stderr[-2500:]}")
    return out


@contextlib.contextmanager
def away(work):
    """Sources and build are somewhere else meanwhile, as they are where the fuzzers run."""
    hidden = work.with_name(f"{work.name}-away")
    work.rename(hidden)
    try:
        yield
    finally:
        hidden.rename(work)


class Checks:
    def __init__(self, out, work):
        self.out = out
        self.work = work
        self.sources = {str(path) for ending in ("*.cpp", "*.h") for path in work.rglob(ending)}
        self.wrong = []

    def expect(self, holds, sentence):
        if not holds:
            self.wrong.append(sentence)

    def run(self, fuzzer, *arguments):
        # As the runner does: nothing of this environment, no folder that can be written but /tmp.
        return subprocess.run(["env", "-i", "PATH=/usr/bin:/bin", "ASAN_OPTIONS=detect_leaks=0",
                               str(fuzzer), *map(str, arguments)], cwd="/", capture_output=True,
                              text=True, errors="replace", timeout=300, check=False)

    def fuzzer(self, name):
        program = self.out / name
        self.expect(b"LLVMFuzzerTestOneInput" in program.read_bytes(), f"{name}: no entry in it")
        self.files(name)
        started = self.run(program, "-seed=1337", "-runs=4")
        said = started.stdout + started.stderr
        self.expect(started.returncode == 0, f"{name}: does not start: {said[-600:]}")
        self.expect("no interesting inputs were found" not in said, f"{name}: not instrumented")
        loaded = re.search(r"\((\d+) inline 8-bit counters\)", said)
        self.expect(loaded and int(loaded.group(1)) >= FEWEST_EDGES,
                    f"{name}: fewer than {FEWEST_EDGES} edges")
        self.sanitized(name, program)
        self.seeds(name, program)
        self.portable(name, program)

    def files(self, name):
        for ending in ("_seed_corpus.zip", ".options"):
            self.expect((self.out / f"{name}{ending}").exists(), f"{name}: no {name}{ending}")
        options = (self.out / f"{name}.options").read_text(encoding="utf-8")
        for dictionary in re.findall(r"^dict = (.+)$", options, re.M):
            self.expect((self.out / dictionary).exists(), f"{name}: no {dictionary}")

    def sanitized(self, name, program):
        code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", program],
                              capture_output=True, text=True, check=True).stdout
        calls = len(re.findall(r"call.*<__asan_(?:report_)?(?:load|store)", code))
        self.expect(calls >= FEWEST_SANITIZER_CALLS, f"{name}: {calls} calls of its sanitizer")
        # The engine itself has a few, for other builds.
        others = len(re.findall(r"call.*<__(?:msan|dfsan|tsan)_", code))
        self.expect(others <= MOST_OTHER_CALLS, f"{name}: sanitizers are mixed, {others} calls")

    def seeds(self, name, program):
        with tempfile.TemporaryDirectory() as folder:
            with zipfile.ZipFile(self.out / f"{name}_seed_corpus.zip") as seeds:
                self.expect(len(seeds.namelist()) >= 2, f"{name}: hardly any seeds")
                seeds.extractall(folder)
            done = self.run(program, "-runs=0", f"-dict={self.out / name}.dict"
                            if (self.out / f"{name}.dict").exists() else "-verbosity=1", folder)
            self.expect(done.returncode == 0,
                        f"{name}: a seed is a finding: {(done.stdout + done.stderr)[-600:]}")

    def portable(self, name, program):
        linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        self.expect("not found" not in linked, f"{name}: a library is missing\n{linked}")
        dynamic = subprocess.run(["readelf", "-d", program], capture_output=True, text=True,
                                 check=True).stdout
        for path in re.findall(r"(?:RPATH|RUNPATH).*\[(.*)\]", dynamic):
            self.expect(all(part.startswith("$ORIGIN") for part in path.split(":")),
                        f"{name}: looks for libraries in {path}")
        # The address sanitizer names the source of each global in its reports, by the path that the
        # compiler was given. Any other path of the build is one that something may be looked for at.
        held = subprocess.run(["strings", "-d", program], capture_output=True, text=True,
                              check=True).stdout.splitlines()
        for line in held:
            self.expect(str(self.work) not in line or line in self.sources,
                        f"{name}: knows the build that it comes from: {line}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--embed-specs", type=Path)
    parser.add_argument("--targets", nargs="+", default=TARGETS)
    asked = parser.parse_args()
    script = (asked.source / ".clusterfuzzlite" / "build.sh").read_text(encoding="utf-8")
    clang = compiler()
    if clang is None:
        print("Skipped: there is no clang here (Debian: clang-19 libclang-rt-19-dev).")
        return 77
    built = build(asked.source, asked.work, clang, asked.embed_specs, asked.targets)
    with tempfile.TemporaryDirectory(prefix="not-out-") as elsewhere:
        moved = Path(elsewhere) / "moved"
        shutil.move(built, moved)
        checks = Checks(moved, asked.work)
        checks.expect("march=native" not in script, "build.sh tunes for the machine that builds")
        with away(asked.work):
            for target in asked.targets:
                checks.fuzzer(f"fuzz_{target}")
    for sentence in checks.wrong:
        print(sentence)
    if not checks.wrong:
        print(f"{len(asked.targets)} fuzzers as OSS-Fuzz wants them")
    return 1 if checks.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
