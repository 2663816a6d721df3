#!/usr/bin/env python3
"""compare_suites.py OLD.json NEW.json [OLD_MATRIX.json NEW_MATRIX.json]

Whether a suite asks what another one asked. The first two files are what `list --json` printed, the
last two what `mutants --tier full --matrix FILE` wrote. A question is a request without its dialect,
its types, and a flag that cannot matter because no value of the pattern is 0. Exit code 1 where a
question is lost, the answer to a request that stands in both differs, or a mutant lives on."""
import collections
import json
import re
import sys

LINE = re.compile(r"\S+ \w+(\[[^]]*\]) \w+(\[[^]]*\])(.*)$")


def question(line):
    data, pattern, words = LINE.match(line).groups()
    if "0" not in pattern[1:-1].split(","):
        words = re.sub(r" (special_zero|allowzero)=\w+", "", words)
    return data, pattern, words


def cases(path):
    with open(path, encoding="utf-8") as stream:
        return json.load(stream)["cases"]


def dead(path):
    with open(path, encoding="utf-8") as stream:
        return {one["name"] for one in json.load(stream)["mutants"] if one["killed"]}


def main(old_path, new_path, *matrices):
    old, new = cases(old_path), cases(new_path)
    asked = collections.Counter(question(one["request"]) for one in new)
    wanted = {question(one["request"]): one for one in old}
    lost = [one["id"] for key, one in wanted.items() if key not in asked]
    by_line = {one["request"]: one for one in new}
    both = [(one, by_line[one["request"]]) for one in old if one["request"] in by_line]
    changed = [f'{a["id"]}: {a["expect"]} -> {b["expect"]}' for a, b in both
               if a["expect"] != b["expect"]]
    renamed = sum(a["id"] != b["id"] for a, b in both)
    print(f"{len(old)} cases then, {len(new)} now; {len(both)} to the letter, {renamed} of these renamed")
    print(f"{len(wanted)} questions then, {len(asked)} now; lost: {len(lost)}")
    print(f"answers that differ: {len(changed)}")
    for line in [*lost, *changed][:40]:
        print(f"  {line}")
    alive = sorted(dead(matrices[0]) - dead(matrices[1])) if matrices else []
    if matrices:
        print(f"mutants that died then and live now: {len(alive)}", *alive, sep="\n  ")
    return 1 if lost or changed or alive else 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 5):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
