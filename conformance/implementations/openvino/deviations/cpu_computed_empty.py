"""With a pattern computed from sizes the CPU plug-in gives empty data another shape than is asked for.

Clause output.shape: the sizes that the pattern names.
"""
import sys

import numpy as np
import openvino as ov
from openvino import opset1, opset3, opset8


def size(of, axis):
    return opset8.gather(opset3.shape_of(of), opset1.constant(np.array([axis])), opset1.constant(np.array(0)))


given, other = np.ones([0, 1, 0], np.float32), np.ones([5], np.uint8)
data, second = opset1.parameter([-1] * given.ndim, ov.Type.f32), opset1.parameter([-1] * other.ndim, ov.Type.u8)
pattern = opset1.concat([size(data, 0), size(second, 0), size(data, 2)], 0)
model = ov.Model([opset1.reshape(data, pattern, False)], [data, second])
request = ov.Core().compile_model(model, "CPU").create_infer_request()
request.set_input_tensor(0, ov.Tensor(given))
request.set_input_tensor(1, ov.Tensor(other))
try:
    request.start_async()
    request.wait()
    came = list(request.get_output_tensor(0).shape)
except RuntimeError as refused:
    came = "refused: " + str(refused).strip().split("\n")[-1]
print("f32", list(given.shape), "by [0,5,0] special_zero=False: came", came, "- the document says [0,5,0]")
sys.exit(0 if came == [0, 1, 0] else 1)
