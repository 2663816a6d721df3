"""A -1 beside a product above 2^63-1 becomes an interval whose upper end lies below the lower.

Clause minus-one.divides: 6 elements are not divisible by 2^64.
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


came = inferred([6], ov.Type.i64, [2**32, -1, 2**32], True)
print("f32[6] i64[2^32,-1,2^32]: came", came, "- the document says", "a refusal")
sys.exit(0 if came == "[4294967296,1..-6,4294967296]" else 1)
