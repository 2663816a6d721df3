"""The Debian package, as users have it: built, held to Debian's policy, unpacked, and used.

package_test.py CPACK CONFIG EXAMPLE WORK: cpack, what CMake wrote for it, the smallest plug-in's source, and a folder to write to.
Skipped (exit code 77) where dpkg-deb, dpkg-shlibdeps or lintian are not there; ./dev package installs them."""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

CPACK, CONFIG, EXAMPLE, WORK = sys.argv[1], *(pathlib.Path(word).resolve() for word in sys.argv[2:5])
NEEDED = ("dpkg-deb", "dpkg-shlibdeps", "lintian", "fakeroot")
SKIPPED = 77
ROOT = WORK / "root"


def ran(*words, **options):
    return subprocess.run([str(word) for word in words], check=False, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def must(*words, **options):
    done = ran(*words, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def setUpModule():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    # Whoever packs may let nobody else into what he makes; what is installed is for all.
    must("sh", "-c", f"umask 077 && '{CPACK}' --config '{CONFIG}' -G DEB -B '{WORK}'")
    must("dpkg-deb", "-x", package(), ROOT)


def package():
    made, = WORK.glob("*.deb")
    return made


class Package(unittest.TestCase):
    def test_lintian_has_nothing_to_say(self):
        done = ran("lintian", "--allow-root", "--fail-on", "error,warning", "--no-cfg", package())
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_it_says_what_it_needs(self):
        fields = must("dpkg-deb", "-f", package())
        version = re.search(r"^Version: (\S+)$", fields, re.MULTILINE)[1]
        self.assertEqual(package().name.split("_")[:2], ["reshape-conformance", version])
        self.assertRegex(fields, r"(?m)^Depends: .*\blibc6\b.*\blibyaml-cpp")

    def test_everybody_can_read_it(self):
        closed = must("find", ROOT, "-mindepth", "1", "-not", "-perm", "-004")
        self.assertEqual(closed, "")

    def test_manual_pages_and_news_are_there(self):
        page = gzip.decompress((ROOT / "usr/share/man/man1/reshape-conformance-run.1.gz").read_bytes()).decode()
        self.assertIn(".SH OPTIONS", page)
        news = gzip.decompress((ROOT / "usr/share/doc/reshape-conformance/CHANGELOG.md.gz").read_bytes()).decode()
        self.assertIn("## Unreleased", news)

    def test_each_shell_finds_its_completion_where_debian_looks(self):
        for file in ("bash-completion/completions/reshape-conformance", "zsh/vendor-completions/_reshape-conformance",
                     "fish/vendor_completions.d/reshape-conformance.fish"):
            self.assertIn("reshape-conformance", (ROOT / "usr/share" / file).read_text(), file)

    def test_the_program_gates_what_it_brings(self):
        program = ROOT / "usr/bin/reshape-conformance"
        reference, = ROOT.glob("usr/lib/**/libreference.so")
        done = ran(program, "run", "-q", "-i", reference, "--suite-only", "-f", "openvino-reshape-1/example-?")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"reference \S+ conforms: [1-9]")
        done = ran(program, "run", "-q", "-i", "mutant:minus-one-rounds-down", "--suite-only", "--no-diagnosis",
                   "-f", "openvino-reshape-1/alike-divided-before-1")
        self.assertEqual(done.returncode, 1, done.stdout)

    @unittest.skipUnless(shutil.which("gcc"), "gcc is not installed")
    def test_the_header_serves_the_smallest_plug_in(self):
        library = WORK / "libmine.so"
        must("gcc", "-shared", "-fPIC", "-I", ROOT / "usr/include/reshape-conformance", EXAMPLE, "-o", library)
        done = ran(ROOT / "usr/bin/reshape-conformance", "doctor", "-i", library)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    lacking = [name for name in NEEDED if not shutil.which(name)]
    if lacking:
        print(f"skipped: {', '.join(lacking)} not installed; ./dev package installs what is missing")
        sys.exit(SKIPPED)
    os.environ.pop("SOURCE_DATE_EPOCH", None)
    unittest.main(argv=sys.argv[:1], verbosity=2)
