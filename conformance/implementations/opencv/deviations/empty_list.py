"""An array of the shape [0] enters a net as one of [1, 0].

Clauses output.shape and zero.past-rank: [0] by the pattern [0] is [0], and a second 0 copies a size that is not there.
"""
import sys

import cv2
import numpy
from onnx import TensorProto, helper


def asked(pattern):
    nodes = [helper.make_node("Reshape", ["data", "pattern"], ["output"]),
             helper.make_node("Shape", ["output"], ["sizes"])]  # a matrix without elements is None in Python
    data = helper.make_tensor_value_info("data", TensorProto.FLOAT, [0])
    output = helper.make_tensor_value_info("sizes", TensorProto.INT64, [len(pattern)])
    values = helper.make_tensor("pattern", TensorProto.INT64, [len(pattern)], pattern)
    model = helper.make_model(helper.make_graph(nodes, "one", [data], [output], [values]),
                              opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    try:
        net = cv2.dnn.readNetFromONNX(numpy.frombuffer(model.SerializeToString(), numpy.uint8), cv2.dnn.ENGINE_NEW)
        net.setInput(numpy.ones(0, numpy.float32), "data")
        return f"gives {net.forward('sizes').tolist()}"
    except cv2.error as why:
        return f"is refused: {why.err}"


answers = [asked([0]), asked([0, 0])]
print("[0] by the pattern [0]", answers[0], "- the document says [0]")
print("[0] by the pattern [0, 0]", answers[1], "- the document refuses it")
sys.exit(not (answers[0].startswith("is refused") and answers[1] == "gives [1, 0]"))
