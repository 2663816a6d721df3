"""Manual pages and completions against the program's help: manual_test.py PROGRAM FOLDER_OF_PAGES"""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

PROGRAM, PAGES = sys.argv[1], pathlib.Path(sys.argv[2])


def said(*words, **options):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


COMMANDS = said(PROGRAM, "manual", "--list").split()


def options_of(command):
    """The long options that --help tells of: what begins a line, not what an option needs or excludes."""
    return set(re.findall(r"^  (?:-\w,)?(--[a-z][a-z-]+)", said(PROGRAM, command, "--help"), re.MULTILINE))


class Pages(unittest.TestCase):
    def test_every_command_has_a_page_with_its_options(self):
        self.assertIn("run", COMMANDS)
        for command in COMMANDS:
            page = (PAGES / f"man1/reshape-conformance-{command}.1").read_text().replace("\\-", "-")
            options = options_of(command)
            self.assertIn("--help", options)
            for option in options:
                self.assertIn(f"\\fB{option}\\fR", page, command)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_pages_are_set_without_a_warning(self):
        for page in sorted((PAGES / "man1").iterdir()):
            done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z", page], check=False, text=True,
                                  stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)

    def complete(self, *words):
        script = (f"source '{PAGES}/reshape-conformance'; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); "
                  "_reshape_conformance; printf '%s\\n' \"${COMPREPLY[@]}\"")
        return set(said("bash", "--norc", "-c", script, "bash", "reshape-conformance", *words).split())

    def test_bash_completes_commands_and_options(self):
        self.assertEqual(self.complete("expl"), {"explain"})
        self.assertTrue(set(COMMANDS) <= self.complete(""))
        self.assertEqual(self.complete("run", "--ht"), {"--html"})
        self.assertEqual(self.complete("lint", "--ht"), set())
        for command in COMMANDS:
            self.assertTrue(options_of(command) <= self.complete(command, "--"), command)

    def test_other_shells_read_theirs(self):
        for shell, file in (("zsh", "_reshape-conformance"), ("fish", "reshape-conformance.fish")):
            text = (PAGES / file).read_text()
            for command in COMMANDS:
                self.assertIn(command, text)
            if shutil.which(shell):
                subprocess.run([shell, "-n", PAGES / file], check=True)


unittest.main(argv=sys.argv[:1], verbosity=2)
