"""output.shape: the shape is what the pattern says. One of int64 is not read: one element becomes a scalar."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import model
import numpy
from ai_edge_litert.interpreter import Interpreter


def asked(shape, pattern):
    pattern = numpy.int64(pattern)
    try:
        one = Interpreter(model_content=model.packed("FLOAT32", shape, pattern, "runtime", "INT64"))
        one.allocate_tensors()
        one.set_tensor(0, numpy.zeros(shape, numpy.float32))
        one.set_tensor(2, pattern)
        one.invoke()
    except (RuntimeError, ValueError) as why:
        return f"is refused: {why}"
    return f"gives {list(one.get_tensor(1).shape)}"


answers = [asked([1], [1, 1]), asked([1], [7]), asked([2, 3], [3, 2])]
print("[1] by the int64 pattern [1, 1]", answers[0], "- the document says [1, 1]")
print("[1] by the int64 pattern [7]", answers[1], "- the document says a refusal")
print("[2, 3] by the int64 pattern [3, 2]", answers[2], "- the document says [3, 2]")
sys.exit(answers[0] != "gives []")
