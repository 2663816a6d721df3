"""volume.kept: ten elements are not six. A size of another input in the pattern is taken for -1 where the graph is
optimised (ReshapeFusion)."""
import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
optimised = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
plain = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
MODEL = onnx.parser.parse_model('''<ir_version: 10, opset_import: ["": 21]>
one (float[N, M] data, float[K] other) => (float[] output) {
    first = Constant <value_ints = [0]> ()
    zero = Constant <value_int = 0> ()
    more = Shape (other)
    size = Gather (more, zero)
    of_other = Unsqueeze (size, first)
    sizes = Shape (data)
    rows = Gather (sizes, zero)
    of_data = Unsqueeze (rows, first)
    pattern = Concat <axis = 0> (of_data, of_other)
    output = Reshape (data, pattern)
}''')


def asked(level):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = level
    session = onnxruntime.InferenceSession(MODEL.SerializeToString(), options, providers=["CPUExecutionProvider"])
    inputs = {"data": numpy.zeros([2, 3], numpy.float32), "other": numpy.zeros([5], numpy.float32)}
    try:
        return f"gives {list(session.run(None, inputs)[0].shape)}"
    except Exception:  # its errors share no class of their own
        return "is refused"


print("[2, 3] by a size of its own and a 5 of another input:", asked(optimised), "- not optimised it", asked(plain))
sys.exit(asked(optimised) != "gives [2, 3]")
