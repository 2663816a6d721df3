"""Bugs planted in a library, one of each kind: each is found, minimised, written down as a case, and
that case fails in a run of the library and passes where nothing is planted.

As a test, without a fuzzing engine, the inputs are those of a corpus:
  planted.py --bin DIR --library libmutants.so --specs DIR INPUTS...
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# By what goes wrong. Each is a sentence in conformance/self/mutants/.
KINDS = {
    "shape": "minus-one-rounds-down",
    "bytes": "minus-zero-normalised",
    "memory": "writes-past-the-end",
    "crash": "crashes",
    "hang": "hangs",
}
RIGHT = "right"


class Wrong(Exception):
    pass


def environment(mutant, library):
    return {**os.environ, "RESHAPE_MUTANT": mutant, "RESHAPE_IMPLEMENTATION": str(library)}


def run(command, mutant, library, expect):
    try:
        done = subprocess.run([str(word) for word in command], env=environment(mutant, library),
                              capture_output=True, text=True, errors="replace", timeout=120,
                              check=False)
    except subprocess.TimeoutExpired as late:
        raise Wrong(f"{' '.join(map(str, command))}: still runs") from late
    if done.returncode != expect:
        raise Wrong(f"{' '.join(map(str, command))}: ended with {done.returncode}, not {expect}\n"
                    f"{done.stdout[-1500:]}{done.stderr[-1500:]}")
    return done


def found_by_replay(programs, library, mutant, inputs):
    """The input at which a replay stops."""
    done = run([programs / "replay_plugin", "--hang", "3", *inputs], mutant, library, 1)
    match = re.search(r"^  input +(.+)$", done.stderr, re.M)
    if not match:
        raise Wrong(f"{mutant}: the replay does not say which input\n{done.stderr[-800:]}")
    return Path(match.group(1))


def kept_as_case(programs, library, mutant, specs, work, found):
    """From an input that goes wrong to a case that fails."""
    smallest = work / "smallest"
    judged = run([programs / "reshape-fuzz", "judge", found, "-i", library, "--minimise", smallest,
                  "--deadline", "1", "--most", "40"], mutant, library, 1)
    token = re.findall(r"^DEDUP_TOKEN: (.+)$", judged.stdout, re.M)[-1]
    written = run([programs / "reshape-fuzz", "finding", smallest, "--target", "plugin", "--token",
                   token, "-i", library, "--into", work / "findings"], mutant, library, 0)
    folder = Path(written.stdout.strip())
    replay_fails(programs, mutant, folder)
    case_fails(programs, library, mutant, specs, work, folder)
    return token, folder.name


def replay_fails(programs, mutant, folder):
    """Each line that the finding gives for a shell, in its folder, shows what is wrong again."""
    paths = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "RESHAPE_MUTANT": mutant}
    paths.pop("RESHAPE_IMPLEMENTATION", None)
    for line in (folder / "replay.txt").read_text().splitlines():
        done = subprocess.run(line, shell=True, cwd=folder, env=paths, capture_output=True, text=True,
                              errors="replace", timeout=120, check=False)
        if done.returncode != 1:
            raise Wrong(f"{line}: ended with {done.returncode}\n{done.stdout[-800:]}{done.stderr[-800:]}")


def case_fails(programs, library, mutant, specs, work, folder):
    """The finding's case, promoted beside the documents, fails, and only where a bug is planted. The
    suite's own cases stay away: most that is small enough to be a finding is asked by one of them."""
    copy = work / "specs"
    for file in [specs / "suite.yaml", specs / "clauses.yaml", *specs.glob("dialects/*.yaml")]:
        to = copy / file.relative_to(specs)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, to)
    run([programs / "reshape-conformance", "promote", folder, "--specs", copy], mutant, library, 0)
    again = [programs / "reshape-conformance", "run", "-q", "-i", library, "--specs", copy,
             "--filter", f"*/{folder.name}", "--deadline", "2"]
    run(again, mutant, library, 1)
    run(again, RIGHT, library, 0)


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--specs", type=Path, required=True)
    parser.add_argument("inputs", nargs="+", type=Path)
    asked = parser.parse_args(arguments)
    wrong = 0
    for kind, mutant in KINDS.items():
        with tempfile.TemporaryDirectory() as folder:
            # A shell would split its path.
            library = Path(folder) / "the library" / asked.library.name
            library.parent.mkdir()
            shutil.copyfile(asked.library, library)
            try:
                found = found_by_replay(asked.bin, library, mutant, asked.inputs)
                token, name = kept_as_case(asked.bin, library, mutant, asked.specs, Path(folder),
                                           found)
                print(f"{kind:7} {mutant:24} {token}  specs/regressions/{name}")
            except Wrong as what:
                wrong += 1
                print(f"{kind:7} {mutant:24} NOT FOUND OR NOT KEPT\n{what}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
