"""output.shape: with allowzero=1 a 0 is a size. OnnxSlim takes a Reshape out of a model that is valid, since it infers
that the shape stays: it has the 0 copy."""
import sys

import numpy
import onnxslim
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

nodes = [helper.make_node("Reshape", ["data", "pattern"], ["reshaped"], allowzero=1),
         helper.make_node("Relu", ["reshaped"], ["output"])]
graph = helper.make_graph(
    nodes, "two", [helper.make_tensor_value_info("data", TensorProto.FLOAT, [3, 0])],
    [helper.make_tensor_value_info("output", TensorProto.FLOAT, None)],
    [numpy_helper.from_array(numpy.array([0, 0]), "pattern")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)])
slim = onnxslim.slim(model)
try:
    (output,) = ReferenceEvaluator(slim).run(None, {"data": numpy.zeros([3, 0], numpy.float32)})
except ValueError as why:
    sys.exit(f"refused: {why}")
print("OnnxSlim", onnxslim.__version__, "- [3, 0] by [0, 0] leaves", [node.op_type for node in slim.graph.node],
      "which gives", output.shape, "- the document: [0, 0]")
sys.exit(output.shape != (3, 0))
