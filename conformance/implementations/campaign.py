"""A campaign: one implementation is asked requests of fresh seeds, and its laws, until the time is over; what
its baseline does not know is told. Nothing is written but a log in build/implementations/campaign/."""
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

FIRST_REQUESTS, MOST_REQUESTS = 1000, 20000
ROUND_SECONDS = 60  # about what a round takes: the next one is as long as that
GRACE_SECONDS = 600  # for starting, and for making failures small: what is killed tells nothing
# The second round, since short campaigns have few, and one of so many from then on.
LAWS_EVERY = 8
NOT_REACHED = re.compile(r"(?:does not conform: |nothing was executed and )\d+ clauses? not asked[;:]")
clock = time.monotonic


class CouldNot(Exception):
    """A sentence that says why no more was asked."""


def kept(options):
    """Of the options of a gate those that are about how it is asked, and not about which cases."""
    about_cases = ("--tier", "--shard", "--waive")
    left = [one for one in options if one not in ("--no-laws", "--suite-only")]
    for name in about_cases:
        while name in left:
            at = left.index(name)
            del left[at:at + 2]
    return left


def kinds(text):
    """The failures that a run printed: a head, and the lines below it that are further in."""
    return re.findall(r"^(?:FAIL  |  (?:BROKEN|UNDECIDED) ).*(?:\n {6,}.*)*", text, re.M)


def cause(kind):
    """What is alike in the same failure of other requests."""
    law = re.match(r"  \w+ +\S+", kind)
    if law:
        return law.group()
    if not kind.startswith("FAIL"):
        return kind
    head, *lines = kind.splitlines()
    told = [" ".join(head.split()[2:])]
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        if word == "asked":
            dialect, data = rest.split()[:2]
            told.append(dialect + (f", {data.split('[')[0]}" if "bytes plane" in head else ""))
        elif word == "expected":
            told.append(rest.split(": ")[0])
        elif word == "answered":
            # Behind a bracket stands the library's reason, which may name sizes in any way.
            told.append(rest.split(" (")[0])
        elif word == "watch":
            told.append(rest)
    words = " | ".join(told)
    return re.sub(r"0x[0-9a-f]+|-?\d+", "#", re.sub(r"\[[^]]*\]", "[#]", words))


def call(command, seconds, out, environment, root):
    """Runs a command, which prints into a file, and returns its exit code; None where it took too long."""
    # A group of its own, so that what it started ends with it.
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                               cwd=root, env=environment, start_new_session=True)
    try:
        return process.wait(timeout=seconds)
    except BaseException as why:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if not isinstance(why, subprocess.TimeoutExpired):
            raise
        return None


def one_round(command, seconds, environment, root):
    """How a round ended, and what it printed; None where it did not end."""
    with tempfile.TemporaryFile() as out:
        code = call(command, seconds, out, environment, root)
        out.seek(0)
        return code, out.read().decode(errors="replace")


class Campaign:
    def __init__(self, program, root, name, library, options, baseline, environment, own):
        """`own` is what of the environment is not the caller's, which a line to be repeated has to say."""
        self.name, self.root, self.environment = name, root, environment
        self.command = [program, "run", "-q", "-i", library, "--baseline", str(baseline), "--no-diagnosis",
                        *kept(options)]
        self.with_laws = "--no-laws" not in options
        self.before = "".join(f"{key}={shlex.quote(value)} " for key, value in own.items())
        self.planned = self.asked = self.rounds = self.of_laws = self.cut = 0
        self.late = 0.0  # the most that a round took beyond its limit
        self.rate = FIRST_REQUESTS / ROUND_SECONDS  # requests in a second
        self.causes = set()

    def line(self, command):
        return self.before + shlex.join(command)

    def round(self, left, log):
        """Asks once, for no longer than what is left; CouldNot where that is no answer."""
        seed = random.SystemRandom().randrange(10 ** 9)
        laws = self.with_laws and self.rounds % LAWS_EVERY == 1
        # Half of the time at most, so that laws are reached where the first requests take long.
        limit = max(1, round(min(left, 5 * ROUND_SECONDS, max(ROUND_SECONDS, left / 2))))
        requests = max(1, min(MOST_REQUESTS, round(self.rate * min(left, ROUND_SECONDS))))
        # What a library does at its first use is no matter of seeds, and the gate lets it through as well.
        what = ["--laws"] if laws else ["--generate", str(requests), "--waive", "process-start"]
        again = [*self.command, *what, "--seed", str(seed)]
        command = [*again, "--time-limit", str(limit)]
        log.write(f"# {self.line(command)}\n")
        log.flush()
        begin = clock()
        code, said = one_round(command, limit + GRACE_SECONDS, self.environment, self.root)
        took = clock() - begin
        mend = self.line([*again, "--mend-baseline=causes"])
        said = re.sub(r"^  mend it .*$", lambda _: f"  mend it   {mend}", said, flags=re.M)
        said = re.sub(r"(?<!\S)reshape-conformance (?=replay )", lambda word: self.before + word.group(), said)
        last = said.strip().splitlines()[-1] if said.strip() else "no answer"
        log.write(f"{said if code != 0 else last}\n\n")
        log.flush()
        if code is None:
            raise CouldNot(f"no end after {limit + GRACE_SECONDS:g} seconds; seed {seed}")
        counts = re.search(r"(\d+) planned = (\d+) executed", last)
        planned, asked = (int(counts.group(1)), int(counts.group(2))) if counts else (0, 0)
        cut = code == 4 or "(--time-limit)" in last
        if code not in (0, 1, 4) or code == 4 and asked and "(--time-limit)" not in last:
            raise CouldNot(f"{last}; seed {seed}")
        self.rounds += 1
        self.cut += cut
        self.late = max(self.late, took - limit)
        if laws:
            self.of_laws += 1
        else:
            self.planned += max(planned, requests)
            self.asked += asked
            self.rate = (asked if cut else requests) / max(took, 1)
        if code == 1:
            # A run that is not as expected for another reason than that its time was over is told as well.
            too_late = (cut or took >= limit) and NOT_REACHED.search(last)
            found = kinds(said) or ([] if too_late else [last])
            for kind in found:
                if cause(kind) not in self.causes:
                    self.causes.add(cause(kind))
                    print(f"new           {self.name}, seed {seed}:\n{kind.rstrip()}", flush=True)

    def tell(self, seconds, stopped, log):
        """One line: what was asked of what was meant to be, and where each seed and command stand."""
        count = len(self.causes)
        verdict = (f"{count} KIND{'S' if count > 1 else ''} NOT KNOWN" if count else stopped or "as known")
        laws = f"{self.of_laws} of laws" if self.with_laws else "no laws: --no-laws"
        rounds = f"{self.rounds} rounds ({laws}; {self.cut} cut short)"
        print(f"{verdict:13} {self.name}: {self.asked} of {self.planned} requests in {rounds}, "
              f"{seconds / 60:.1f} minutes; {log.relative_to(self.root)}", flush=True)


def run(program, root, name, library, options, baseline, minutes, environment, own, log):
    """True where nothing came that the baseline does not know; CouldNot where nothing came and it was stopped."""
    one = Campaign(program, root, name, library, options, baseline, environment, own)
    begin = clock()
    why = None
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "a", encoding="utf-8") as told:
        try:
            while (left := begin + 60 * minutes - clock() - one.late) > 1:
                one.round(left, told)
        except (CouldNot, KeyboardInterrupt) as stopped:
            why = stopped
    if why is None and one.asked == 0 and not one.causes:
        why = CouldNot(f"nothing was asked in {minutes:g} minutes")
    one.tell(clock() - begin, "stopped" if why else "", log)
    if isinstance(why, KeyboardInterrupt):
        raise why
    if why and not one.causes:
        raise why
    if why:
        print(f"could not     {name}: {why}", flush=True)
    return not one.causes


if __name__ == "__main__":
    print("campaign.py is a part of ./dev implementations [folder...] --campaign MINUTES, which writes its logs "
          "to build/implementations/campaign/")
    sys.exit(0 if sys.argv[1:] in (["-h"], ["--help"]) else 2)
