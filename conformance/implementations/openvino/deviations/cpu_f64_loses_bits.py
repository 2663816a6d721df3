"""The CPU plug-in moves f64 through f32: values are rounded, and what is too large for f32 changes.

Clause content.kept: the elements stay what they are, bit for bit.
"""
import sys

import numpy as np
import openvino as ov
from openvino import opset1

given = np.array([[1.1, 1e300], [-1e-310, 3.0]])
data = opset1.parameter(list(given.shape), ov.Type.f64)
model = ov.Model([opset1.reshape(data, opset1.constant([given.size], ov.Type.i64), False)], [data])
came = ov.Core().compile_model(model, "CPU")(given)[0]
bits = "u%d" % given.itemsize
print("f64", list(given.shape), "i64[%d]: gave the bits" % given.size,
      [hex(one) for one in given.view(bits).ravel()], "came", [hex(one) for one in came.view(bits)])
sys.exit(0 if came.tobytes() != given.tobytes() else 1)
