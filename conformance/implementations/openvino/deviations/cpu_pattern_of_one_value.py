"""With the pattern an input of one value the CPU plug-in does not read the value, and lays all elements in a row.
Clause volume.kept: 5 elements are not 6."""
import sys

import numpy
import openvino
from openvino import opset1 as ops

data = ops.parameter(openvino.PartialShape([-1, -1]), openvino.Type.f32)
pattern = ops.parameter(openvino.PartialShape([1]), openvino.Type.i64)
node = ops.reshape(data, pattern, special_zero=True)
model = openvino.Model([node.output(0)], [data, pattern], "one")
compiled = openvino.Core().compile_model(model, "CPU")
try:
    came = compiled([numpy.zeros((2, 3), numpy.float32), numpy.array([5], numpy.int64)])[0].shape
except RuntimeError as why:
    sys.exit(f"refused: {str(why).strip().splitlines()[-1]}")
print("[2, 3] by the pattern [5] gives", list(came))
sys.exit(came != (6,))
