"""The i32 value 2^31-1 makes a size that is unknown.

Clause output.shape: each positive value is a size.
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


came = inferred([2**31 - 1], ov.Type.i32, [2**31 - 1], False)
print("f32[2^31-1] i32[2^31-1]: came", came, "- the document says", "[2147483647]")
sys.exit(0 if came == "[?]" else 1)
