"""output.shape: with allowzero=1 a 0 is a size. Its shape inference has the 0 copy, whatever the attribute says."""
import sys

import numpy
import onnxslim
from onnx import TensorProto, helper, numpy_helper

node = helper.make_node("Reshape", ["data", "pattern"], ["output"], allowzero=1)
graph = helper.make_graph(
    [node], "one", [helper.make_tensor_value_info("data", TensorProto.FLOAT, [0, 4])],
    [helper.make_tensor_value_info("output", TensorProto.FLOAT, None)],
    [numpy_helper.from_array(numpy.array([5, 0]), "pattern")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)])
output = onnxslim.slim(model).graph.output[0].type.tensor_type
came = [size.dim_value or size.dim_param or 0 for size in output.shape.dim]
print("OnnxSlim", onnxslim.__version__, "- [0, 4] by [5, 0] is said to be", came, "- the document: [5, 0]")
sys.exit(came != [5, 4])
