"""volume.kept: six elements are no five. Shape inference of static sizes never compares them."""
import sys

import numpy
import onnx
from onnx import TensorProto, helper

node = helper.make_node("Reshape", ["data", "pattern"], ["output"])
graph = helper.make_graph(
    [node], "one", [helper.make_tensor_value_info("data", TensorProto.FLOAT, [2, 3])],
    [helper.make_tensor_value_info("output", TensorProto.FLOAT, None)],
    [onnx.numpy_helper.from_array(numpy.array([5]), "pattern")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)])
try:
    inferred = onnx.shape_inference.infer_shapes(model, True, True, True)
except onnx.shape_inference.InferenceError:
    sys.exit(1)
sizes = [size.dim_value for size in inferred.graph.output[0].type.tensor_type.shape.dim]
print("[2, 3] by the pattern [5] is inferred as", sizes)
sys.exit(sizes != [5])
