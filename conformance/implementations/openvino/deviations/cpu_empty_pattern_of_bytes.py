"""The CPU plug-in refuses a constant pattern of i8 or u8 without values where the data's sizes are unknown.

Clause output.shape: a pattern without values asks for a scalar. As i16, i32 or i64 the same pattern is taken.
"""
import sys

import numpy as np
import openvino as ov
from openvino import opset1


def answer(kind):
    data = opset1.parameter([-1, -1], ov.Type.f32)
    model = ov.Model([opset1.reshape(data, ov.op.Constant(np.zeros([0], kind)), False)], [data])
    request = ov.Core().compile_model(model, "CPU").create_infer_request()
    request.set_input_tensor(0, ov.Tensor(np.ones([1, 1], np.float32)))
    try:
        request.start_async()
        request.wait()
        return list(request.get_output_tensor(0).shape)
    except RuntimeError as refused:
        return "refused: " + str(refused).strip().split("\n")[-1]


came = {kind.__name__: answer(kind) for kind in (np.int8, np.uint8, np.int64)}
print("f32[1,1] and a pattern of no values:", came, "- the document says []")
sys.exit(0 if "refused" in came["int8"] and "refused" in came["uint8"] and came["int64"] == [] else 1)
