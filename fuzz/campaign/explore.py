"""One fuzzer at a time: started, watched, ended."""
import os
import re
import signal
import subprocess
import sys
import threading
import time

import trees

# "#1024 pulse cov: ...", and of jobs in processes of their own "#1024: cov: ...".
PROGRESS = re.compile(r"^#(\d+):?\s.*?cov: (\d+) ft: (\d+) corp: (\d+)\b.*?exec/s:? (\d+)")
KNOWN = re.compile(r"^KNOWN FINDINGS: (\d+)")
FINAL = re.compile(r"^stat::(\w+):\s+(\d+)")
# Where memory came from is told by the replay; while fuzzing it costs a stack trace an allocation.
ASAN = "allocator_may_return_null=1:detect_leaks=0:malloc_context_size=0"
MOST_LATE = 15  # seconds: what merges inputs does not look at the time
CRASH_CODES = {1, 70, 71, 72, 76, 77}


class Explored:
    """What one run of a fuzzer did."""

    def __init__(self):
        self.executions = 0
        self.seconds = 0.0
        self.corpus = 0
        self.edges = 0
        self.known = 0
        self.artifacts = []
        self.interrupted = False
        self.failed = ""

    def rate(self):
        return self.executions / self.seconds if self.seconds > 0 else 0.0


class Ticker:
    """A line of progress: the same line again and again on a terminal, now and then elsewhere."""

    def __init__(self):
        self.terminal = sys.stdout.isatty()
        self.last = 0.0

    def show(self, text):
        now = time.monotonic()
        if now - self.last < (0.5 if self.terminal else 15):
            return
        self.last = now
        if self.terminal:
            sys.stdout.write("\r\033[K" + text)
            sys.stdout.flush()
        else:
            trees.say(text)

    def clear(self):
        if self.terminal:
            sys.stdout.write("\r\033[K")
            sys.stdout.flush()


def options_for(target, seconds, artifacts, hang, apart=False):
    options = [f"-max_total_time={max(1, int(seconds))}", "-print_final_stats=1",
               f"-artifact_prefix={artifacts}/", f"-timeout={hang}", "-rss_limit_mb=2560",
               "-verbosity=1", "-report_slow_units=60",
               f"-max_len={512 if target in trees.REQUESTS else 4096}"]
    if target in ("resolve", "execute"):
        # Weighing inputs by the rarity of what they reach costs more than these inputs do.
        options.append("-entropic=0")
    if apart:
        # Each job is a process of its own, whose death costs the job.
        options += ["-fork=1", "-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1"]
    return options + trees.dictionary(target)


def run(binary, target, seconds, *, corpora, hang=20, implementation=None, known=None, label="",
        apart=False):
    """Fuzzes for `seconds`, or until it finds something; with `apart`, in jobs that may die, past what
    they find. Ctrl-C ends it cleanly."""
    artifacts = trees.HOME / "artifacts" / target
    artifacts.mkdir(parents=True, exist_ok=True)
    before = set(artifacts.iterdir())
    env = trees.environment(RESHAPE_IMPLEMENTATION=implementation, RESHAPE_FUZZ_KNOWN=known,
                            ASAN_OPTIONS=ASAN,
                            UBSAN_OPTIONS="print_stacktrace=1")
    command = [str(binary), *map(str, corpora), *options_for(target, seconds, artifacts, hang, apart)]
    explored = Explored()
    ticker = Ticker()
    log = trees.HOME / "logs" / f"{target}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    # A group of its own: Ctrl-C is for this program, which then ends the fuzzer.
    with open(log, "a", encoding="utf-8") as stream, subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env,
            errors="replace", start_new_session=True) as fuzzer:
        late = threading.Timer(seconds + MOST_LATE, os.killpg, (fuzzer.pid, signal.SIGKILL))
        late.start()
        try:
            for line in fuzzer.stdout:
                stream.write(line)
                _take(line, explored)
                passed = time.monotonic() - start
                ticker.show(f"  {label or target:24} {passed:5.0f} s  {explored.executions:12,} "
                            f"executions  {explored.executions / max(passed, 0.1):10,.0f}/s  "
                            f"{explored.corpus} inputs  {explored.edges} edges")
        except KeyboardInterrupt:
            explored.interrupted = True
            fuzzer.send_signal(signal.SIGINT)
            try:
                for line in fuzzer.communicate(timeout=10)[0].splitlines():
                    _take(line, explored)
            except subprocess.TimeoutExpired:
                fuzzer.kill()
        finally:
            late.cancel()
    ticker.clear()
    explored.seconds = time.monotonic() - start
    explored.artifacts = sorted(set(artifacts.iterdir()) - before)
    stopped = explored.seconds >= seconds + MOST_LATE
    if fuzzer.returncode not in {0, *CRASH_CODES} and not stopped and not (explored.artifacts or
                                                           explored.interrupted):
        explored.failed = f"{binary.name} ended with {fuzzer.returncode}; see {log}"
    return explored


def _take(line, explored):
    progress = PROGRESS.match(line)
    if progress:
        explored.executions = max(explored.executions, int(progress.group(1)))
        explored.edges = int(progress.group(2))
        explored.corpus = int(progress.group(4))
        return
    known = KNOWN.match(line)
    if known:
        explored.known += int(known.group(1))
        return
    final = FINAL.match(line)
    if final and final.group(1) == "number_of_executed_units":
        explored.executions = int(final.group(2))


def merge(binary, target, implementation=None):
    """Keeps of the corpus what reaches all that it reached, and the seeds' share of it."""
    corpus = trees.corpus(target)
    smaller = corpus.with_name(corpus.name + ".merged")
    subprocess.run(["rm", "-rf", str(smaller)], check=True)
    smaller.mkdir(parents=True)
    env = trees.environment(RESHAPE_IMPLEMENTATION=implementation)
    done = subprocess.run([str(binary), "-merge=1", "-rss_limit_mb=2560",
                           f"-artifact_prefix={trees.HOME}/merging-", str(smaller),
                           str(corpus), str(trees.seeds(target))],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env, check=False)
    if done.returncode != 0 or not any(smaller.iterdir()):
        return None
    before = sum(1 for _ in corpus.iterdir())
    # Where this ends between the two, trees.make_seeds() brings the old one back.
    old = trees.old_corpus(target)
    subprocess.run(["rm", "-rf", str(old)], check=True)
    corpus.rename(old)
    smaller.rename(corpus)
    subprocess.run(["rm", "-rf", str(old)], check=True)
    return before, sum(1 for _ in corpus.iterdir())
