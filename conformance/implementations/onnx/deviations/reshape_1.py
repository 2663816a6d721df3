"""Reshape-1, whose pattern is an attribute, is in the package's schemas; neither its shape inference nor its
reference evaluator answers.

Clause output.shape: the output has the shape that the pattern says.
"""
import sys

import numpy
import onnx
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

node = helper.make_node("Reshape", ["data"], ["output"], shape=[3, 2])
data = helper.make_tensor_value_info("data", TensorProto.FLOAT, [2, 3])
output = helper.make_tensor_value_info("output", TensorProto.FLOAT, None)
graph = helper.make_graph([node], "one", [data], [output])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 1)])
inferred = onnx.shape_inference.infer_shapes(model, True, True, True).graph.output[0].type.tensor_type
if inferred.HasField("shape"):
    sys.exit(f"inferred as {inferred}")
try:
    ReferenceEvaluator(model).run(None, {"data": numpy.zeros((2, 3), numpy.float32)})
except RuntimeError as why:
    print("[2, 3] by the attribute [3, 2]: no shape is inferred, and of the evaluator comes:", why)
else:
    sys.exit("evaluated")
