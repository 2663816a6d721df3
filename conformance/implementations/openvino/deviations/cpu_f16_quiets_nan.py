"""The CPU plug-in changes signalling NaNs of f16 into quiet ones.

Clause content.kept: the elements stay what they are, bit for bit.
"""
import sys

import numpy as np
import openvino as ov
from openvino import opset1

given = np.array([[0x3C00, 0x7D01]], dtype=np.uint16).view(np.float16)
data = opset1.parameter(list(given.shape), ov.Type.f16)
model = ov.Model([opset1.reshape(data, opset1.constant([given.size], ov.Type.i64), False)], [data])
came = ov.Core().compile_model(model, "CPU")(given)[0]
bits = "u%d" % given.itemsize
print("f16", list(given.shape), "i64[%d]: gave the bits" % given.size,
      [hex(one) for one in given.view(bits).ravel()], "came", [hex(one) for one in came.view(bits)])
sys.exit(0 if came.tobytes() != given.tobytes() else 1)
