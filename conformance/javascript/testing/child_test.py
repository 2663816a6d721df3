"""The child's side of the protocol in JavaScript, asked by the program.

child_test.py PROGRAM: reshape-conformance. Names of tests behind it: these alone. Ends with 77 where there is no node
of version 18 or later.
"""
import pathlib
import shutil
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
SKIPPED = 77
ONE = "numpy-reshape/infer-first"


def asked(child, *filters, deadline=20):
    cases = [word for one in filters or (ONE,) for word in ("-f", one)]
    command = [PROGRAM, "run", "-q", "-i", f"child:node '{HERE}/children.js' {child}", *cases, "--suite-only", "--no-laws",
               "--no-diagnosis", "--waive", "*", "--deadline", str(deadline)]
    done = subprocess.run(command, check=False, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


class Child(unittest.TestCase):
    def right(self, child, *filters):
        code, said = asked(child, *filters)
        self.assertEqual(code, 0, f"{child}: {said}")
        self.assertIn(f"{child} 1 conforms", said)

    def wrong(self, child, words, *filters, deadline=20):
        code, said = asked(child, *filters, deadline=deadline)
        self.assertEqual(code, 1, f"{child}: {said}")
        self.assertIn(words, said, child)

    def test_ways_to_be_right(self):
        for child in ("plain", "later", "prints", "as_numbers", "workers"):
            self.right(child)

    def test_sizes_beyond_2_to_53_stay_what_they_are(self):
        self.right("plain", "*/empty-asks-2-to-53-plus-1", "*/size-2-to-63-minus-2", "*/size-2-to-63-minus-1")
        self.wrong("rounds", "answered  produced [0,9007199254740992]", "*/empty-asks-2-to-53-plus-1")

    def test_long_lines_come_and_go(self):
        self.right("plain", "*/large-1-mib", "*/large-1-mib-and-a-tail")

    def test_a_wrong_one_is_told(self):
        self.wrong("reversed", "bytes plane")

    def test_a_fraction_is_no_size(self):
        self.wrong("fraction", "1.5, which is no integer")

    def test_refusals_are_answers(self):
        self.wrong("refuses_all", "rejected (not today)")
        self.wrong("refuses_at_length", "rejected (no")
        self.wrong("has_not", "unsupported (not here)")

    def test_what_is_thrown_is_quoted(self):
        self.wrong("raises_another", "it printed last: TypeError: Cannot read properties of undefined")
        self.wrong("nothing", "it printed last: TypeError: ")

    def test_ways_to_end(self):
        self.wrong("exits", "the child ended with exit(0) instead of answering")
        self.wrong("aborts", "the child died of SIGABRT")
        for child in ("hangs", "waits"):
            self.wrong(child, "no answer within 2 s", deadline=2)

    def test_what_cannot_be_loaded_is_told(self):
        code, said = asked("unloadable")
        self.assertEqual(code, 3, said)
        self.assertIn("it printed last: Error: Cannot find module 'no-such-module'", said)


def without_node():
    node = shutil.which("node")
    if node is None:
        return "there is no node"
    said = subprocess.run([node, "--version"], check=False, text=True, capture_output=True).stdout.strip()
    if int(said.lstrip("v").split(".")[0] or 0) < 18:
        return f"node is {said}, and 18 is needed"
    return None


if __name__ == "__main__":
    missing = without_node()
    if missing:
        print(f"skipped: {missing}")
        sys.exit(SKIPPED)
    unittest.main()
