"""Do the commands that the documents show do what they show?

examples_test.py ROOT PROGRAM OPTIMIZED REFERENCE CC [--update FILE]: the project, what it built, and a C compiler.
Every block marked ```console is run, in a folder with the libraries that the documents speak of, and held to the
lines that stand behind each command. "..." stands for anything; figures of two and more digits, and what is told in
seconds or percents, may be others, and so may empty lines. A block that shows a failure is asked of a plug-in without its divisibility check.
A comment `<!-- not run: REASON -->` before a block leaves it out. With --update the blocks of one document that show
nothing yet are filled in.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT, PROGRAM, OPTIMIZED, REFERENCE = (pathlib.Path(word).resolve() for word in sys.argv[1:5])
CC = sys.argv[5]
UPDATED = pathlib.Path(sys.argv[7]).resolve() if sys.argv[6:7] == ["--update"] else None
NOT_OURS = {"build", ".git"}
BLOCK = re.compile(r"(?:<!-- not run: (?P<why>[^>]+) -->\n\n?)?```console\n(?P<text>.*?)```\n", re.DOTALL)
CHECK = "(known < 0 || count % known != 0)"
MINE = ROOT / "conformance/examples/plugin_c/mine.c"
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def documents():
    return [file for file in sorted(ROOT.rglob("*.md")) if not NOT_OURS & set(file.relative_to(ROOT).parts)]


def shown(text):
    """The pairs (command, lines that are shown behind it) of a block."""
    pairs = []
    for line in text.splitlines():
        if line.startswith("$ "):
            pairs.append((line[2:], []))
        elif pairs:
            pairs[-1][1].append(line)
    return pairs


def figures_apart(line):
    line = re.sub(r"\d+(\.\d+)? (s|ms|min|ns|%)(?!\w)", r"N \2", line)
    return re.sub(r"(?<![\w.\[,/=-])\d{2,}(\.\d+)*(?![\w\].-])", "N", line.rstrip())


def fits(wanted, came):
    """Whether the lines `came` are those `wanted`, of which "..." may be any."""
    parts = []
    for line in filter(str.strip, wanted):
        line = figures_apart(line)
        parts.append("(?:.*\n)*?" if line == "..." else ".*".join(map(re.escape, line.split("..."))) + "\n")
    return re.fullmatch("".join(parts), "".join(figures_apart(line) + "\n" for line in filter(str.strip, came))) is not None


class Folder:
    """Where the examples run."""

    def __init__(self):
        self.place = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.place.name)
        include = f"-I{ROOT}/conformance/abi"
        wrong = self.path / "wrong.c"
        source = MINE.read_text(encoding="utf-8")
        assert source.count(CHECK) == 1, "the smallest plug-in has another divisibility check now"
        wrong.write_text(source.replace(CHECK, "(known < 0)"), encoding="utf-8")
        (self.path / "before").mkdir()
        (self.path / "wrong").mkdir()
        for sources, library in ((MINE, "libmine.so"), (wrong, "wrong/libmine.so")):
            subprocess.run([CC, "-shared", "-fPIC", include, sources, "-o", self.path / library], check=True)
        shutil.copy(self.path / "libmine.so", self.path / "before")
        shutil.copy(OPTIMIZED, self.path / "liboptimized.so")
        shutil.copy(REFERENCE, self.path / "libreference.so")
        shutil.copytree(ROOT / "specs", self.path / "specs")
        (self.path / "findings/divides").mkdir(parents=True)
        (self.path / "findings/divides/finding.yaml").write_text(
            "minus-one.divides:\n  found:\n    ask: openvino-reshape-1 f32[2,5] i64[-1,4] special_zero=false\n"
            "    expect: rejects minus-one.divides\n")

    def run(self, command, fails):
        if fails:
            command = command.replace("./libmine.so", "wrong/libmine.so")
        known = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "TERM": "dumb"}
        done = subprocess.run(["bash", "-c", command], cwd=self.path, env=known, check=False, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=280)
        return done.returncode, done.stdout.replace("wrong/libmine.so", "./libmine.so").splitlines()


def is_of_a_failure(text):
    return "FAIL  " in text or " does not conform" in text


class Examples(unittest.TestCase):
    def test_examples_do_what_they_show(self):
        folder, count = Folder(), 0
        self.addCleanup(folder.place.cleanup)
        for file in documents():
            for block in BLOCK.finditer(file.read_text(encoding="utf-8")):
                if block["why"]:
                    continue
                for command, lines in shown(block["text"]):
                    count += 1
                    with self.subTest(document=str(file.relative_to(ROOT)), command=command):
                        self.look_at(folder, command, lines, is_of_a_failure(block["text"]))
        self.assertGreater(count, 20)

    def look_at(self, folder, command, lines, fails):
        if " count " in command and not shutil.which("valgrind"):
            self.skipTest("valgrind is not installed")
        code, came = folder.run(command, fails)
        self.assertTrue(fits(lines, came), f"exit code {code}, and what came is\n" + "\n".join(came))

    def test_every_command_is_shown(self):
        page = (ROOT / "conformance/guides/COMMANDS.md").read_text(encoding="utf-8")
        for command in told("manual", "--list").split():
            self.assertIn(f"\n## {command}\n", page)
            self.assertRegex(page, rf"\n\$ reshape-conformance {command} ")


def told(*words):
    return subprocess.run([PROGRAM, *words], check=True, text=True, stdout=subprocess.PIPE).stdout


def calls(text):
    """(command, rest of the line) of each call of the program in code."""
    code = re.findall(r"```(?:sh|console|yaml|text)?\n(.*?)```", text, re.DOTALL) + re.findall(r"`([^`\n]+)`", text)
    for piece in code:
        for call in re.finditer(r"reshape-conformance ([a-z][a-z-]*)(?![/\w.-])((?: .*)?)", piece.replace("\\\n", " ")):
            yield call[1], call[2]


class Words(unittest.TestCase):
    def test_commands_and_options_that_are_named_are_there(self):
        names = set(told("manual", "--list").split()) | {"help"}
        options = {name: set(OPTION.findall(told("help", name))) for name in names - {"help", "history"}}
        wrong, count = [], 0
        for file in documents():
            if file.name == "CHANGELOG.md":  # which tells of what was, too
                continue
            for command, rest in calls(file.read_text(encoding="utf-8")):
                count += 1
                if command not in names:
                    wrong.append(f"{file.relative_to(ROOT)}: there is no command {command}")
                rest = re.sub(r"'[^']*'", "", rest)  # what another program is told
                for option in set(OPTION.findall(re.split(r"[|;]", rest)[0])) - options.get(command, set()):
                    if command in options:
                        wrong.append(f"{file.relative_to(ROOT)}: {command} has no {option}")
        self.assertGreater(count, 50)
        self.assertEqual(wrong, [])

    def test_commands_of_dev_that_are_named_are_there(self):
        known = set(re.findall(r"^command_(\w+)\(\)", (ROOT / "dev").read_text(encoding="utf-8"), re.MULTILINE))
        for file in documents():
            for name in re.findall(r"`(?:[^`\n]* )?\./dev ([a-z][a-z0-9-]*)", file.read_text(encoding="utf-8")):
                self.assertIn(name.replace("-", "_"), known, str(file.relative_to(ROOT)))


def update():
    """Fills in what the commands of UPDATED print, where a block shows nothing."""
    folder = Folder()

    def filled(block):
        lines = []
        for command, behind in shown(block["text"]):
            code, came = folder.run(command, is_of_a_failure(block["text"]))
            print(shlex.quote(command), "ended with", code)
            lines += [f"$ {command}", *(behind or came)]
        return block[0].replace(block["text"], "\n".join(lines) + "\n")

    text = UPDATED.read_text(encoding="utf-8")
    UPDATED.write_text(BLOCK.sub(lambda block: block[0] if block["why"] else filled(block), text), encoding="utf-8")


if UPDATED:
    update()
else:
    unittest.main(argv=sys.argv[:1], verbosity=2)
