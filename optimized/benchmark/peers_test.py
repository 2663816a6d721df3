#!/usr/bin/env python3
"""A peer does what the document says or declines: no answer of it is wrong, at one thread and at two, and
it does the transposes and what is like them at least.

usage: peers_test.py reshape-conformance liboptimized.so libpeer_NAME.so
"""
import json
import pathlib
import subprocess
import sys
import tempfile

WORKLOADS = pathlib.Path(__file__).with_name("peers_test.yaml")
LEAST = 5 * 3 * 2  # five kinds of copies, three types, two numbers of threads

program, optimized, peer = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    out = pathlib.Path(folder) / "bench.json"
    ran = subprocess.run(
        [program, "bench", "-i", optimized, "--peer", peer, "--workloads", str(WORKLOADS), "--threads", "1",
         "--threads", "2", "--repetitions", "1", "--passes", "2", "--json", str(out)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=280)
    print(ran.stdout)
    if ran.returncode != 0:
        sys.exit(f"bench ended with {ran.returncode}")
    report = json.loads(out.read_text(encoding="utf-8"))

name = report["context"]["peers"]
runs = [run for run in report["benchmarks"] if run["run_type"] == "iteration"]
wrong = [run["workload"] for run in runs if run.get(name) == 0]
done = [run["workload"] for run in runs if run.get(name, 0) > 0]
if wrong:
    sys.exit(f"{name} is wrong on {wrong}")
if len(done) < LEAST:
    sys.exit(f"{name} does {len(done)} of {len(runs)}, where {LEAST} are expected")
print(f"{name} does {len(done)} of {len(runs)} and declines the others")
