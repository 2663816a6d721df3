"""Writes README.md of this folder from the reports of ./dev implementations (build/implementations/report/).
What has no report keeps its lines.

What an implementation does outside its tensors is first for its vendor: of a cause under which that was seen,
the clause and the plane are told, and no request.
"""
import collections
import datetime
import json
import re

from report_upstream import LANGUAGES, first_words

# These watches see that memory was touched that is not the implementation's, or what comes of that.
DAMAGE = {"guard-page", "canaries", "shape-canary", "input-unchanged", "arguments-unchanged"}
MOST_CAUSES = 12


def damage(fault):
    return fault["watch"] in DAMAGE or "died of" in fault["answered"]


def words(answered):
    """An answer without its numbers and addresses, which differ among requests of one cause."""
    answered = re.sub(r"0x[0-9a-f]+", "#", answered)
    answered = re.sub(r"-?\d+(,-?\d+)*", "#", answered)
    return answered if len(answered) < 100 else answered[:97] + "..."


def failing(run):
    return [case for case in run["cases"] if case["verdict"] in ("fail", "known") and case.get("faults")]


def could_not(case):
    return case["faults"][0]["duty"] == "C18"


def causes(run):
    """Failures by what is broken, on which plane, seen by which watch, answered in which way."""
    found = collections.defaultdict(list)
    for case in failing(run):
        if could_not(case):
            continue
        first = case["faults"][0]
        answered = words(first["answered"]) if first["plane"] == "shape" else ""
        found[first["plane"], first["clause"] or first["duty"], first["watch"], answered].append(case)
    return sorted(found.items(), key=lambda item: -len(item[1]))


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def request_of(case, dialect):
    """As replay takes it: with the name of the document in front."""
    line = case["request"]
    return line if line.startswith(dialect) else f"{dialect} {line}"


def shortest(cases):
    return min(cases, key=lambda case: (len(case["request"]), case["request"]))


def lines_of(file):
    """The lines of a list, without comments; none where there is no such file."""
    if not file.exists():
        return []
    text = (line.split("#", 1)[0].strip() for line in file.read_text().splitlines())
    return [line for line in text if line]


def listed(here):
    """(folder, name) of every implementation that the folders' lists have."""
    for file in sorted(here.glob("*/implementations.txt")):
        for line in lines_of(file):
            yield file.parent.name, line.split("\t")[0].strip()


def scripts(here, folder="*"):
    """The stand-alone scripts of a folder or of all, in the order of their names."""
    return [script for script in sorted(here.glob(f"{folder}/deviations/*.*")) if script.suffix in LANGUAGES]


def kept_back(runs):
    """(folder, clause) under which something was seen that is first for the vendor."""
    return {(run["folder"], fault["clause"]) for run in runs for case in failing(run)
            if any(map(damage, case["faults"])) for fault in case["faults"] if fault["clause"]}


def withheld(runs):
    """What is first for the vendor: of each folder the clauses and the planes, and nothing else."""
    found = collections.defaultdict(set)
    for run in runs:
        for case in failing(run):
            # What saw the damage may name a duty alone; the request broke a clause.
            broken = next((fault["clause"] for fault in case["faults"] if fault["clause"]), "")
            for fault in case["faults"]:
                if damage(fault):
                    found[run["folder"]].add((fault["clause"] or broken or fault["duty"], fault["plane"]))
    return {folder: sorted(kinds) for folder, kinds in sorted(found.items())}


class PageBefore:
    """The page as it stands: it keeps what it says of implementations that were not asked."""

    def __init__(self, here, runs):
        file = here / "README.md"
        self.lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        asked = {run["name"] for run in runs}
        self.kept = [(folder, name) for folder, name in listed(here)
                     if name not in asked and self.rows("Who does what", [name])]
        self.names = [name for _, name in self.kept]

    def part(self, heading):
        """The lines below a heading, up to the next of its rank or above."""
        if heading not in self.lines:
            return
        rank = heading.split(" ")[0]
        for line in self.lines[self.lines.index(heading) + 1:]:
            if line.startswith("#") and len(line.split(" ")[0]) <= len(rank):
                return
            yield line

    def rows(self, heading, names):
        """The rows of the table below a heading that begin with one of these names."""
        return [line for line in self.part(f"## {heading}") if line.startswith(tuple(f"| {name} |" for name in names))]

    def failures(self):
        for name in self.names:
            if told := list(self.part(f"### {name}")):
                yield from [f"### {name}", *told]


def merged(table, more):
    """A table, and rows of another, in the order of their names."""
    head, rule, *rows = table
    return [head, rule, *sorted([*rows, *more], key=lambda row: row.split("|")[1])]


def table(runs):
    yield "| implementation | version | dialect | asked | pass | fail | could not hold |"
    yield "|---|---|---|---:|---:|---:|---:|"
    for run in runs:
        said = run["implementation"]
        for dialect in sorted({case["dialect"] for case in run["cases"]}):
            cases = [case for case in run["cases"] if case["dialect"] == dialect and case["executed"]]
            wrong = [case for case in failing(run) if case["dialect"] == dialect]
            unheld = sum(could_not(case) for case in wrong)
            # Mistrusted is what was asked of a library that has shapes only.
            good = sum(case["verdict"] in ("pass", "mistrusted") for case in cases)
            if cases:
                yield (f"| {run['name']} | {said['version'].split('-')[0]} | {dialect} | {len(cases)} | {good} "
                       f"| {len(wrong) - unheld} | {unheld} |")


def laws(runs):
    """What no single request shows. Of a law whose requests fail by themselves nothing is known."""
    yield "| implementation | law | clause or duty | what does not hold | why, as its baseline says |"
    yield "|---|---|---|---|---|"
    for run in runs:
        for law in run.get("laws", []):
            if law["holds"] is False and not law["undecided"]:
                yield (f"| {run['name']} | {law['name']} | {law['clause']} | {cell(law['says'])} "
                       f"| {cell(law['known'])} |")


def first_uses(runs):
    yield "| implementation | duty | seen by |"
    yield "|---|---|---|"
    for run in runs:
        for duty, watch in sorted({(one["duty"], one["watch"]) for one in run["at_first_use"]}):
            yield f"| {run['name']} | {duty} | {watch} |"


def choices(runs):
    yield "| implementation | dialect | open point | it chose | cases |"
    yield "|---|---|---|---|---:|"
    for run in runs:
        told = collections.Counter()
        for point in run["open_points"]:
            told[point["dialect"], point["clause"], point["chose"]] += len(point["cases"])
        for (dialect, clause, chose), count in sorted(told.items()):
            yield f"| {run['name']} | {dialect} | {clause} | {cell(chose)} | {count} |"


def failures(run, hidden):
    name, folder = run["name"], run["folder"]
    found = causes(run)
    if not found:
        return
    yield f"### {name}"
    yield ""
    yield "| cases | plane | clause or duty | answered | shortest request, for `replay` |"
    yield "|---:|---|---|---|---|"
    for (plane, clause, watch, answered), cases in found[:MOST_CAUSES]:
        case = shortest(cases)
        secret = (folder, clause) in hidden or any(damage(fault) for one in cases for fault in one["faults"])
        shown = "first for the vendor" if secret else f"`{cell(request_of(case, case['dialect']))}`"
        came = watch if secret else cell(answered or watch)
        if len(shown) > 260:
            shown = "(long; in the report)"
        yield f"| {len(cases)} | {plane} | {clause} | {came} | {shown} |"
    if len(found) > MOST_CAUSES:
        yield ""
        yield f"{len(found) - MOST_CAUSES} rarer causes are in the report and in the baseline."
    yield ""


def deviations(here):
    yield "| script | what it shows |"
    yield "|---|---|"
    for script in scripts(here):
        name = script.relative_to(here)
        yield f"| [{name}]({name}) | {cell(first_words(script))} |"


def read(here, reports):
    """The runs of all reports, each with the folder and the name that implementations.txt gives it."""
    runs, folders = [], {name: folder for folder, name in listed(here)}
    for file in sorted(reports.glob("*.json")):
        if file.stem in folders:
            report = json.loads(file.read_text())
            runs += [{**run, "folder": folders[file.stem], "name": file.stem, "suite": report["suite_version"],
                      "ended": file.stat().st_mtime} for run in report["runs"]]
    return runs


def summary(here, runs, before, back, broken):
    """How many there are: what was asked, what was not, and what is shown to deviate."""
    asked = {run["name"] for run in runs}
    missing = [name for _, name in listed(here) if name not in asked and name not in before.names]
    yield (f"{len(asked)} implementations in {len({run['folder'] for run in runs})} folders were asked"
           + (f"; not asked here: {', '.join(missing)}" if missing else "") + ".")
    if before.names:
        yield (f"These were not asked this time, and the page before tells of them: {', '.join(before.names)}.")
    yield (f"**{len(scripts(here))} deviations** are shown by scripts of their own, and "
           f"{len(back)} clauses on a plane are first for the vendors.")
    names = {row.split("|")[1] for row in broken}
    yield (f"Of {len(names)} implementations [a law does not hold](#laws-that-do-not-hold), "
           "which no request alone shows.")
    yield ("What documents and libraries answer to one request stands side by side in [FORKS.md](FORKS.md), "
           "made by `./dev implementations --forks`.")


def write(here, reports):
    runs = read(here, reports)
    if not runs:
        print(f"there is no report in {reports}; ./dev implementations writes them")
        return 3
    suites = sorted({run["suite"] for run in runs})
    date = datetime.datetime.fromtimestamp(max(run["ended"] for run in runs), datetime.timezone.utc).date()
    before = PageBefore(here, runs)
    # What was seen once is not told when it is not seen: it may hang on what lies behind in memory.
    told = before.rows("First for the vendor", {folder for folder, _ in listed(here)})
    hidden = kept_back(runs) | {tuple(part.strip() for part in row.split("|")[1:3]) for row in told}
    back = {f"| {folder} | {clause} | {plane} |" for folder, kinds in withheld(runs).items()
            for clause, plane in kinds} | set(told)
    broken = merged(laws(runs), before.rows("Laws that do not hold", before.names))
    text = ["# Real libraries", "",
            f"Made by `./dev implementations --scoreboard` from runs of suite {', '.join(suites)} that ended on {date}.",
            "What each was asked stands in its folder's `implementations.txt`, what is known to fail in its "
            "`baseline-NAME.txt`. *Could not hold*: the library says that sizes or types are beyond it, which the "
            "contract has no way to declare (C18), and which says nothing about its Reshape.", "",
            *summary(here, runs, before, back, broken[2:]), "",
            "## Who does what", "", *merged(table(runs), before.rows("Who does what", before.names)), "",
            "## Laws that do not hold", "",
            "A law is about several requests, or about a process and its threads, and counts in no row above. "
            "Where the last column names the adapter, nothing is said of the library.", "",
            *broken, "",
            "## What they do at first use", "",
            "A change of the process that comes with the library's first use, which a gate lets through.", "",
            *merged(first_uses(runs), before.rows("What they do at first use", before.names)), "",
            "## Deviations that anyone can see", "",
            "Each is a few lines against the library's own interface, run by `./dev implementations`, which fails "
            "once the deviation is gone.", "", *deviations(here), "",
            "## First for the vendor", "",
            "Beside the wrong answer, memory outside the tensors was touched or the process died, so that no request "
            "is told here.", "", "| library | clause or duty | plane |", "|---|---|---|",
            *sorted(back), "",
            "## Failures by cause", ""]
    for run in runs:
        text += failures(run, hidden)
    text += before.failures()
    notes = [f"[{file.parent.name}]({file.relative_to(here)})" for file in sorted(here.glob("*/notes.md"))]
    text += ["## Notes", "", f"What became of suspects, and how to read the failures: {', '.join(notes)}.", "",
             "## What they chose where the documents are open", "",
             *merged(choices(runs), before.rows("What they chose where the documents are open", before.names)), ""]
    file = here / "README.md"
    file.write_text("\n".join(text))
    print(f"wrote {file}")
    return 0
