"""volume.kept: six elements are no [3, 3]. A Reshape that would keep the shape of valid data is taken out, so that what
it refuses is no longer refused."""
import sys

import numpy
import onnxsim
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

nodes = [helper.make_node("Reshape", ["data", "first"], ["between"]),
         helper.make_node("Reshape", ["between", "pattern"], ["output"])]
graph = helper.make_graph(
    nodes, "two", [helper.make_tensor_value_info("data", TensorProto.FLOAT, ["n"]),
                   helper.make_tensor_value_info("first", TensorProto.INT64, [2])],
    [helper.make_tensor_value_info("output", TensorProto.FLOAT, ["k", "l"])],
    [numpy_helper.from_array(numpy.array([3, 0]), "pattern")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)])
given = {"data": numpy.zeros(6, numpy.float32), "first": numpy.array([2, 3])}
try:
    (output,) = ReferenceEvaluator(onnxsim.simplify(model)[0]).run(None, given)
except (ValueError, IndexError) as why:
    sys.exit(f"refused: {why}")
print("ONNX Simplifier", onnxsim.__version__, "- [2, 3] by the pattern [3, 0] gives", output.shape, "- the document: refused")
sys.exit(output.shape != (2, 3))
