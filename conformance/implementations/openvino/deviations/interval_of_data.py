"""A -1 over data of 5 to 6 elements becomes an interval whose upper end lies below the lower.

Clause minus-one.divides: neither 5 nor 6 is divisible by 4.
"""
import sys

import numpy as np
import openvino as ov
from openvino import opset1

data = opset1.parameter(ov.PartialShape("[5..6]"), ov.Type.f32)
try:
    came = str(opset1.reshape(data, opset1.constant(np.array([-1, 4])), False).get_output_partial_shape(0))
except RuntimeError as refused:
    came = "refused: " + str(refused).strip().split("\n")[-1]
print("f32[5..6] i64[-1, 4] special_zero=False: came", came, "- the document says a refusal")
sys.exit(0 if came == "[2..1,4]" else 1)
