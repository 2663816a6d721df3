"""output.shape: without elements [0, 3] by the pattern [0, 7] is [0, 7]. The Reshape is taken out of a model that is
valid: where all sizes but one stay, the last one is thought to stay too, which a size of 0 leaves open."""
import sys

import numpy
import onnxsim
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

nodes = [helper.make_node("Reshape", ["data", "first"], ["between"], allowzero=1),
         helper.make_node("Reshape", ["between", "pattern"], ["output"])]
graph = helper.make_graph(
    nodes, "two", [helper.make_tensor_value_info("data", TensorProto.FLOAT, ["n"]),
                   helper.make_tensor_value_info("first", TensorProto.INT64, [2])],
    [helper.make_tensor_value_info("output", TensorProto.FLOAT, ["k", "l"])],
    [numpy_helper.from_array(numpy.array([0, 7]), "pattern")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)])
given = {"data": numpy.zeros(0, numpy.float32), "first": numpy.array([0, 3])}
try:
    (output,) = ReferenceEvaluator(onnxsim.simplify(model)[0]).run(None, given)
except (ValueError, IndexError) as why:
    sys.exit(f"refused: {why}")
print("ONNX Simplifier", onnxsim.__version__, "- [0, 3] by the pattern [0, 7] gives", output.shape, "- the document: [0, 7]")
sys.exit(output.shape != (0, 3))
