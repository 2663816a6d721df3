"""zero.with-minus-one: with allowzero=1 a pattern holds no 0 beside a -1. The optimizer writes one: where the pattern is
computed and the output is declared as [0, n], it becomes [0, -1] with allowzero=1, and a model that is valid is
refused."""
import sys

import numpy
import onnxscript
import onnxscript.optimizer
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

nodes = [helper.make_node("Shape", ["data"], ["last"], start=1, end=2),
         helper.make_node("Concat", ["zero", "last"], ["pattern"], axis=0),
         helper.make_node("Reshape", ["data", "pattern"], ["output"], allowzero=1)]
graph = helper.make_graph(
    nodes, "three", [helper.make_tensor_value_info("data", TensorProto.FLOAT, ["m", "n"])],
    [helper.make_tensor_value_info("output", TensorProto.FLOAT, [0, "n"])],
    [numpy_helper.from_array(numpy.array([0]), "zero")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)])
given = {"data": numpy.zeros((0, 4), numpy.float32)}
before = ReferenceEvaluator(model).run(None, given)[0].shape
optimized = onnxscript.optimizer.optimize(model)
try:
    came = ReferenceEvaluator(optimized).run(None, given)[0].shape
except ValueError as why:
    print("ONNX Script", onnxscript.__version__, "- [0, 4] to [0, n] gave", before, "and is optimized to the pattern",
          [numpy_helper.to_array(one).tolist() for one in optimized.graph.initializer], "- which is refused:", why)
else:
    sys.exit(f"produced: {came}")
