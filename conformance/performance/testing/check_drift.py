#!/usr/bin/env python3
"""Plants a drift of 1 % a week in a history of 40 results and has Apache Otava look for it.

usage: check_drift.py reshape-conformance otava
Ends with 0 when the drift is found and nothing is found where nothing is.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

program, otava = sys.argv[1:3]
random.seed(17)
HALF_WEEK = 302400
NOISE = 0.01


def result(drifting: float, flat: float) -> str:
    rows = [
        {"run_type": "iteration", "workload": name, "real_time": 1000, "fraction_of_best_copy": 1 / value}
        for name, value in (("drifting", drifting), ("flat, (0,2)", flat))
    ]
    return json.dumps({"context": {"identity": "planted", "library": "planted"}, "benchmarks": rows})


def run(*words: str) -> str:
    return subprocess.run(words, check=True, timeout=300, stdout=subprocess.PIPE, text=True).stdout


with tempfile.TemporaryDirectory() as folder:
    home = pathlib.Path(folder)
    history, csv, config = (str(home / name) for name in ("h.sqlite", "h.csv", "otava.yaml"))
    for number in range(40):
        (home / "r.json").write_text(
            result(1.2 * 1.01 ** (number / 2) * random.gauss(1, NOISE), 1.2 * random.gauss(1, NOISE))
        )
        run(program, "history", "add", history, "--result", str(home / "r.json"),
            "--commit", f"commit-{number:02}", "--time", str(1_750_000_000 + number * HALF_WEEK))
    run(program, "history", "export", history, "--csv", csv, "--otava-config", config)
    found = run(otava, "analyze", "reshape", "--config-file", config, "--since", "1970-01-01",
                "--output", "json")
    (home / "changes.json").write_text(found)
    print(run(program, "history", "table", history, "--changes", str(home / "changes.json")), end="")
    changes = [change["metric"] for point in json.loads(found)["reshape"] for change in point["changes"]]

if "drifting" not in changes:
    sys.exit("the planted drift was not found")
if "flat, (0,2)" in changes:
    sys.exit("a change was found where nothing was planted")
print(f"the drift was found at {changes.count('drifting')} commits, and nothing in the flat history")
