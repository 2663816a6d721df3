"""With a pattern computed from sizes the CPU plug-in takes a 0 beyond the rank of the data for a 1.

Clause zero.past-rank: there is no dimension to copy.
"""
import sys

import numpy as np
import openvino as ov
from openvino import opset1, opset3, opset8


def size(of, axis):
    return opset8.gather(opset3.shape_of(of), opset1.constant(np.array([axis])), opset1.constant(np.array(0)))


given, other = np.ones([2, 3], np.float32), np.ones([0], np.uint8)
data, second = opset1.parameter([-1] * given.ndim, ov.Type.f32), opset1.parameter([-1] * other.ndim, ov.Type.u8)
pattern = opset1.concat([size(data, 0), size(data, 1), size(second, 0)], 0)
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
print("f32", list(given.shape), "by [2,3,0] special_zero=True: came", came, "- the document says a refusal")
sys.exit(0 if came == [2, 3, 1] else 1)
