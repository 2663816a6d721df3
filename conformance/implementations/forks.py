"""Writes FORKS.md: one request, and what every document and every library answers, side by side.

The requests stand in forks.txt. Each is a case of the suite, so that the documents' answers are the suite's own.
"""
import collections
import json
import re
import subprocess

from scoreboard import cell, damage, listed

REQUEST = re.compile(r"(\S+) f32(\[[\d,]*\]) (i64|i32)(\[[-\d,]*\])((?: (?:special_zero|allowzero)=\w+)?)"
                     r"(?: shape_only=true)?$")
COPIES = {"special_zero=true": True, "special_zero=false": False, "allowzero=0": True, "allowzero=1": False}


def asked(here):
    """(data, pattern, what is at stake) of each line of forks.txt."""
    lines = [line for line in (here / "forks.txt").read_text().splitlines() if line and line[0] != "#"]
    return [tuple(part.strip() for part in line.split("\t") if part.strip()) for line in lines]


class Suite:
    """The cases that ask those requests, by id: (data, pattern, does a 0 copy)."""

    def __init__(self, program, requests):
        told = subprocess.run([program, "list", "--json"], capture_output=True, text=True, check=True).stdout
        self.program = program
        self.without_flag = {}
        self.questions, self.expected = {}, {}
        wanted = {request[:2] for request in requests}
        chosen = {}
        for case in json.loads(told)["cases"]:
            found = REQUEST.match(case["request"])
            if not found or (found[2], found[4]) not in wanted:
                continue
            # Without the flag that says how a 0 is read, the question is none.
            if case["expect"].endswith("special-zero.required"):
                continue
            question = (found[2], found[4], self.sense(found[1], found[4], found[5].strip()))
            # One case for each question of a document: of patterns in i64 where it takes them.
            rank = (case["expect"].endswith("pattern.type"), found[3] != "i64", case["request"])
            known = chosen.get((found[1], question))
            if known is None or rank < known[0]:
                chosen[found[1], question] = rank, case
        for (_, question), (_, case) in chosen.items():
            self.questions[case["id"]] = question
            self.expected[case["id"]] = case["expect"]

    def sense(self, dialect, pattern, flag):
        """Whether a 0 copies; None where the pattern has none."""
        if "0" not in pattern.strip("[]").split(","):
            return None
        if flag:
            return COPIES[flag]
        if dialect not in self.without_flag:
            said = subprocess.run([self.program, "infer", f"{dialect} f32[2,3] i64[0,3]"], capture_output=True,
                                  text=True, check=False).stdout
            self.without_flag[dialect] = said.startswith("produces")
        return self.without_flag[dialect]

    def filters(self):
        return sorted({"*/" + name.split("/", 1)[1] for name in self.questions})


def of_document(expected):
    if expected.startswith("unspecified"):
        return "open: " + expected.split(" permits ", 1)[1].replace(" | ", " or ")
    return "rejects" if expected.startswith("rejects") else expected


def of_library(case):
    """None where nothing can be said of its Reshape."""
    faults = case.get("faults", [])
    if not case["executed"] or case["verdict"] == "unsupported" or any(fault["duty"] == "C18" for fault in faults):
        return None
    answered = case["answered"]
    if answered.startswith("rejected"):
        return "rejects"
    if answered.startswith("produced"):
        return answered.replace("produced", "produces", 1)
    return "no shape" if "inferred" in answered else "an exception" if "exception" in answered else "fails"


def named(dialects):
    """Names that share a beginning once: onnx-reshape-5, -13."""
    told, before = [], ""
    for name in sorted(dialects, key=lambda one: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", one)]):
        head, dash, tail = name.rpartition("-")
        told.append(dash + tail if head == before and tail.isdigit() else name)
        before = head
    return ", ".join(told)


def damaging(suite, reports, folders):
    """(folder, question) at which memory was touched or the process died: first for the vendor, however else this
    library is reached."""
    return {(folders[library], suite.questions[case["id"]]) for library, report in reports.items()
            for case in report["runs"][0]["cases"]
            if case["id"] in suite.questions and any(damage(fault) for fault in case.get("faults", []))}


def answers(suite, reports, folders):
    """{question: {answer: (documents, {library: documents it answered so in})}}"""
    hidden = damaging(suite, reports, folders)
    told = collections.defaultdict(lambda: collections.defaultdict(lambda: (set(), collections.defaultdict(set))))
    for name, expected in suite.expected.items():
        told[suite.questions[name]][of_document(expected)][0].add(name.split("/", 1)[0])
    for library, report in reports.items():
        for case in report["runs"][0]["cases"]:
            answer = of_library(case) if case["id"] in suite.questions else None
            if answer is not None and (answer == "rejects" or
                                       (folders[library], suite.questions[case["id"]]) not in hidden):
                told[suite.questions[case["id"]]][answer][1][library].add(case["dialect"])
    return told


def libraries(told, answer):
    """Of a library that answers otherwise in other documents, the documents are named."""
    for library, dialects in sorted(told[answer][1].items()):
        alone = not any(library in told[other][1] for other in told if other != answer)
        yield library if alone else f"{library} ({named(dialects)})"


def page(requests, suite, reports, folders):
    """`folders`: of each library's name."""
    told = answers(suite, reports, folders)
    yield "# Where documents and libraries part"
    yield ""
    yield "Made by `./dev implementations --forks`: each request of `forks.txt` with the answers of every document"
    yield "(*open*: it permits these) and of every library. *A 0* says how the flag, or a document without one, has"
    yield "a 0 read. A library that stands at no answer was not asked, says that such sizes are beyond it, or its answer"
    yield "is first for its vendor ([README.md](README.md))."
    yield ""
    yield "Asked: " + ", ".join(f"{name} {report['runs'][0]['implementation']['version'].split('-')[0]}"
                                for name, report in sorted(reports.items())) + "."
    yield ""
    yield "| data, pattern | at stake | a 0 | answer | documents | libraries |"
    yield "|---|---|---|---|---|---|"
    for data, pattern, stake in requests:
        head = [f"`{data}`, `{pattern}`", stake]
        for copies in (None, True, False):
            found = told.get((data, pattern, copies), {})
            sense = {None: "", True: "copies", False: "is 0"}[copies]
            for answer in sorted(found, key=lambda one: (one.startswith("open"), one == "rejects", one)):
                yield "| " + " | ".join([*head, sense, cell(answer), named(found[answer][0]),
                                         ", ".join(libraries(found, answer))]) + " |"
                head, sense = ["", ""], ""
    yield ""


def write(here, suite, folder):
    """From the reports of that folder."""
    folders = {name: of for of, name in listed(here)}
    reports = {name: json.loads((folder / f"{name}.json").read_text())
               for name in folders if (folder / f"{name}.json").exists()}
    if not reports:
        print("no library could be asked")
        return 3
    file = here / "FORKS.md"
    file.write_text("\n".join(page(asked(here), suite, reports, folders)))
    print(f"wrote {file}")
    return 0
