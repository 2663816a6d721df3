"""pattern.type, data.type: the pattern is int64, and operator set 13 has no 8-bit floats. The reference
evaluator takes both."""
import sys

import ml_dtypes
import numpy
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

node = helper.make_node("Reshape", ["data", "pattern"], ["output"])
graph = helper.make_graph(
    [node], "one",
    [helper.make_tensor_value_info("data", TensorProto.FLOAT8E5M2, None),
     helper.make_tensor_value_info("pattern", TensorProto.UINT8, [None])],
    [helper.make_tensor_value_info("output", TensorProto.FLOAT8E5M2, None)])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
data = numpy.zeros((2, 3), ml_dtypes.float8_e5m2)
try:
    (output,) = ReferenceEvaluator(model).run(None, {"data": data, "pattern": numpy.uint8([6])})
except (TypeError, ValueError, RuntimeError):
    sys.exit(1)
print("float8e5m2 data by a uint8 pattern in operator set 13 gives", output.shape)
