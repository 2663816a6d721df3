"""Products of sizes stop at 2^63-1, where all of them are equal.

Clause volume.kept: 2^80 elements are not 2^82.
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


came = inferred([2**40, 2**40], ov.Type.i64, [2**41, 2**41], False)
print("f32[2^40,2^40] i64[2^41,2^41]: came", came, "- the document says", "a refusal")
sys.exit(0 if came == "[2199023255552,2199023255552]" else 1)
