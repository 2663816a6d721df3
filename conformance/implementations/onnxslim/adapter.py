"""OnnxSlim: the shape that its inference says of a Reshape, and what the model computes that it makes of one.

    adapter.py inferred | folded | merged | inner

The ways other than the first are those of onnx_model.py.
"""

import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parents[1]), str(pathlib.Path(__file__).parents[2] / "python")]

import onnxslim
from onnx_model import serve_inference, serve_rewriter
from onnx_request import DIALECTS
from onnxslim.third_party.symbolic_shape_infer import SymbolicShapeInference

WAY = sys.argv[1]
ABOUT = {"version": onnxslim.__version__, "dialects": DIALECTS[1:]}  # it takes no operator sets below 7

if WAY == "inferred":
    serve_inference(lambda model: SymbolicShapeInference.infer_shapes(model, auto_merge=True),
                    name="onnxslim inferred", **ABOUT)
else:
    serve_rewriter(onnxslim.slim, WAY, name="onnxslim", output_has_sizes=False, **ABOUT)
