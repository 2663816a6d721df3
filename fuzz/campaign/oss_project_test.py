"""Is what oss_project.py writes a project of OSS-Fuzz, and of the same build as ClusterFuzzLite's?"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import yaml

HERE = pathlib.Path(__file__).resolve().parent
LAYOUT = HERE.parents[1] / ".clusterfuzzlite"
URL, CONTACT = "https://forge.example/owner/reshape-conformance", "somebody@forge.example"


def written(folder):
    return subprocess.run([sys.executable, "-B", HERE / "oss_project.py", folder, "--repository", URL,
                           "--contact", CONTACT], check=False, text=True, capture_output=True)


class Project(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name, "projects/reshape-conformance")

    def test_it_has_what_oss_fuzz_asks_for(self):
        done = written(self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        told = yaml.safe_load((self.folder / "project.yaml").read_text())
        ours = yaml.safe_load((LAYOUT / "project.yaml").read_text())
        self.assertEqual(told, {**ours, "homepage": URL, "main_repo": URL, "primary_contact": CONTACT})
        self.assertEqual((self.folder / "build.sh").read_bytes(), (LAYOUT / "build.sh").read_bytes())

    def test_it_clones_and_copies_no_sources(self):
        written(self.folder)
        lines = (self.folder / "Dockerfile").read_text().splitlines()
        self.assertIn(f"RUN git clone --depth 1 {URL} $SRC/reshape-conformance", lines)
        self.assertEqual([line for line in lines if line.startswith("COPY")], ["COPY build.sh $SRC/build.sh"])

    def test_the_base_is_one_of_the_system_that_the_project_names(self):
        version = yaml.safe_load((LAYOUT / "project.yaml").read_text())["base_os_version"]
        self.assertIn(f"FROM gcr.io/oss-fuzz-base/base-builder:{version}\n", (LAYOUT / "Dockerfile").read_text())

    def test_a_folder_that_cannot_be_written_is_one_sentence(self):
        (self.folder.parents[1] / "projects").write_text("a file")
        done = written(self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)


unittest.main(argv=sys.argv[:1], verbosity=2)
