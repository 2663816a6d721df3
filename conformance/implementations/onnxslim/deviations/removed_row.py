"""volume.kept: six elements are no five. OnnxSlim takes a Reshape of a row to a row out, whatever the pattern says, so
that the model is no longer refused."""
import sys

import numpy
import onnxslim
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

nodes = [helper.make_node("Reshape", ["data", "pattern"], ["reshaped"]),
         helper.make_node("Relu", ["reshaped"], ["output"])]
graph = helper.make_graph(
    nodes, "two", [helper.make_tensor_value_info("data", TensorProto.FLOAT, [6])],
    [helper.make_tensor_value_info("output", TensorProto.FLOAT, None)],
    [numpy_helper.from_array(numpy.array([5]), "pattern")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)])
slim = onnxslim.slim(model)
try:
    (output,) = ReferenceEvaluator(slim).run(None, {"data": numpy.zeros([6], numpy.float32)})
except ValueError as why:
    sys.exit(f"refused: {why}")
print("OnnxSlim", onnxslim.__version__, "- [6] by [5] leaves", [node.op_type for node in slim.graph.node],
      "which gives", output.shape, "- the document: refused")
sys.exit(output.shape != (6,))
