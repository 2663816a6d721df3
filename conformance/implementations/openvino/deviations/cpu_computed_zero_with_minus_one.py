"""With a pattern computed from sizes the CPU plug-in copies a size for a 0 although special_zero is false.

Clause zero.with-minus-one: a refusal, or [1,*,0].
"""
import sys

import numpy as np
import openvino as ov
from openvino import opset1, opset3, opset8


def size(of, axis):
    return opset8.gather(opset3.shape_of(of), opset1.constant(np.array([axis])), opset1.constant(np.array(0)))


given, other = np.ones([1, 0, 4, 5], np.float32), np.ones([1], np.uint8)
data, second = opset1.parameter([-1] * given.ndim, ov.Type.f32), opset1.parameter([-1] * other.ndim, ov.Type.u8)
pattern = opset1.concat([size(data, 0), opset1.constant(np.array([-1])), size(data, 1)], 0)
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
print("f32", list(given.shape), "by [1,-1,0] special_zero=False: came", came,
      "- the document says a refusal or [1,*,0]")
sys.exit(0 if came == [1, 0, 4] else 1)
