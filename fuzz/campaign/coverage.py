"""What the corpora reach of the documents and of the code, and how fast fuzzers run."""
import re
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import explore
import trees
from trees import say

# The sources whose every branch an input should reach, by the targets that reach them.
RULES = ["reference/resolve.cpp", "reference/reshape.cpp", "reference/volume.cpp",
         "optimized/resolve.h", "optimized/resolve.cpp", "optimized/volume.cpp",
         "optimized/clause.cpp"]
PLANS = ["optimized/plan.cpp", "optimized/axes.cpp", "optimized/loop_nest.cpp",
         "optimized/seam_walk.cpp"]
TARGETS = ["resolve", "plan"]


def tell():
    """Prints the clauses, then the lines and branches, that no input of the corpora reaches."""
    trees.build("fuzz-coverage", [f"replay_{target}" for target in TARGETS],
                [f"-DRESHAPE_EMBED_SPECS={trees.program('release', 'embed_specs')}"])
    inputs = [folder(target) for target in trees.REQUESTS
              for folder in (trees.corpus, trees.seeds)]
    say("\nClauses that no input reaches:")
    said = trees.reshape_fuzz("clauses", *inputs)
    say(said.stdout.rstrip())
    with tempfile.TemporaryDirectory() as folder:
        profiles = []
        for target in TARGETS:
            profile = Path(folder) / f"{target}.profraw"
            subprocess.run([trees.program("fuzz-coverage", f"replay_{target}"), "--quiet",
                            trees.corpus(target), trees.seeds(target)], check=True,
                           env=trees.environment(LLVM_PROFILE_FILE=profile))
            profiles.append(profile)
        merged = Path(folder) / "merged.profdata"
        subprocess.run(["llvm-profdata-19", "merge", "-o", merged, *profiles], check=True)
        binaries = [trees.program("fuzz-coverage", f"replay_{target}") for target in TARGETS]
        objects = [str(binaries[0])] + [f"-object={binary}" for binary in binaries[1:]]
        say("\nCode, by the corpora of " + ", ".join(TARGETS) + ":")
        for file in RULES + PLANS:
            _tell_file(file, objects, merged)
    return said.returncode


def _tell_file(file, objects, merged):
    # A header is counted under the name of the room through which it was included.
    rooms = (trees.tree("fuzz-coverage") / "rooms").glob(f"*/{file}")
    shown = subprocess.run(
        ["llvm-cov-19", "show", "--show-branches=count", "--show-expansions=false",
         "--show-instantiations=false", f"--instr-profile={merged}", *objects,
         str(trees.ROOT / file), *map(str, rooms)],
        capture_output=True, text=True, check=True).stdout
    if not shown.strip():
        raise trees.Stop(1, f"nothing is counted of {file}: has it moved?")
    lines = branches = lines_missed = 0
    missed = []
    never = set(_never(file))
    number, source = 0, ""
    for line in shown.splitlines():
        match = re.match(r"\s*(\d+)\|\s*([\d.]+[kMG]?)?\|(.*)", line)
        if match:
            number, count, source = int(match.group(1)), match.group(2), match.group(3)
            if count is not None:
                lines += 1
                if count == "0" and number not in never:
                    lines_missed += 1
                    missed.append(f"    {file}:{number}: not reached: {source.strip()}")
            continue
        match = re.match(r"\s*\|?\s*Branch \((\d+):(\d+)\): \[True: ([^,]+), False: ([^\]]+)\]", line)
        if match:
            branches += 2
            for way, count in (("true", match.group(3)), ("false", match.group(4))):
                if count.strip() == "0" and int(match.group(1)) not in never:
                    missed.append(f"    {file}:{match.group(1)}:{match.group(2)}: never {way}: "
                                  f"{source.strip()}")
    branches_missed = sum(": never " in text for text in missed)
    say(f"  {file:32} lines {_percent(lines, lines_missed)}  branches "
        f"{_percent(branches, branches_missed)}")
    for text in missed:
        say(text)


def _never(file):
    """Lines that cannot be reached by design, with the reason in the file of exceptions."""
    exceptions = trees.ROOT / "fuzz" / "campaign" / "unreached.txt"
    if not exceptions.exists():
        return
    source = (trees.ROOT / file).read_text(encoding="utf-8").splitlines()
    for line in exceptions.read_text(encoding="utf-8").splitlines():
        if not line.startswith(file + ": "):
            continue
        wanted = line[len(file) + 2:].split("  # ")[0].strip()
        found = [number for number, text in enumerate(source, 1) if wanted in text]
        if not found:
            raise trees.Stop(1, f"{trees.shown(exceptions)} names a line that is gone: {line}")
        yield from found


def _percent(all_of_them, missed):
    if all_of_them == 0:
        return "  none"
    return f"{100.0 * (all_of_them - missed) / all_of_them:6.2f} %"


def measured_rate(target, tree, processes, seconds=20):
    """Executions a second of so many fuzzers together, reading their corpus included; and the
    same for each second of processor time, which a busy machine does not spoil."""
    binary = trees.program(tree, f"fuzz_{target}")
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        running = []
        for number in range(processes):
            work = Path(folder) / str(number)
            work.mkdir()
            # Without the upkeep of a corpus, so that it is the target that is measured. What it says
            # goes into a file: a pipe that nobody reads would fill up, and its fuzzer would wait.
            said = open(Path(folder) / f"{number}.log", "w+", encoding="utf-8", errors="replace")
            running.append((said, subprocess.Popen(
                [binary, work, trees.corpus(target), trees.seeds(target),
                 *explore.options_for(target, seconds, folder, 20), "-reload=0", "-reduce_inputs=0"],
                stdout=subprocess.DEVNULL, stderr=said,
                env=trees.environment(ASAN_OPTIONS=explore.ASAN))))
        start = time.monotonic()
        executions = 0
        for said, process in running:
            process.wait()
            said.seek(0)
            found = re.search(r"number_of_executed_units:\s+(\d+)", said.read())
            executions += int(found.group(1)) if found else 0
            said.close()
        passed = time.monotonic() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return executions / passed, executions / max(used, 0.001)
