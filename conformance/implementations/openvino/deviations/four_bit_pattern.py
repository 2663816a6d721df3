"""A pattern of 4-bit integers is read as if each value took a byte.

Clause pattern.type: every integer type, of any width.
"""
import sys

import openvino as ov
from openvino import opset1


def inferred(sizes, pattern_type, values, special_zero):
    data = opset1.parameter(sizes, ov.Type.f32)
    pattern = ov.op.Constant(pattern_type, ov.Shape([len(values)]), values)
    try:
        return str(opset1.reshape(data, pattern, special_zero).output(0).get_partial_shape())
    except RuntimeError as refused:
        return "refused: " + str(refused).strip().split("\n")[-1]


came = inferred([2, 3], ov.Type.u4, [3, 2], False)
print("f32[2,3] u4[3,2]: came", came, "- the document says", "[3,2]")
sys.exit(0 if came != "[3,2]" else 1)
