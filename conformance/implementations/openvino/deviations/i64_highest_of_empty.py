"""The i64 value 2^63-1 makes a size that is unknown, though the tensors are empty.

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


came = inferred([0], ov.Type.i64, [0, 2**63 - 1], False)
print("f32[0] i64[0,2^63-1]: came", came, "- the document says", "[0,9223372036854775807]")
sys.exit(0 if came == "[0,?]" else 1)
