"""A pattern of strings, or of the float type nf4, is accepted.

Clause pattern.type: the pattern is a tensor of integers.
"""
import sys

import openvino as ov
from openvino import opset1

came = []
for type_ in (ov.Type.string, ov.Type.nf4):
    try:
        data, pattern = opset1.parameter([2, 3], ov.Type.f32), opset1.parameter([2], type_)
        came.append(str(opset1.reshape(data, pattern, False).get_output_partial_shape(0)))
    except RuntimeError as refused:
        came.append("refused: " + str(refused).strip().split("\n")[-1])
print("f32[2,3] by patterns of string and of nf4: came", *came, "- the document says a refusal of both")
sys.exit(0 if came == ["[?,?]", "[?,?]"] else 1)
