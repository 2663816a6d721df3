"""With allowzero=2 the package answers both: its inference takes a 0 for a size of 0, its evaluator copies.

Clause special-zero.default: a 0 copies unless allowzero is 1.
"""
import sys

import numpy
import onnx
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

node = helper.make_node("Reshape", ["data", "pattern"], ["output"], allowzero=2)
data = helper.make_tensor_value_info("data", TensorProto.FLOAT, [2, 3])
output = helper.make_tensor_value_info("output", TensorProto.FLOAT, None)
pattern = helper.make_tensor("pattern", TensorProto.INT64, [2], [0, 3])
model = helper.make_model(helper.make_graph([node], "one", [data], [output], [pattern]),
                          opset_imports=[helper.make_opsetid("", 14)])
inferred = onnx.shape_inference.infer_shapes(model).graph.output[0].type.tensor_type.shape.dim
inferred = [size.dim_value for size in inferred]
(came,) = ReferenceEvaluator(model).run(None, {"data": numpy.zeros((2, 3), numpy.float32)})
print("[2, 3] by the pattern [0, 3] is inferred as", inferred, "and evaluated to", list(came.shape))
sys.exit(not (inferred == [0, 3] and list(came.shape) == [2, 3]))
