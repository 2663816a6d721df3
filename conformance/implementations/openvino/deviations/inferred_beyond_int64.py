"""A -1 above 2^63-1 becomes a size without an upper bound.

Clause size.representable: 2^65 is no size that a tensor can have.
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


came = inferred([2**33, 2**33], ov.Type.i64, [2, -1], False)
print("f32[2^33,2^33] i64[2,-1]: came", came, "- the document says", "a refusal")
sys.exit(0 if came == "[2,4611686018427387904..]" else 1)
