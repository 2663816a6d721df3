"""A -1 beside sizes whose product is 0 ends the process with a division by zero, in the new engine.

Clauses zero.with-minus-one, which refuses it, and minus-one.beside-copied-zero, which leaves open what is answered.
"""
import signal
import subprocess
import sys

import cv2
import numpy
from onnx import TensorProto, helper


def ask(flag):
    node = helper.make_node("Reshape", ["data", "pattern"], ["output"], allowzero=flag)
    data = helper.make_tensor_value_info("data", TensorProto.FLOAT, [0, 3])
    output = helper.make_tensor_value_info("output", TensorProto.FLOAT, ["a", "b"])
    pattern = helper.make_tensor("pattern", TensorProto.INT64, [2], [0, -1])
    model = helper.make_model(helper.make_graph([node], "one", [data], [output], [pattern]),
                              opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    try:
        net = cv2.dnn.readNetFromONNX(numpy.frombuffer(model.SerializeToString(), numpy.uint8),
                                      cv2.dnn.ENGINE_NEW)
        net.setInput(numpy.ones((0, 3), numpy.float32), "data")
        net.forward("output")
    except cv2.error:
        pass


if len(sys.argv) > 1:
    sys.exit(ask(int(sys.argv[1])))
ends = [subprocess.run([sys.executable, __file__, flag], check=False).returncode for flag in "01"]
for flag, end in enumerate(ends):
    ended = signal.Signals(-end).name if end < 0 else f"exit code {end}"
    print(f"[0, 3] by the pattern [0, -1] with allowzero={flag} ends with {ended}")
sys.exit(-signal.SIGFPE not in ends)
