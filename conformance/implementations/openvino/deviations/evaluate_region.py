"""Node::evaluate reads a region of a larger tensor as if its rows followed each other.

Clause content.kept: the elements are those of the region, in its order.
"""
import sys

import numpy as np
import openvino as ov
from openvino import opset1

whole = np.arange(24, dtype=np.float32).reshape(4, 6)
data, pattern = opset1.parameter([2, 3], ov.Type.f32), opset1.parameter([1], ov.Type.i64)
region = ov.Tensor(ov.Tensor(whole), [1, 1], [3, 4])
output = ov.Tensor(ov.Type.f32, ov.Shape([6]))
opset1.reshape(data, pattern, False).evaluate([output], [region, ov.Tensor(np.array([6]))])
came, wanted = output.data.tolist(), whole[1:3, 1:4].ravel().tolist()
print("a region f32[2,3] by [6]: came", came, "- the document says", wanted)
sys.exit(0 if came == [7, 8, 9, 10, 11, 12] else 1)
