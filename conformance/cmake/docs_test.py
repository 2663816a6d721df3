"""Is the README short, and does every link between the documents lead somewhere? docs_test.py ROOT_OF_THE_PROJECT"""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv[1]).resolve()
MOST_LINES = 150
NOT_OURS = {"build", ".git"}


def documents():
    return [file for file in sorted(ROOT.rglob("*.md")) if not NOT_OURS & set(file.relative_to(ROOT).parts)]


class Documents(unittest.TestCase):
    def test_readme_is_short(self):
        lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
        self.assertLess(len(lines), MOST_LINES)

    def test_links_lead_somewhere(self):
        self.assertGreater(len(documents()), 10)
        dead = []
        for file in documents():
            text = file.read_text(encoding="utf-8")
            for link in re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", text) + re.findall(r'<img src="([^"]+)"', text):
                target = link.split("#")[0]
                if re.match(r"[a-z]+:", link) or not target:
                    continue
                if not (file.parent / target).exists():
                    dead.append(f"{file.relative_to(ROOT)}: {link}")
        self.assertEqual(dead, [])

    def test_readme_leads_to_every_guide(self):
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        for guide in ("specs/README.md", "fuzz/README.md", "fuzz/AT_SCALE.md", "optimized/benchmark/README.md", "CONTRIBUTING.md",
                      *(str(file.relative_to(ROOT)) for folder in ("conformance", "conformance/guides", "conformance/run", "conformance/python",
                                                                  "conformance/javascript", "conformance/performance",
                                                                  "conformance/implementations")
                        for file in sorted((ROOT / folder).glob("[A-Z]*.md")) if file.name != "LAYOUT.md")):
            self.assertIn(f"]({guide})", readme)


unittest.main(argv=sys.argv[:1], verbosity=2)
