"""volume.exact: a 0 among the sizes makes a tensor without elements, however large the others are."""
import sys

import numpy
import onnx
from onnx import TensorProto, helper

node = helper.make_node("Reshape", ["data", "pattern"], ["output"], allowzero=1)
graph = helper.make_graph(
    [node], "one", [helper.make_tensor_value_info("data", TensorProto.FLOAT, [0])],
    [helper.make_tensor_value_info("output", TensorProto.FLOAT, None)],
    [onnx.numpy_helper.from_array(numpy.array([2**40, 2**40, 0]), "pattern")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)])
try:
    onnx.shape_inference.infer_shapes(model, True, True, True)
except onnx.shape_inference.InferenceError as why:
    print("[0] by the pattern [2^40, 2^40, 0] is refused:", why)
else:
    sys.exit(1)
