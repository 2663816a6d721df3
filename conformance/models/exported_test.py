"""Exports cases as backend tests of ONNX and has the onnx package's own evaluator answer them.

  exported_test.py PROGRAM FOLDER

FOLDER holds what `./dev implementations` has installed. Each model has to pass the package's checker, and the
answers are compared bit for bit. Exit codes: 0, 1 with what is wrong, 77 without onnx.
"""
import pathlib
import subprocess
import sys
import tempfile

ASK = """
import pathlib, sys, numpy, onnx
from onnx.reference import ReferenceEvaluator
tests = wrong = 0
for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    model = onnx.load(str(folder / "model.onnx"))
    onnx.checker.check_model(model, full_check=True)
    for data in sorted(folder.glob("test_data_set_*")):
        tensors = [onnx.load_tensor(str(path)) for path in sorted(data.glob("input_*.pb"))]
        output = onnx.load_tensor(str(data / "output_0.pb"))
        if any(len(tensor.dims) > 64 for tensor in [*tensors, output]):
            continue  # NumPy has no more dimensions
        says = onnx.numpy_helper.to_array(output)
        feeds = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in tensors}
        came = ReferenceEvaluator(model).run(None, feeds)[0]
        tests += 1
        if came.shape != says.shape or came.tobytes() != says.tobytes():
            wrong += 1
            print(f"{folder.name}/{data.name}: {came.shape}, and not {says.shape}, or other elements")
print(f"onnx {onnx.__version__}: {tests} data sets, {wrong} answered otherwise")
sys.exit(1 if wrong or not tests else 0)
"""
# A document before allowzero came, one with it, and the newest.
CHOSEN = [("onnx-reshape-5", "zero.copies"), ("onnx-reshape-14", "zero.literal"),
          ("onnx-reshape-25", "minus-one.inferred")]


def main():
    program, folder = sys.argv[1:]
    for python in sorted(pathlib.Path(folder).glob("*/venv/bin/python")):
        if subprocess.run([python, "-c", "import onnx.reference"], capture_output=True, check=False).returncode == 0:
            break
    else:
        print("No onnx is installed here: ./dev implementations onnx --prepare")
        return 77
    with tempfile.TemporaryDirectory(prefix="exported-") as home:
        tests = pathlib.Path(home, "tests")
        tests.mkdir()
        for dialect, clause in CHOSEN:
            into = pathlib.Path(home, dialect)
            done = subprocess.run([program, "export", "--onnx", into, "-d", dialect, "-c", clause, "-t", "f32"],
                                  capture_output=True, text=True, check=False)
            if done.returncode != 0:
                print(done.stdout + done.stderr)
                return 1
            for test in into.iterdir():
                test.rename(tests / test.name)
        return subprocess.run([python, "-c", ASK, tests], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
