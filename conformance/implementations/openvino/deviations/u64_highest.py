"""The u64 value 2^64-1 is taken for a -1.

Clause size.representable: it is no size that a tensor can have.
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


came = inferred([6], ov.Type.u64, [2**64 - 1], False)
print("f32[6] u64[2^64-1]: came", came, "- the document says", "a refusal")
sys.exit(0 if came == "[6]" else 1)
