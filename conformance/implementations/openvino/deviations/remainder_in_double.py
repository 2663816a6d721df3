"""Whether the -1 divides is asked in double precision, so that a remainder is lost.

Clause minus-one.divides.
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


came = inferred([4611686014132420610], ov.Type.i64, [-1, 2**31 - 1], False)
print("f32[4611686014132420610] i64[-1,2147483647]: came", came, "- the document says", "a refusal, the remainder is 1")
sys.exit(0 if came == "[2147483647,2147483647]" else 1)
