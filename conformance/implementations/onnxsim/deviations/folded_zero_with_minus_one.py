"""zero.with-minus-one: with allowzero=1 a pattern holds no 0 beside a -1. A constant is folded by such a pattern,
although ONNX Runtime, whose kernel folds it, refuses the model: it gets the pattern as a value and does not look."""
import sys

import numpy
import onnxsim
from onnx import TensorProto, helper, numpy_helper

node = helper.make_node("Reshape", ["data", "pattern"], ["output"], allowzero=1)
graph = helper.make_graph(
    [node], "one", [], [helper.make_tensor_value_info("output", TensorProto.FLOAT, ["k", "l"])],
    [numpy_helper.from_array(numpy.zeros((0, 4), numpy.float32), "data"),
     numpy_helper.from_array(numpy.array([0, -1]), "pattern")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)])
made, _ = onnxsim.simplify(model)
if made.graph.node:
    sys.exit("not folded")
came = [list(one.dims) for one in made.graph.initializer if one.name == "output"]
print("ONNX Simplifier", onnxsim.__version__, "- [0, 4] by the pattern [0, -1] with allowzero=1 is folded to", *came,
      "- the document: refused")
