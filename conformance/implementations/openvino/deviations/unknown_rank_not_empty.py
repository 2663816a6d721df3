"""A -1 over data of which nothing is known is inferred as 1 or more, so that data without elements has no place.

Clause minus-one.inferred: the -1 is 0 where the data has no elements.
"""
import sys

import numpy as np
import openvino as ov
from openvino import opset1

data = opset1.parameter(ov.PartialShape("[...]"), ov.Type.f32)
try:
    came = str(opset1.reshape(data, opset1.constant(np.array([-1])), False).get_output_partial_shape(0))
except RuntimeError as refused:
    came = "refused: " + str(refused).strip().split("\n")[-1]
print("f32[...] i64[-1] special_zero=False: came", came, "- the document says [0..]")
sys.exit(0 if came == "[1..]" else 1)
