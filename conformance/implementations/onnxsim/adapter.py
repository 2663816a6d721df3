"""ONNX Simplifier: what the model computes that it makes of a Reshape.

    adapter.py folded | merged

The ways are those of onnx_model.py.
"""

import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parents[1]), str(pathlib.Path(__file__).parents[2] / "python")]

import onnxsim
from onnx_model import serve_rewriter

serve_rewriter(lambda model: onnxsim.simplify(model)[0], sys.argv[1], name="onnxsim", version=onnxsim.__version__)
