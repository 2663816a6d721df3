"""volume.kept: six elements are no five. Its shape inference does not compare them."""
import sys

import numpy
import onnxslim
from onnx import TensorProto, helper, numpy_helper

node = helper.make_node("Reshape", ["data", "pattern"], ["output"])
graph = helper.make_graph(
    [node], "one", [helper.make_tensor_value_info("data", TensorProto.FLOAT, [2, 3])],
    [helper.make_tensor_value_info("output", TensorProto.FLOAT, None)],
    [numpy_helper.from_array(numpy.array([5]), "pattern")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)])
output = onnxslim.slim(model).graph.output[0].type.tensor_type
came = [size.dim_value or size.dim_param or 0 for size in output.shape.dim]
print("OnnxSlim", onnxslim.__version__, "- [2, 3] by [5] is said to be", came, "- the document: refused")
sys.exit(came != [5])
