"""A pattern input that the CPU plug-in refuses is answered with the shape before it when it is asked again.

Clause volume.kept, and duty C17: the same request gets the same answer. With several threads and start_async(), too.
"""
import sys

import numpy as np
import openvino as ov
from openvino import opset1

data, pattern = opset1.parameter([-1, -1], ov.Type.f32), opset1.parameter([2], ov.Type.i64)
model = ov.Model([opset1.reshape(data, pattern, True)], [data, pattern])
request = ov.Core().compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": 2}).create_infer_request()


def answer(values):
    request.set_input_tensor(0, ov.Tensor(np.ones([9, 3], np.float32)))
    request.set_input_tensor(1, ov.Tensor(np.array(values)))
    try:
        request.start_async()
        request.wait()
        return list(request.get_output_tensor(0).shape)
    except RuntimeError:
        return "refused"


came = [answer([3, 9]), answer([0, 9]), answer([0, 9])]
print("f32[9,3] i64[3,9], i64[0,9] and i64[0,9] again: came", came, "- the document says [3,9] and two refusals")
sys.exit(0 if came == [[3, 9], "refused", [3, 9]] else 1)
