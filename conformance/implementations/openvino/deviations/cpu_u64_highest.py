"""With the pattern an input the CPU plug-in takes the u64 value 2^64-1 for a -1.

Clause size.representable: it is no size that a tensor can have.
"""
import sys

import numpy as np
import openvino as ov
from openvino import opset1

given, values, threads = np.ones([6], np.float32), np.array([2**64 - 1], np.uint64), 2
data, pattern = opset1.parameter([-1] * given.ndim, ov.Type.f32), opset1.parameter(values.shape, ov.Type.u64)
model = ov.Model([opset1.reshape(data, pattern, False)], [data, pattern])
request = ov.Core().compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": threads}).create_infer_request()
request.set_input_tensor(0, ov.Tensor(given))
request.set_input_tensor(1, ov.Tensor(values))
try:
    request.infer()
    came = list(request.get_output_tensor(0).shape)
except RuntimeError as refused:
    came = "refused: " + str(refused).strip().split("\n")[-1]
print("f32", list(given.shape), "u64", values.tolist(), "special_zero=False: came", came, "- the document says a refusal")
sys.exit(0 if came == [6] else 1)
