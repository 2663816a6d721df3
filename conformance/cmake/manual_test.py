"""Manual pages and completions against the program's help: manual_test.py PROGRAM FOLDER_OF_PAGES"""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

PROGRAM, PAGES = sys.argv[1], pathlib.Path(sys.argv[2])


def said(*words, **options):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


# Gives an interactive zsh with the completions of folder $1 the line $2 and the key Tab, and prints what is offered, in <>.
ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; stty -echo; fpath=(${(q)1} \$fpath); autoload -Uz compinit; compinit -u -D"
zpty -w shell 'compadd() { local -a made; builtin compadd -O made "$@"; print -rl -- "<"$^made">"; builtin compadd "$@" }'
zpty -w shell 'finish() { print "<END>"; exit }; comppostfuncs=(finish); print "<""READY>"'
zpty -r shell out '*<READY>*'
zpty -w -n shell "$2"$'\t'
zpty -r shell out '*<END>*'
print -r -- $out
"""

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

    def expect_completions(self, complete):
        """That `complete`, given the words of a line, the last one begun, names the words that the help has."""
        self.assertTrue({"run", "explain", "verify"} <= complete(""))
        self.assertEqual(complete("expl"), {"explain"})
        self.assertEqual(complete("--vers"), {"--version"})
        self.assertEqual(complete("run", "--ht"), {"--html"})
        self.assertEqual(complete("lint", "--ht"), set())
        for command in ("run", "mutants", "completion"):
            self.assertEqual({word for word in complete(command, "--") if word.startswith("--")}, options_of(command))

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_completes_commands_and_options(self):
        file = PAGES / "reshape-conformance.fish"
        subprocess.run(["fish", "--no-config", "--no-execute", file], check=True)

        def complete(*words):
            line = shlex.join(["reshape-conformance", *words[:-1]]) + " " + words[-1]
            script = f"source {shlex.quote(str(file))}; complete --do-complete={shlex.quote(line)}"
            return {one.split("\t")[0] for one in said("fish", "--no-config", "-c", script).splitlines()}

        self.expect_completions(complete)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_completes_commands_and_options(self):
        subprocess.run(["zsh", "-f", "-n", PAGES / "_reshape-conformance"], check=True)

        def complete(*words):
            offered = said("zsh", "-f", "-c", ZSH, "zsh", PAGES, shlex.join(["reshape-conformance", *words[:-1]]) + " " +
                           words[-1], timeout=60)
            return set(re.findall("<([^<>]+)>", offered)) - {"END"}

        self.expect_completions(complete)


unittest.main(argv=sys.argv[:1], verbosity=2)
