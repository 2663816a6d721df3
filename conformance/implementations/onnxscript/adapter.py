"""ONNX Script: what the model computes that its optimizer makes of a Reshape.

    adapter.py folded | merged

The ways are those of onnx_model.py.
"""

import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parents[1]), str(pathlib.Path(__file__).parents[2] / "python")]

import onnxscript.optimizer
from onnx_model import serve_rewriter

serve_rewriter(onnxscript.optimizer.optimize, sys.argv[1], name="onnxscript", version=onnxscript.__version__)
