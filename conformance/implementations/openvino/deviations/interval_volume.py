"""Data that has 6 to 12 elements gets a shape of 25.

Clause volume.kept: no data of these sizes has 25 elements.
"""
import sys

import numpy as np
import openvino as ov
from openvino import opset1

data = opset1.parameter(ov.PartialShape("[2..4,3]"), ov.Type.f32)
try:
    came = str(opset1.reshape(data, opset1.constant(np.array([5, 5])), False).get_output_partial_shape(0))
except RuntimeError as refused:
    came = "refused: " + str(refused).strip().split("\n")[-1]
print("f32[2..4,3] i64[5, 5] special_zero=False: came", came, "- the document says a refusal")
sys.exit(0 if came == "[5,5]" else 1)
