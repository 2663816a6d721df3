"""With a pattern computed from sizes in u8 the CPU plug-in holds a size that a 0 copies to the range of u8.

Clause output.shape: 2048 is the size of the data, which a 0 copies.
"""
import sys

import numpy as np
import openvino as ov
from openvino import opset1, opset3

given, other = np.ones([2048, 1], np.float32), np.ones([0, 0], np.uint8)
data, second = opset1.parameter([-1, -1], ov.Type.f32), opset1.parameter([-1, -1], ov.Type.u8)
pattern = opset1.convert(opset3.shape_of(second), "u8")
model = ov.Model([opset1.reshape(data, pattern, True)], [data, second])
request = ov.Core().compile_model(model, "CPU").create_infer_request()
request.set_input_tensor(0, ov.Tensor(given))
request.set_input_tensor(1, ov.Tensor(other))
try:
    request.start_async()
    request.wait()
    came = list(request.get_output_tensor(0).shape)
except RuntimeError as refused:
    came = "refused: " + str(refused).strip().split("\n")[-1]
print("f32", list(given.shape), "by u8[0,0] special_zero=True: came", came,
      "- the document says", list(given.shape))
sys.exit(0 if "incompatible with provided dimensions" in came else 1)
