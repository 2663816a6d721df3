"""The size of the -1 is divided in double precision, and another one comes out.

Clause minus-one.inferred: the count of elements divided by the other sizes.
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


came = inferred([2**62 + 2], ov.Type.i64, [-1, 2], False)
print("f32[2^62+2] i64[-1,2]: came", came, "- the document says", "[2305843009213693953,2]")
sys.exit(0 if came == "[2305843009213693952,2]" else 1)
