"""The symbolic shape inference that comes with ONNX Runtime: the shape that it says of a Reshape."""

import os
import pathlib
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).parents[1]), str(pathlib.Path(__file__).parents[2] / "python")]

import onnxruntime
from onnx_model import serve_inference
from onnx_request import DIALECTS
from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

# Where a size is not inferred, it writes a file into the folder in which it is run.
os.chdir(tempfile.gettempdir())

serve_inference(lambda model: SymbolicShapeInference.infer_shapes(model, auto_merge=True),
                name="onnxruntime symbolic", version=onnxruntime.__version__,
                dialects=DIALECTS[1:])  # it takes no models of operator sets below 7
