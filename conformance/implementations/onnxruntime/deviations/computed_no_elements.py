"""output.shape: [3, 0, 2] has the shape [3, 0, 2]. A size of another input is taken for -1 where the graph is optimised
(ReshapeFusion), and no elements determine one."""
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
    nodes, initializers = computed.pattern(21, [("other", 0), ("data", 1), ("data", 2)])
    graph = helper.make_graph(
        [*nodes, helper.make_node("Reshape", ["data", "pattern"], ["output"])], "one",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("data", "other")],
        [helper.make_tensor_value_info("output", TensorProto.FLOAT, None)], initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = level
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    inputs = {"data": numpy.zeros([3, 0, 2], numpy.float32), "other": numpy.zeros([3], numpy.float32)}
    try:
        return f"gives {list(session.run(None, inputs)[0].shape)}"
    except Exception:  # its errors share no class of their own
        return "is refused"


print("[3, 0, 2] by a 3 of another input and sizes of its own:", asked(optimised), "- not optimised it", asked(plain))
sys.exit(asked(optimised) != "is refused" or asked(plain) != "gives [3, 0, 2]")
