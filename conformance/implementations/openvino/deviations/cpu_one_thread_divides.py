"""With one thread and data of unknown sizes the CPU plug-in rounds the -1 down.

Clause minus-one.divides: 6 elements are not divisible by 4. With several threads it is refused.
"""
import sys

import numpy as np
import openvino as ov
from openvino import opset1

data = opset1.parameter([-1, -1], ov.Type.f32)
model = ov.Model([opset1.reshape(data, opset1.constant([-1, 4], ov.Type.i64), False)], [data])
request = ov.Core().compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": 1}).create_infer_request()
request.set_input_tensor(0, ov.Tensor(np.ones([2, 3], np.float32)))
try:
    request.infer()
    came = list(request.get_output_tensor(0).shape)
except RuntimeError as refused:
    came = "refused: " + str(refused).strip().split("\n")[-1]
print("f32[2,3] i64[-1,4]: came", came, "- the document says a refusal")
sys.exit(0 if came == [0, 4] else 1)
