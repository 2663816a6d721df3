"""The CPU plug-in moves u64 through 32 bits: the upper half of each element is lost.

Clause content.kept: the elements stay what they are, bit for bit.
"""
import sys

import numpy as np
import openvino as ov
from openvino import opset1

given = np.array([[2**63 + 1, 2**40 + 3], [1, 2]], dtype=np.uint64)
data = opset1.parameter(list(given.shape), ov.Type.u64)
model = ov.Model([opset1.reshape(data, opset1.constant([given.size], ov.Type.i64), False)], [data])
came = ov.Core().compile_model(model, "CPU")(given)[0]
bits = "u%d" % given.itemsize
print("u64", list(given.shape), "i64[%d]: gave the bits" % given.size,
      [hex(one) for one in given.view(bits).ravel()], "came", [hex(one) for one in came.view(bits)])
sys.exit(0 if came.tobytes() != given.tobytes() else 1)
