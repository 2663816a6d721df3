"""Imports the models that other people's packages bring, and asks the reference what came out.

  shipped_test.py PROGRAM LIBRARY FOLDER...

Each FOLDER is looked through for ONNX models and OpenVINO IR: what `./dev implementations` has installed, and
Debian's libonnx-testdata. Where a virtual environment there has the package onnx, each ONNX model with a Reshape
is imported once more with the shapes that onnx infers. Every model has to be read, none may be called broken,
and the reference has to pass every case. Exit codes: 0, 1 with what is wrong, 77 where there is no model.
"""
import collections
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SPECS = pathlib.Path(__file__).resolve().parents[2] / "specs"
SUMMARY = re.compile(r"(\d+) cases? of (\d+) Reshape \w+, of (\d+) in all")
NOTHING = re.compile(r"import: (?:of (\d+) Reshape \w+ in )?.*(?:, has no Reshape|, none states a request)")
LEFT = re.compile(r"Left out, ([^:]*): (\d+)")
DIFFERS = re.compile(r"Not what the document says.*")
INFER = """
import pathlib, sys, onnx
folder = pathlib.Path(sys.argv[1])
for number, path in enumerate(sys.stdin.read().splitlines()):
    model = onnx.load(path)
    if any(node.op_type == "Reshape" for node in model.graph.node):
        shaped = onnx.shape_inference.infer_shapes(model, data_prop=True)
        onnx.save(shaped, str(folder / f"{number}-{pathlib.Path(path).stem}.onnx"))
"""


def models_of(folders):
    """Each model once: several virtual environments have the same packages."""
    seen = set()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix not in (".onnx", ".xml") or not path.is_file():
                continue
            content = path.read_bytes()
            digest = hashlib.sha256(content).digest()
            if digest in seen or (path.suffix == ".xml" and b"<net " not in content[:1000]):
                continue
            seen.add(digest)
            yield path


def inferred(folders, models, into):
    """The ONNX models with a Reshape, with the shapes that onnx infers; none where no onnx is installed."""
    for folder in folders:
        for python in sorted(folder.glob("*/venv/bin/python")):
            if subprocess.run([python, "-c", "import onnx"], capture_output=True, check=False).returncode:
                continue
            names = "\n".join(str(path) for path in models if path.suffix == ".onnx")
            subprocess.run([python, "-c", INFER, into], input=names, text=True, check=True)
            return sorted(into.iterdir())
    return []


class Imports:
    """The suite with the cases of these models in place of its own."""

    def __init__(self, program, folder):
        self.program = program
        self.specs = folder / "specs"
        shutil.copytree(SPECS, self.specs, ignore=shutil.ignore_patterns("cases", "regressions"))
        (self.specs / "cases").mkdir()
        self.wrong = []
        self.files = 0

    def read(self, what, models):
        counts, left = collections.Counter(), collections.Counter()
        for path in models:
            output = self.specs / "cases" / f"{self.files:05d}.yaml"
            done = subprocess.run([self.program, "import", path, "--specs", self.specs, "-o", output],
                                  capture_output=True, text=True, check=False, timeout=120)
            said = done.stdout + done.stderr
            summary = SUMMARY.search(said) if done.returncode == 0 else None
            nothing = NOTHING.search(said) if done.returncode == 4 else None
            if not summary and not nothing:
                self.wrong.append(f"{path}: exit code {done.returncode}: {said.strip()}")
                continue
            self.files += done.returncode == 0
            found = map(int, summary.groups()) if summary else (0, 0, int(nothing[1] or 0))
            found = dict(zip(("cases", "stated", "reshapes"), found))
            counts.update(found)
            counts["with a Reshape"] += found["reshapes"] > 0
            left.update({why: int(count) for why, count in LEFT.findall(said)})
            for line in DIFFERS.findall(said):
                print(f"{path.name}: {line}")
        print(f"{what}: {len(models)} models, {counts['with a Reshape']} with a Reshape; {counts['cases']} cases "
              f"of {counts['stated']} Reshapes, of {counts['reshapes']} in all")
        for why, count in left.most_common():
            print(f"  left out, {why}: {count}")

    def gate(self, library):
        done = subprocess.run([self.program, "run", "-q", "--suite-only", "--specs", self.specs,
                               "-i", library],
                              capture_output=True, text=True, check=False, timeout=600)
        print((done.stdout.strip() or done.stderr.strip()).splitlines()[-1])
        if done.returncode != 0:
            self.wrong.append(f"the gate ended with {done.returncode}: {done.stdout}{done.stderr}")


def main():
    program, library, *folders = sys.argv[1:]
    folders = [pathlib.Path(folder) for folder in folders if pathlib.Path(folder).is_dir()]
    models = list(models_of(folders))
    if not models:
        print("No models are installed here: ./dev implementations onnx --prepare, or Debian's libonnx-testdata")
        return 77
    with tempfile.TemporaryDirectory(prefix="models-") as folder:
        shaped = pathlib.Path(folder, "shaped")
        shaped.mkdir()
        imports = Imports(program, pathlib.Path(folder))
        imports.read("As they are", models)
        imports.read("With inferred shapes", inferred(folders, models, shaped))
        if imports.files:
            imports.gate(library)
    for sentence in imports.wrong:
        print(sentence)
    return 1 if imports.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
