"""A campaign: one implementation is asked requests of fresh seeds, and its laws, until the time is over; what its
baseline does not know is told. Nothing is written but a log in build/implementations/campaign/."""
import random
import re
import subprocess
import time

LEAST_REQUESTS, MOST_REQUESTS = 50, 20000
ROUND_SECONDS = 60  # about what a round takes: the next one is as long as that
LAWS_EVERY = 8  # rounds


def kept(options):
    """Of the options of a gate those that are about how it is asked, and not about which cases."""
    about_cases, left = ("--tier", "--shard", "--waive"), [one for one in options if one != "--no-laws"]
    for name in about_cases:
        while name in left:
            at = left.index(name)
            del left[at:at + 2]
    return left


def kinds(text):
    """The failures that a run printed: what stands between FAIL or BROKEN and the next empty line."""
    return re.findall(r"^(?:FAIL|BROKEN)\s.*?(?=^\s*$|\Z)", text, re.M | re.S)


def one_round(command, seconds, environment, root):
    """How a round ended, and what it printed; None where it did not end."""
    try:
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               cwd=root, env=environment, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None, ""
    return ended.returncode, ended.stdout.decode(errors="replace")


def run(program, root, name, library, options, baseline, minutes, environment, log):
    """True where nothing came that the baseline does not know."""
    end = time.monotonic() + 60 * minutes
    requests, asked, rounds, new = 1000, 0, 0, 0
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "a", encoding="utf-8") as told:
        while (left := end - time.monotonic()) > 1:
            seed = random.SystemRandom().randrange(10 ** 9)
            laws = rounds % LAWS_EVERY == LAWS_EVERY - 1
            # What a library does at its first use is no matter of seeds, and the gate lets it through as well.
            what = ["--laws"] if laws else ["--generate", str(requests), "--waive", "process-start"]
            limit = max(1, round(min(left, 5 * ROUND_SECONDS)))
            command = [program, "run", "-q", "-i", library, "--baseline", str(baseline), "--no-diagnosis",
                       *kept(options), *what, "--seed", str(seed), "--time-limit", str(limit)]
            begin = time.monotonic()
            code, said = one_round(command, limit + 600, environment, root)
            took = time.monotonic() - begin
            rounds += 1
            if code not in (0, 1, 4):
                sentence = said.strip().splitlines()[-1] if said.strip() else "no answer"
                print(f"could not     {name}: {sentence}", flush=True)
                return False
            if not laws:
                executed = re.search(r"(\d+) planned = (\d+) executed", said)
                asked += int(executed.group(2)) if executed else 0
                requests = round(min(MOST_REQUESTS, max(LEAST_REQUESTS, requests * ROUND_SECONDS / max(took, 1))))
            if code == 1:
                found = kinds(said)
                # A run that is not as expected for another reason than that its time was over is told as well.
                if not found and "(--time-limit)" not in said:
                    found = said.strip().splitlines()[-1:] or ["it ended with exit code 1 without a word"]
                new += len(found)
                told.write(f"# {' '.join(command)}\n{said}\n")
                told.flush()
                for kind in found:
                    print(f"new           {name}, seed {seed}:\n{kind.rstrip()}", flush=True)
    if asked == 0 and new == 0:
        print(f"could not     {name}: nothing was asked in {minutes:g} minutes", flush=True)
        return False
    verdict = "as known" if new == 0 else f"{new} KINDS NOT KNOWN"
    print(f"{verdict:13} {name}: {asked} requests in {rounds} rounds, {minutes:g} minutes"
          + (f"; {log.relative_to(root)}" if new else ""), flush=True)
    return new == 0
