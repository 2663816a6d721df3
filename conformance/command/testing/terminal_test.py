"""The program in a terminal: colour, width, progress. terminal_test.py PROGRAM LIBRARY

LIBRARY conforms. The terminal is a pseudo terminal of as many columns as each test wants.
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unittest

PROGRAM, LIBRARY = sys.argv[1:3]
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
WIPE = "\r\x1b[K"
GREEN_CONFORMS = "\x1b[1;32mconforms\x1b[0m"
RED_FAIL = "\x1b[1;31mFAIL\x1b[0m"
ONE_WRONG = ["run", "-q", "-i", "mutant:minus-one-rounds-down", "--suite-only", "--no-diagnosis", "-f",
             "openvino-reshape-1/alike-divided-before-1"]
FEW_RIGHT = ["run", "-q", "-i", LIBRARY, "--suite-only", "-f", "openvino-reshape-1/example-?"]
# What decides on colour, which whoever runs this test may have set.
DECIDES = ("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM")


def environment(variables):
    return {name: value for name, value in os.environ.items() if name not in DECIDES} | variables


def in_terminal(arguments, columns=100, **variables):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    with subprocess.Popen([PROGRAM, *arguments], stdin=theirs, stdout=theirs, stderr=theirs,
                          env=environment({"TERM": "xterm", **variables})) as running:
        os.close(theirs)
        said = b""
        while True:
            try:
                some = os.read(ours, 65536)
            except OSError:  # nobody has the other end open
                break
            if not some:
                break
            said += some
    os.close(ours)
    return said.decode().replace("\r\n", "\n")


def in_pipe(arguments, **variables):
    return subprocess.run([PROGRAM, *arguments], check=False, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=environment({"TERM": "xterm", **variables})).stdout


def without_progress(text):
    """Lines as they stay on the screen, without the seconds, which differ from run to run."""
    return re.sub(r"in [0-9.]+ s", "in N s", "\n".join(line.split(WIPE)[-1] for line in text.split("\n")))


class Colour(unittest.TestCase):
    def test_a_terminal_shows_failures_red_and_success_green(self):
        self.assertIn(RED_FAIL, in_terminal(ONE_WRONG))
        self.assertIn("\x1b[2mreplay\x1b[0m", in_terminal(ONE_WRONG))
        self.assertIn("\x1b[1;31mdoes not conform\x1b[0m", in_terminal(ONE_WRONG))
        self.assertIn(GREEN_CONFORMS, in_terminal(FEW_RIGHT))
        replay = ["replay", "openvino-reshape-1/example-1", "-i", LIBRARY]
        self.assertIn("\x1b[32mverdict   pass\x1b[0m", in_terminal(replay))

    def test_a_pipe_gets_none(self):
        self.assertNotIn("\x1b", in_pipe(ONE_WRONG))
        self.assertIn("FAIL", in_pipe(ONE_WRONG))

    def test_variables_decide(self):
        for variables, wanted in (({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"CLICOLOR": "0"}, False),
                                  ({"CLICOLOR": "1"}, True), ({"TERM": "dumb"}, False),
                                  ({"CLICOLOR": "0", "CLICOLOR_FORCE": "1"}, True),
                                  ({"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, False)):
            self.assertEqual(GREEN_CONFORMS in in_terminal(FEW_RIGHT, **variables), wanted, variables)
        for variables, wanted in (({"CLICOLOR_FORCE": "1"}, True), ({"CLICOLOR_FORCE": "0"}, False),
                                  ({"CLICOLOR_FORCE": ""}, False), ({"CLICOLOR": "1"}, False),
                                  ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False)):
            self.assertEqual(GREEN_CONFORMS in in_pipe(FEW_RIGHT, **variables), wanted, variables)

    def test_it_adds_nothing_else(self):
        shown = without_progress(in_terminal(ONE_WRONG))
        self.assertEqual(ESCAPE.sub("", shown), without_progress(in_pipe(ONE_WRONG)))


class Width(unittest.TestCase):
    def test_help_and_explanations_are_set_as_wide_as_the_terminal(self):
        for arguments in (["run", "--help"], ["explain", "openvino-reshape-1/alike-divided-before-1"]):
            for columns in (64, 110):
                prose = [line for line in in_terminal(arguments, columns).split("\n") if line.startswith("    ")]
                longest = max(len(ESCAPE.sub("", line)) for line in prose)
                self.assertLessEqual(longest, columns, max(prose, key=len))
                self.assertGreater(longest, columns - 14, arguments)


class Progress(unittest.TestCase):
    RUN = ["run", "-i", LIBRARY, "--suite-only", "-d", "openvino-reshape-1", "-t", "f32", "-t", "f64", "-j", "1"]

    def test_it_tells_how_far_and_how_long(self):
        said = in_terminal(self.RUN)
        self.assertRegex(said, r"\r\x1b\[K  [0-9]+ of [0-9]+ cases, about [0-9]+ (s|min) more")
        # It is wiped before the conclusion.
        self.assertNotRegex(without_progress(said), r"[0-9]+ of [0-9]+ cases")
        self.assertIn(GREEN_CONFORMS, said)

    def test_it_is_cut_to_the_terminal(self):
        said = in_terminal(self.RUN, columns=24)
        lines = [line for line in said.split(WIPE)[1:] if re.match(r"  [0-9]+ of", line)]
        self.assertTrue(lines)
        self.assertLess(max(len(line.split("\n")[0]) for line in lines), 24)

    def test_a_pipe_gets_none(self):
        self.assertNotIn("\r", in_pipe(FEW_RIGHT))


unittest.main(argv=sys.argv[:1], verbosity=2)
