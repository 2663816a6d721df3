"""With the pattern an input the CPU plug-in takes a 0 beyond the rank of the data for a size of 0.

Clause zero.past-rank: there is no dimension to copy.
"""
import sys

import numpy as np
import openvino as ov
from openvino import opset1

given, values, threads = np.ones([0, 3], np.float32), np.array([0, 3, 0]), 2
data, pattern = opset1.parameter([-1] * given.ndim, ov.Type.f32), opset1.parameter(values.shape, ov.Type.i64)
model = ov.Model([opset1.reshape(data, pattern, True)], [data, pattern])
request = ov.Core().compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": threads}).create_infer_request()
request.set_input_tensor(0, ov.Tensor(given))
request.set_input_tensor(1, ov.Tensor(values))
try:
    request.infer()
    came = list(request.get_output_tensor(0).shape)
except RuntimeError as refused:
    came = "refused: " + str(refused).strip().split("\n")[-1]
print("f32", list(given.shape), "i64", values.tolist(), "special_zero=True: came", came, "- the document says a refusal")
sys.exit(0 if came == [0, 3, 0] else 1)
