"""output.shape: [3, 0, 2] has the shape [3, 0, 2]. A size of another input is taken for -1 where the graph is optimised
(ReshapeFusion), and no elements determine one."""
import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
optimised = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
plain = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
MODEL = onnx.parser.parse_model('''<ir_version: 10, opset_import: ["": 21]>
one (float[N, M, L] data, float[K] other) => (float[] output) {
    first = Constant <value_ints = [0]> ()
    zero = Constant <value_int = 0> ()
    more = Shape (other)
    size = Gather (more, zero)
    of_other = Unsqueeze (size, first)
    sizes = Shape (data)
    one = Constant <value_int = 1> ()
    two = Constant <value_int = 2> ()
    columns = Gather (sizes, one)
    pages = Gather (sizes, two)
    second = Unsqueeze (columns, first)
    third = Unsqueeze (pages, first)
    pattern = Concat <axis = 0> (of_other, second, third)
    output = Reshape (data, pattern)
}''')


def asked(level):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = level
    session = onnxruntime.InferenceSession(MODEL.SerializeToString(), options, providers=["CPUExecutionProvider"])
    inputs = {"data": numpy.zeros([3, 0, 2], numpy.float32), "other": numpy.zeros([3], numpy.float32)}
    try:
        return f"gives {list(session.run(None, inputs)[0].shape)}"
    except Exception:  # its errors share no class of their own
        return "is refused"


print("[3, 0, 2] by a 3 of another input and sizes of its own:", asked(optimised), "- not optimised it", asked(plain))
sys.exit(asked(optimised) != "is refused" or asked(plain) != "gives [3, 0, 2]")
