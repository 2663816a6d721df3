"""A tensor without elements is refused because the product of its other sizes is above 2^63-1.

Clause volume.exact: 0 times anything is 0, in whichever order it is multiplied.
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


came = inferred([0], ov.Type.i64, [2**31 - 1] * 5 + [0], False)
print("f32[0] i64[2^31-1 five times,0]: came", came, "- the document says that shape")
sys.exit(0 if came.startswith("refused") else 1)
