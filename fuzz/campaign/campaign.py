"""./dev fuzz: campaigns. The fast build explores, the sanitizers' build judges, findings become cases."""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time

import coverage
import explore
import trees
from findings import Findings
from trees import Stop, say


SLICE = 30  # seconds of jobs of their own, after which their findings are judged
MOST_AT_ONCE = 12  # deaths in a row
MOST_SAMPLED = 30  # inputs
MOST_JUDGED = 60  # of what one run leaves behind; the next run finds the others again


def seconds_of(text):
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is no time: 90s, 10m, 1h")
    return float(match.group(1)) * {"": 1, "s": 1, "m": 60, "h": 3600}[match.group(2)]


def whole_seconds(text):
    if not re.fullmatch(r"[1-9]\d{0,4}", text):
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number of seconds from 1 to 99999")
    return int(text)


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="./dev fuzz", description="Fuzzes our implementations and parsers, or a library.",
        epilog="Targets: " + " ".join(trees.TARGETS) + ". Corpora, logs and findings lie in "
        "build/fuzz/; a further campaign goes on from there. Ctrl-C ends one cleanly.")
    parser.add_argument("targets", nargs="*", metavar="target",
                        help="what to fuzz; all of them by default, with -i the plugin target")
    parser.add_argument("--time", type=seconds_of, default=60, metavar="10m",
                        help="for each target (default 1m)")
    parser.add_argument("-i", "--implementation", metavar="LIB",
                        help="a shared library behind the C contract, for the plugin target")
    parser.add_argument("--hang", type=whole_seconds, default=None, metavar="SECONDS",
                        help="an input that takes longer is a finding (default 20, plugins 4)")
    parser.add_argument("--stop-at-first", action="store_true",
                        help="end a target at its first new finding")
    parser.add_argument("--coverage", action="store_true",
                        help="say which clauses and which lines the corpora do not reach")
    parser.add_argument("--throughput", action="store_true",
                        help="measure executions a second of resolve and execute on all cores")
    parser.add_argument("--keep", action="store_true",
                        help="write the minimised corpora to fuzz/corpus/ to be committed")
    chosen = parser.parse_args(arguments)
    for target in chosen.targets:
        if target not in trees.TARGETS:
            parser.error(f"there is no target '{target}'; there are: {' '.join(trees.TARGETS)}")
    if chosen.implementation:
        chosen.implementation = os.path.abspath(chosen.implementation)
        if not os.path.exists(chosen.implementation):
            parser.error(f"there is no {chosen.implementation}")
        if chosen.targets not in ([], ["plugin"]):
            parser.error("--implementation is for the target plugin")
        chosen.targets = ["plugin"]
    chosen.targets = chosen.targets or trees.TARGETS
    return chosen


class Campaign:
    """One target: explored, judged, its corpus merged."""

    def __init__(self, target, chosen):
        self.target = target
        self.chosen = chosen
        self.library = chosen.implementation
        if target == "plugin" and not self.library:
            self.library = str(trees.tree("release") / "lib" / "liboptimized.so")
        self.hang = chosen.hang or (4 if target == "plugin" else 20)
        self.findings = Findings(self.library if target == "plugin" else None, self.hang)
        self.fast = explore.Explored()
        self.judging = explore.Explored()
        self.clauses_before = self.clauses()
        self.merged = None
        self.interrupted = False
        self.given_up = ""

    def clauses(self):
        """How many clauses the corpus does not reach, for targets that ask documents."""
        if self.target not in trees.REQUESTS:
            return None
        said = trees.reshape_fuzz("clauses", trees.corpus(self.target),
                                  trees.seeds(self.target)).stdout
        match = re.search(r"(\d+) not reached$", said.strip())
        return int(match.group(1)) if match else None

    def run(self):
        judge_share = 0 if self.target == "plugin" else 0.25
        self._spend("fuzz-fast", self.chosen.time * (1 - judge_share), self.fast)
        if judge_share and not self._over():
            self._spend("fuzz-sanitized", self.chosen.time * judge_share, self.judging)
            if not self._over():
                self._replay_corpus()
        # Merging runs every input, and where one of them crashes or hangs, starts anew each time.
        if not self.interrupted and self.fast.executions and not self.findings.new:
            self.merged = explore.merge(trees.program("fuzz-fast", f"fuzz_{self.target}"),
                                        self.target, self.library)
        return self

    def _over(self):
        return self.interrupted or (self.chosen.stop_at_first and self.findings.new)

    def _spend(self, tree, seconds, total):
        """Runs the fuzzer again after every finding, until the time is over. One that dies again and
        again before it gets anywhere is run in jobs of their own, which may."""
        end = time.monotonic() + seconds
        at_once, apart = 0, False
        while (left := end - time.monotonic()) > 0 and not self._over():
            asked = min(left, SLICE) if apart else left
            corpora = [trees.corpus(self.target), trees.seeds(self.target)]
            if apart:
                corpora = self._sampled(corpora)
            ran = explore.run(trees.program(tree, f"fuzz_{self.target}"), self.target, asked,
                              corpora=corpora,
                              hang=self.hang, implementation=self.library,
                              known=self.findings.known_file, apart=apart,
                              label=f"{self.target} ({'explores' if total is self.fast else 'judges'})")
            total.executions += ran.executions
            total.seconds += ran.seconds
            total.known += ran.known
            total.corpus, total.edges = ran.corpus or total.corpus, ran.edges or total.edges
            self.interrupted = ran.interrupted
            if ran.failed:
                raise Stop(3, ran.failed)
            self._take(ran.artifacts, total, end)
            died_early = ran.seconds < asked - 2 and ran.executions < 2000
            at_once = at_once + 1 if died_early else 0
            if at_once < MOST_AT_ONCE:
                continue
            if apart:
                self.given_up = (f"the fuzzer ended {at_once} times within seconds of its start, in "
                                 f"{trees.shown(trees.HOME / 'logs')}")
                return
            say(f"  {self.target}: it dies {at_once} times in a row before it gets anywhere; from here "
                "each job is a process of its own")
            at_once, apart = 0, True

    def _sampled(self, corpora):
        """Some inputs to begin with: where most of them kill a job, asking them all has no end."""
        folder = trees.HOME / "sampled" / self.target
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "grown").mkdir(parents=True)
        (folder / "inputs").mkdir()
        files = sorted(file for corpus in corpora for file in corpus.iterdir() if file.is_file())
        for file in random.sample(files, min(len(files), MOST_SAMPLED)):
            shutil.copy(file, folder / "inputs")
        return [folder / "grown", folder / "inputs"]

    def _take(self, artifacts, total, end):
        """Judges what a run left behind: new ones are kept, known ones counted."""
        judged = 0
        for artifact in artifacts:
            over = judged >= MOST_JUDGED or (judged > 0 and time.monotonic() > end)
            if artifact.name.startswith("slow-unit") or over:
                artifact.unlink()
                continue
            judged += 1
            new = len(self.findings.new)
            self.findings.take(self.target, artifact)
            total.known += 1 if len(self.findings.new) == new and not artifact.exists() else 0

    def _replay_corpus(self):
        replay = trees.program("fuzz-sanitized", f"replay_{self.target}")
        done = subprocess.run([replay, "--quiet", trees.corpus(self.target)],
                              env=trees.environment(ASAN_OPTIONS="detect_leaks=0",
                                                    RESHAPE_IMPLEMENTATION=self.library),
                              capture_output=True, text=True, errors="replace", check=False)
        if done.returncode == 0:
            return
        match = re.search(r"^  input +(.+)$", done.stderr, re.M)
        if match:
            copy = trees.HOME / "artifacts" / self.target / "crash-judged"
            copy.write_bytes(open(match.group(1), "rb").read())
            self.findings.take(self.target, copy)

    def tell(self):
        after = self.clauses()
        clauses = "" if after is None else f", clauses not reached {self.clauses_before} -> {after}"
        merged = "" if not self.merged else f", corpus {self.merged[0]} -> {self.merged[1]} inputs"
        judged = "" if not self.judging.executions else (
            f", judged {self.judging.executions:,} at {self.judging.rate():,.0f}/s")
        again = self.fast.known + self.judging.known
        known = f", known ones {again:,} times" if again else ""
        spent = self.fast.seconds + self.judging.seconds
        early = f"; ended after {spent:.0f} of {self.chosen.time:.0f} s: {self.given_up}"
        say(f"{self.target:13} {self.fast.executions:12,} executions, {self.fast.rate():,.0f}/s"
            f"{judged}, {len(self.findings.new)} new findings{known}{clauses}{merged}"
            f"{early if self.given_up else f' in {spent:.0f} s'}")


def remember(campaigns):
    """Adds this campaign to what was done before."""
    file = trees.HOME / "campaigns.json"
    try:
        past = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    except ValueError as wrong:
        say(f"{trees.shown(file)} is begun anew: it was no JSON, {wrong}")
        past = {}
    for one in campaigns:
        name = one.target if not one.chosen.implementation else f"plugin {one.chosen.implementation}"
        entry = past.setdefault(name, {"executions": 0, "judged": 0, "seconds": 0.0, "findings": 0})
        entry["executions"] += one.fast.executions
        entry["judged"] += one.judging.executions
        entry["seconds"] += round(one.fast.seconds + one.judging.seconds, 1)
        entry["findings"] += len(one.findings.new)
    trees.replace(file, json.dumps(past, indent=2) + "\n")


def keep(targets):
    folder = trees.ROOT / "fuzz" / "corpus"
    folder.mkdir(exist_ok=True)
    for target in targets:
        if not any(trees.corpus(target).iterdir()):
            continue
        archive = folder / f"{target}.tar.xz"
        # The same inputs give the same bytes.
        subprocess.run(["tar", "--sort=name", "--mtime=@0", "--owner=0", "--group=0",
                        "--numeric-owner", "--mode=644", "-cJf", archive, "-C",
                        trees.corpus(target), "--exclude=./.*", "."], check=True)
        say(f"Kept {trees.shown(archive)}: {archive.stat().st_size:,} bytes")


def throughput():
    cores = len(os.sched_getaffinity(0))
    trees.build_fuzzers("fuzz-fast", ["resolve"], replays=False)
    trees.build_fuzzers("fuzz-sanitized", ["execute"], replays=False)
    for target, tree, wanted in (("resolve", "fuzz-fast", 500_000),
                                 ("execute", "fuzz-sanitized", 20_000)):
        rate, per_second = coverage.measured_rate(target, tree, cores)
        say(f"{target:8} {tree:15} {rate:10,.0f} executions/s on {cores} cores "
            f"({per_second:,.0f} for each second of processor time); wanted {wanted:,}")


def main(arguments):
    chosen = parse(arguments)
    with trees.alone():
        return campaigns(chosen)


def campaigns(chosen):
    trees.build_release()
    trees.make_seeds()
    if chosen.throughput:
        return throughput() or 0
    if chosen.coverage:
        return coverage.tell()
    trees.build_fuzzers("fuzz-fast", chosen.targets, replays=False)
    judged = [target for target in chosen.targets if target != "plugin"]
    if judged:
        trees.build_fuzzers("fuzz-sanitized", judged)
    done = []
    for target in chosen.targets:
        campaign = Campaign(target, chosen)
        done.append(campaign)
        campaign.run()
        if campaign.interrupted:
            say("\nInterrupted; the corpus stays, and the next campaign goes on from it.")
            break
    say()
    for campaign in done:
        campaign.tell()
    found = [finding for campaign in done for finding in campaign.findings.new]
    for token, folder in found:
        say(f"finding {token}")
        if (folder / "finding.yaml").exists():
            say(f"        reshape-conformance promote {trees.shown(folder)}")
    remember(done)
    if chosen.keep:
        keep([campaign.target for campaign in done])
    return 1 if found else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Stop as stop:
        sys.stderr.write(f"fuzz: {stop}\n")
        sys.exit(stop.code)
    except KeyboardInterrupt:
        sys.stderr.write("fuzz: interrupted\n")
        sys.exit(130)
