"""Whether the -1 divides is asked in double precision, so that a request that divides is refused.

Clause minus-one.inferred: 2^53+1 is divisible by 3.
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


came = inferred([2**53 + 1], ov.Type.i64, [3, -1], False)
print("f32[2^53+1] i64[3,-1]: came", came, "- the document says", "[3,3002399751580331]")
sys.exit(0 if came.startswith("refused") else 1)
