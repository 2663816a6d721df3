"""zero.with-minus-one: with allowzero=1 a pattern may not hold a 0 and a -1. It is refused where the pattern is a
constant, and inferred where it is an input."""
import sys

import numpy
import onnxruntime
from onnx import TensorProto, helper

node = helper.make_node("Reshape", ["data", "pattern"], ["output"], allowzero=1)
graph = helper.make_graph(
    [node], "one",
    [helper.make_tensor_value_info("data", TensorProto.FLOAT, None),
     helper.make_tensor_value_info("pattern", TensorProto.INT64, [None])],
    [helper.make_tensor_value_info("output", TensorProto.FLOAT, None)])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=10)
session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
inputs = {"data": numpy.zeros((0, 4), numpy.float32), "pattern": numpy.array([-1, 0])}
try:
    (output,) = session.run(None, inputs)
except Exception as why:  # its errors share no class of their own
    sys.exit(f"refused: {why}")
print("[0, 4] by the pattern [-1, 0] with allowzero=1 gives", output.shape)
