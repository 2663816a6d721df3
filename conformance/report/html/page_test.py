"""Uses the HTML report in a browser: page_test.py PROGRAM LIBRARY [--screenshots FOLDER]

The program reports on LIBRARY and on a mutant of its ledger; the page is clicked, filtered and read by keyboard,
at three widths, light and dark. Skipped (exit code 77) where Chromium, its driver or selenium are not there.
"""
import argparse
import hashlib
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

DEBIAN_PYTHON = "/usr/bin/python3"  # where python3-selenium installs, if another one comes first in the path
SKIPPED = 77
WIDTHS = (400, 800, 1280)
MUTANT = "mutant:minus-one-rounds-down"
BYTES_MUTANT = "mutant:minus-zero-normalised"


def missing():
    if not shutil.which("chromium"):
        return "chromium is not installed"
    if not shutil.which("chromedriver"):
        return "chromedriver is not installed (Debian: chromium-driver)"
    if not importlib.util.find_spec("selenium"):
        return "selenium is not installed (Debian: python3-selenium)"
    return None


if not importlib.util.find_spec("selenium") and os.path.exists(DEBIAN_PYTHON) and "RESHAPE_AGAIN" not in os.environ:
    os.environ["RESHAPE_AGAIN"] = "1"
    os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON, "-B", *sys.argv])
if missing():
    print("skipped:", missing())
    sys.exit(SKIPPED)

import page_checks  # noqa: E402
from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select, WebDriverWait  # noqa: E402

BEFORE = '<script type="application/json" id="report">'
HOSTILE = ("</script><script>window.taken=1</script><img src=x onerror=\"window.taken=2\">&lt;img src=x "
           "onerror=window.taken=3&gt; <!-- '\"\\")


# As `compare --json` tells them: the ratio with its interval and the verdict.
RATIOS = {
    "layout/01 rows of 4096 elements whose columns come first": (1.31, 1.27, 1.36, "REGRESSED"),
    "copy/64 MiB": (0.62, 0.6, 0.65, "IMPROVED"),
    "infer/rank 4": (1.004, 0.99, 1.02, "PASS"),
    "small/2x3 to 3x2": (1.08, 0.91, 1.3, "UNRESOLVED"),
    "view/4 KiB": (1.1, None, None, "UNRESOLVED"),
    "callers/8": "the answer is wrong, or nothing was done",
}
SPEEDS = ["slower", "faster", "not slower", "not asserted", "not asserted", "not measured"]


def comparison(library, digest):
    """What compare --json writes of a library, with each verdict once."""
    workloads = []
    for name, one in RATIOS.items():
        arm = {"failure": one} if isinstance(one, str) else {"ratio": one[0], "verdict": one[3]}
        if "ratio" in arm and one[1]:
            arm.update(lower=one[1], upper=one[2])
        workloads.append({"name": name, "arms": {"candidate": arm}})
    return {"arms": [{"name": "baseline", "library": "before/libmine.so"},
                     {"name": "candidate", "library": library, "sha256": digest}],
            "machine": {"processor": "A processor", "processors": "2", "load": "0.40"},
            "workloads": workloads, "decision": "1 of 6 workloads is slower", "unpaired": ""}


def browser():
    options = webdriver.ChromeOptions()
    options.add_argument("--headless=new")
    options.add_argument("--disable-dev-shm-usage")
    options.add_argument("--hide-scrollbars")  # which take a part of the width, but not in a picture of the whole page
    options.add_argument("--force-prefers-reduced-motion")  # what scrolls on its way cannot be clicked
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # which Chromium does not have for root
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


def changed(page, change):
    """The page with its report changed by the function `change`."""
    begin = page.index(BEFORE) + len(BEFORE)
    end = page.index("</script>", begin)
    report = json.loads(page[begin:end])
    change(report)
    return page[:begin] + json.dumps(report).replace("<", "\\u003c") + page[end:]


def many(report, count):
    """Until its first run has `count` cases, told apart by their ids."""
    columns = report["runs"][0]["cases"]
    have = len(columns["id"])
    ids = report["values"]["id"]
    for key in columns:
        columns[key] = [columns[key][at % have] for at in range(count)]
    for at in range(have, count):
        ids.append(f"{ids[columns['id'][at]]}.{at}")
        columns["id"][at] = len(ids) - 1


def spoilt(report):
    """With words in every text of an implementation that would be taken for HTML."""
    for key in ("answered", "reason", "because", "request", "expected"):
        values = report["values"].get(key, [])
        values[:] = [value + HOSTILE for value in values]
    for run in report["runs"]:
        run["implementation"]["name"] += HOSTILE
        run["conclusion"] = HOSTILE + "x" * (1 << 20)
        for performance in run.get("performance", []):
            performance["notes"] = [HOSTILE]
            performance["library"] = performance["machine"] = performance["ratios"][0]["over"] = HOSTILE
            performance["ratios"][0]["rows"][0].update(workload=HOSTILE, why=HOSTILE)
        run["at_first_use"].append({"watch": "threads", "duty": "C14", "saw": HOSTILE, "waived": False})
    for faults in report["values"]["faults"]:
        faults[0]["answered"] = HOSTILE


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.file = pathlib.Path(cls.folder.name, "report.html")
        asked = [ARGUMENTS.program, "run", "-q", "-d", "openvino-reshape-1", "--type", "f64", "--html", cls.file,
                 "--diagnosis-seconds", "2", "--deadline", "60"]
        for library in (ARGUMENTS.library, MUTANT, BYTES_MUTANT):
            asked += ["-i", library]
        digest = hashlib.sha256(pathlib.Path(ARGUMENTS.library).read_bytes()).hexdigest()
        for name, library, of_file in (("a", "before/it/was/moved.so", digest), ("b", MUTANT, "")):
            file = pathlib.Path(cls.folder.name, f"compared-{name}.json")
            file.write_text(json.dumps(comparison(library, of_file)), encoding="utf-8")
            asked += ["--performance", file]
        done = subprocess.run(asked, stdout=subprocess.DEVNULL, check=False)
        assert done.returncode == 1, f"the run of a mutant ended with {done.returncode}"
        cls.text = cls.file.read_text(encoding="utf-8")
        cls.browser = browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.folder.cleanup()

    def setUp(self):
        self.browser.get_log("browser")
        self.browser.set_window_size(1280, 900)

    def tearDown(self):
        self.assertEqual([one["message"] for one in self.browser.get_log("browser")], [])

    def open(self, text=None):
        file = self.file
        if text is not None:
            file = pathlib.Path(self.folder.name, "changed.html")
            file.write_text(text, encoding="utf-8")
        self.browser.get(file.as_uri())

    def all(self, selector):
        return self.browser.find_elements("css selector", selector)

    def one(self, selector):
        found = self.all(selector)
        self.assertTrue(found, f"nothing is {selector}")
        return found[0]

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def until(self, condition, what):
        WebDriverWait(self.browser, 60).until(lambda _: condition(), what)

    def test_shows_the_first_run_that_does_not_conform(self):
        self.open()
        self.assertEqual(len(self.all("#summary article")), 3)
        self.assertIn("does not conform", self.all("#summary article")[1].text)
        chosen = Select(self.one("#run-choice")).first_selected_option
        self.assertEqual(chosen.get_attribute("value"), "1")

    def test_tells_a_failure_whole(self):
        self.open()
        group = self.one("#failures details[open]")
        for words in ("minus-one.divides", "reshape-conformance replay", "How the document comes to its answer"):
            self.assertIn(words, group.text)
        self.assertGreaterEqual(len(group.find_elements("css selector", "figure svg")), 1)
        button = group.find_element("css selector", ".command button")
        button.click()
        self.until(lambda: button.text in ("Copied", "Selected"), "the button does not answer")

    def test_marks_the_first_wrong_element(self):
        self.open()
        Select(self.one("#run-choice")).select_by_value("2")
        marked = self.all("#failures details[open] rect.marked")
        self.assertEqual(len(marked), 2, "one in the data, one in the output")
        labels = [one.text for one in self.all("#failures details[open] text.marked")]
        self.assertEqual(labels[0], labels[1])
        self.assertIn(f"element {labels[0]}", self.one("#failures details[open]").text)
        # The answer that follows from the document is no reason of itself.
        self.assertNotIn("because", [term.text for term in self.all("#failures details[open] dt")])

    def test_tells_what_broken_laws_and_threads_look_like(self):
        broken = {"name": "order is kept", "clause": "C17", "says": "in order", "tried": 12, "holds": False, "red": True, "undecided": False,
                  "wrong_alone": 0, "not_asked": "", "broken": "it is not", "known": "", "known_until": "", "lines": [],
                  "input": "", "seed": 1, "replay": "", "seconds": 0}

        def diagnosed(report):
            report["runs"][1]["laws"] = [broken, broken | {"name": "a", "undecided": True}, broken | {"name": "b", "known": "why"}]
            report["runs"][1]["law_diagnosis"] = {
                "findings": [{"law": "order is kept", "where": ["a 0"], "broken": 5, "broken_there": 4, "held": 7, "held_there": 0}],
                "threads": [{"laws": ["threads do not differ"], "says": "a second thread " + HOSTILE, "line": "x f32[2] i64[2]"}],
                "alike": [{"mutant": "keeps-the-last", "says": "the last answer is given again", "breaks": "C9", "public_bug": "",
                           "trials": 12, "agrees": 11}],
                "broken_compared": 5, "held_compared": 7, "mistakes": 3, "mistakes_asked": 3, "seconds": 1}

        self.open(changed(self.text, diagnosed))
        self.assertIn("1 law does not hold: order is kept.", self.one("#failures").text)
        told = self.one("#laws aside").text
        for words in ("threads do not differ: a second thread " + HOSTILE[:4], "asked x f32[2] i64[2]",
                      "broken in 5 of 12 trials, where the request has a 0", "4 of these begin with such a request",
                      "none of the 7 others", "the last answer is given again", "agrees in 11 of 12 trials"):
            self.assertIn(words, told)

    def test_tells_what_lies_around_a_failure_and_how_to_replay_the_smallest(self):
        def diagnosed(report):
            run = report["runs"][1]
            run["diagnosis"]["findings"][0]["around"] = {
                "asked": 90, "failed": 41, "passed": 49, "where": ["a size of 7", "data of f64"], "failures": 42,
                "failures_there": 42, "passes": 400, "passes_there": 0}
            run["generated"] = {"seed": 1, "requests": 1, "drawn": {}, "smallest": [
                {"id": "generated/1/0", "line": "x f32[2] i64[2]", "fails": "it does", "yaml": "a: b",
                 "replay": "reshape-conformance replay 'x f32[2] i64[2]' -i y.so"}]}

        self.open(changed(self.text, diagnosed))
        told = self.one("#failures aside").text
        for words in ("of 90 requests that differ little from it, 41 fail as well",
                      "all 42 that fail have a size of 7 and data of f64", "of 400 that pass none has"):
            self.assertIn(words, told)
        self.assertIn("reshape-conformance replay 'x f32[2] i64[2]' -i y.so", self.one("#failures").text)

    def test_tells_no_conditions_of_what_may_have_another_cause(self):
        def diagnosed(report):
            found = report["runs"][1]["diagnosis"]["findings"]
            found[0] |= {"where": [], "mostly": "strided data", "failures_mostly": 2, "passes_mostly": 0, "passes": 9,
                         "place": "copy at mine.c:4", "at_place": 2, "with_place": 3}
            for key in ("as_the_first", "as_known"):
                found.append(found[0] | {"where": ["no flag"], "place": "", "at_place": 0, key: True})

        self.open(changed(self.text, diagnosed))
        told = self.one("#failures aside").text
        for words in ("most of them (2) have strided data; of 9 passing cases that it could have met none has",
                      "2 of 3 whose place is known lie at copy at mine.c:4",
                      "which may come of the same as the first", "which that mistake explains where they were compared"):
            self.assertIn(words, told)
        self.assertNotIn("no flag", told)

    def test_draws_ratios_on_an_axis(self):
        self.open()
        rows = self.all("#performance tbody tr")
        self.assertEqual([row.find_element("css selector", "th").text for row in rows], list(RATIOS))
        self.assertEqual([row.find_element("css selector", ".badge").text for row in rows], SPEEDS)
        self.assertIn("1.31 [1.27, 1.36]", rows[0].text)
        self.assertIn("1 of 6 workloads is slower", self.one("#performance").text)
        self.assertIn("Of 6 workloads: 1 slower, 1 faster, 1 not slower, 2 not asserted, 1 not measured.",
                      self.one("#performance").text)
        self.assertIn("1", [one.text for one in self.all("#performance thead text")])
        middle = ("const parts = arguments[0].querySelectorAll(arguments[1]);"
                  "return [...parts].map((one) => one.getBoundingClientRect()).map((one) => (one.left + one.right) / 2)")
        ends = ("const line = arguments[0].querySelector('.interval');"
                "const rect = line && line.getBoundingClientRect(); return rect ? [rect.left, rect.right] : null")
        mark = [self.script(middle, row, "path") for row in rows]
        one = self.script(middle, rows[0], ".one")[0]
        self.assertGreater(mark[0][0], one + 20)
        self.assertLess(mark[1][0], one - 20)
        self.assertEqual(mark[5], [])
        for row, at in zip(rows[:4], mark):
            left, right = self.script(ends, row)
            self.assertTrue(left - 2 < at[0] < right + 2, f"{left} {at} {right}")
        self.assertIsNone(self.script(ends, rows[4]))
        forms = {row.find_element("css selector", "path").get_attribute("d") for row in rows[:3]}
        self.assertEqual(len(forms), 3, "marks that only their colour tells apart")
        fills = [self.script("return getComputedStyle(arguments[0].querySelector('path')).fill", row) for row in rows[2:4]]
        self.assertNotEqual(*fills)

    def test_has_no_part_for_ratios_where_there_are_none(self):
        self.open()
        link, part = self.one("#performance-link"), self.one("#performance")
        for run, shown in (("2", False), ("0", True)):
            Select(self.one("#run-choice")).select_by_value(run)
            self.assertEqual([link.is_displayed(), part.is_displayed()], [shown, shown])
        self.assertIn("before/it/was/moved.so", part.text)

    def test_filters_the_cases(self):
        self.open()
        Select(self.one("#case-verdict")).select_by_value("fail")
        shown = {one.text for one in self.all("#case-table tbody .badge")}
        self.assertEqual(shown, {"fail"})
        failed = self.script("return JSON.parse(document.getElementById('report').textContent)"
                             ".runs[document.getElementById('run-choice').value].summary.all.fail")
        self.assertRegex(self.one("#case-filter").text, f"^{failed:,} of ")
        self.one("#case-search").send_keys("no such words")
        self.until(lambda: "No case is like that" in self.one("#case-table").text, "the search finds nothing wrong")
        self.one("#case-clear").click()
        self.one("#case-search").send_keys("minus-one F64")
        # One look at all of them, for the table is drawn anew meanwhile.
        self.until(lambda: self.script("const all = [...document.querySelectorAll('#case-table td.request')];"
                                       "return all.length && all.every((one) => one.textContent.includes('f64'))"),
                   "the search does not cut")

    def test_sorts_and_turns_pages(self):
        self.open()
        self.all("#case-table thead th")[1].click()
        ids = [one.text for one in self.all("#case-table td.id")]
        self.assertEqual(ids, sorted(ids))
        self.one("#case-table .paginate_button.next").click()
        self.assertGreater(self.all("#case-table td.id")[0].text, ids[-1])

    def test_opens_a_case_by_keyboard(self):
        self.open()
        button = self.one("#case-table button.link")
        button.send_keys(Keys.ENTER)
        dialog = self.one("#one-case")
        self.until(dialog.is_displayed, "no dialog")
        self.assertIn(button.get_attribute("textContent"), dialog.text)
        self.browser.switch_to.active_element.send_keys(Keys.ESCAPE)
        self.until(lambda: not dialog.is_displayed(), "Escape does not close it")
        self.assertEqual(self.browser.switch_to.active_element, button)

    def test_goes_from_a_clause_to_its_cases(self):
        self.open()
        self.one("#clause-search").send_keys("minus-one.divides")
        self.assertRegex(self.one("#clause-count").text, "^1 of ")
        self.one("#clause-list summary").send_keys(Keys.ENTER)
        self.until(lambda: self.all("#clause-list details[open] button"), "the clause does not open")
        self.one("#clause-list details[open] button").click()
        self.assertIn("of the clause minus-one.divides", self.one("#case-filter").text)

    def test_begins_with_a_link_past_the_navigation(self):
        self.open()
        self.one("body").send_keys(Keys.TAB)
        self.assertEqual(self.browser.switch_to.active_element.text, "Skip to the content")

    def test_can_be_read_at_every_width_light_and_dark(self):
        self.open()
        for width in WIDTHS:
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600})
            for scheme in ("light", "dark"):
                self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                    "features": [{"name": "prefers-color-scheme", "value": scheme}]})
                with self.subTest(width=width, scheme=scheme):
                    self.assertEqual(self.script(page_checks.WIDER_THAN_THE_WINDOW), [])
                    self.assertEqual(self.script(page_checks.HARD_TO_READ), [])
                    self.assertEqual(self.script(page_checks.CUT_WORDS), [])
                    if width >= 800:
                        self.assertEqual(self.script(page_checks.HIDDEN_LINKS), [])
                    self.assertEqual(page_checks.without_a_name(self.browser), [])
                if ARGUMENTS.screenshots:
                    page_checks.keep(self.browser, pathlib.Path(ARGUMENTS.screenshots, f"{width}-{scheme}.png"))
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    def test_words_of_an_implementation_stay_words(self):
        self.open(changed(self.text, spoilt))
        self.one("#case-search").send_keys("<img &lt;")
        self.until(lambda: HOSTILE[:20] in self.one("#case-table").text, "the words are not shown")
        self.one("#case-table button.link").click()
        self.assertIn("<script>", self.one("#one-case").text)
        self.assertIsNone(self.script("return window.taken"))
        self.assertEqual(self.all("img"), [])

    def test_a_large_report_draws_one_page(self):
        self.open(changed(self.text, lambda report: many(report, 20000)))
        Select(self.one("#run-choice")).select_by_value("0")
        self.assertIn("20,000 of 20,000 cases", self.one("#case-filter").text)
        self.assertEqual(len(self.all("#case-table tbody tr")), 25)
        self.assertLess(self.script("return document.querySelectorAll('*').length"), 20000)
        print("20,000 cases:", self.script(
            "const [one] = performance.getEntriesByType('navigation'); return Math.round(one.loadEventEnd)"), "ms")

    def test_says_what_it_cannot_show_without_its_libraries(self):
        end = self.text.rindex(BEFORE)
        scripts = self.text.index("<script>", end)
        own = self.text.rindex("<script>")
        self.open(self.text[:scripts] + self.text[own:])
        self.assertIn("needs jQuery and DataTables", self.one("#case-table").text)
        self.assertTrue(self.all("#failures details"))


parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("library")
parser.add_argument("--screenshots", help="folder to write them to")
ARGUMENTS, REST = parser.parse_known_args()
unittest.main(argv=[sys.argv[0], *REST], verbosity=2)
