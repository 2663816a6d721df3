"""data.type: operator set 21 has 4-bit integers. There is no kernel for them, here nor in the sets behind it."""
import sys

import onnxruntime
from onnx import TensorProto, helper

onnxruntime.set_default_logger_severity(4)


def load(opset, element):
    node = helper.make_node("Reshape", ["data", "pattern"], ["output"])
    graph = helper.make_graph(
        [node], "one",
        [helper.make_tensor_value_info("data", element, None),
         helper.make_tensor_value_info("pattern", TensorProto.INT64, [None])],
        [helper.make_tensor_value_info("output", element, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    try:
        onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    except Exception as why:  # its errors share no class of their own
        return str(why)
    return "loaded"


answers = [load(opset, element) for element in (TensorProto.INT4, TensorProto.UINT4) for opset in (21, 23, 24, 25)]
print("int4 and uint4 in 21, 23, 24 and 25:", *sorted(set(answers)))
sys.exit(not all("NOT_IMPLEMENTED" in answer for answer in answers))
