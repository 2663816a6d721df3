"""data.type: operator set 19 has 8-bit floats. There is no kernel for them, and there is one in 21."""
import sys

import onnxruntime
from onnx import TensorProto, helper

onnxruntime.set_default_logger_severity(4)


def load(opset):
    node = helper.make_node("Reshape", ["data", "pattern"], ["output"])
    graph = helper.make_graph(
        [node], "one",
        [helper.make_tensor_value_info("data", TensorProto.FLOAT8E4M3FN, None),
         helper.make_tensor_value_info("pattern", TensorProto.INT64, [None])],
        [helper.make_tensor_value_info("output", TensorProto.FLOAT8E4M3FN, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    try:
        onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    except Exception as why:  # its errors share no class of their own
        return str(why)
    return "loaded"


print("19:", load(19))
print("21:", load(21))
sys.exit("NOT_IMPLEMENTED" not in load(19))
