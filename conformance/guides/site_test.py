"""The documentation site, as ./dev docs builds it: site_test.py PROGRAM WORK

Skipped (exit code 77) where mkdocs and its theme are not there; ./dev docs installs them."""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM, WORK = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
SKIPPED = 77
SITE = WORK / "site"


def built(output, script=HERE / "site.py"):
    return subprocess.run([sys.executable, "-B", script, PROGRAM, output], check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def setUpModule():
    done = built(WORK)
    if done.returncode != 0:
        sys.exit(done.stdout)


def pages():
    return sorted(SITE.rglob("*.html"))


class Pages(unittest.TestCase):
    def test_guides_and_documents_are_there(self):
        for page in ("index.html", "conformance/guides/READING_A_FAILURE/index.html", "options/index.html",
                     "documents/index.html", "documents/openvino-reshape-1/index.html"):
            self.assertTrue((SITE / page).exists(), page)

    def test_clauses_are_those_of_the_suite(self):
        page = (SITE / "documents/openvino-reshape-1/index.html").read_text(encoding="utf-8")
        clauses = re.findall(r"^  ([a-z.0-9-]+) +(?:must|should|may|derived|silent) ", subprocess.run(
            [PROGRAM, "trace"], check=True, text=True, stdout=subprocess.PIPE).stdout.split("openvino-reshape-1: ")[1]
            .split("\n\n")[0], re.MULTILINE)
        self.assertGreater(len(clauses), 20)
        for clause in clauses:
            self.assertRegex(page, rf"<h3 [^>]*>{re.escape(clause)}<")

    def test_nothing_is_fetched_from_elsewhere(self):
        for page in pages():
            text = page.read_text(encoding="utf-8")
            self.assertEqual(re.findall(r'<(?:script|img|iframe)[^>]*\bsrc="?https?:[^ >]*', text), [], page)
            self.assertEqual(re.findall(r'<link[^>]*rel="?(?:stylesheet|preconnect)[^>]*https?:[^ >]*', text), [], page)

    def test_a_link_that_leads_nowhere_is_refused(self):
        copy = WORK.with_name(WORK.name + "-copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(HERE, copy / "conformance/guides")
        (copy / "README.md").write_text("[a page](gone.c)\n")
        settings = copy / "conformance/guides/mkdocs.yml"
        settings.write_text(settings.read_text().split("nav:")[0] + "nav: [{Start: README.md}]\n")
        done = built(copy / "out", copy / "conformance/guides/site.py")
        shutil.rmtree(copy)
        self.assertEqual((done.returncode, done.stdout), (1, "site.py: README.md leads to gone.c, which is not there\n"))


if __name__ == "__main__":
    if not shutil.which("mkdocs"):
        print("skipped: mkdocs is not installed (Debian: mkdocs mkdocs-material); ./dev docs installs it")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1], verbosity=2)
