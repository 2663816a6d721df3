"""volume.kept: ten elements are not six. A size of another input in the pattern is taken for -1 where the graph is
optimised (ReshapeFusion)."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import computed
import numpy
import onnxruntime
from onnx import TensorProto, helper

onnxruntime.set_default_logger_severity(4)
optimised = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
plain = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL


def asked(level):
    nodes, initializers = computed.pattern(21, [("data", 0), ("other", 0)])
    graph = helper.make_graph(
        [*nodes, helper.make_node("Reshape", ["data", "pattern"], ["output"])], "one",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("data", "other")],
        [helper.make_tensor_value_info("output", TensorProto.FLOAT, None)], initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = level
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    inputs = {"data": numpy.zeros([2, 3], numpy.float32), "other": numpy.zeros([5], numpy.float32)}
    try:
        return f"gives {list(session.run(None, inputs)[0].shape)}"
    except Exception:  # its errors share no class of their own
        return "is refused"


print("[2, 3] by a size of its own and a 5 of another input:", asked(optimised), "- not optimised it", asked(plain))
sys.exit(asked(optimised) != "gives [2, 3]")
