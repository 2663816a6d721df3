"""zero.empty-tensors: no elements are no elements. The option [0] is taken for the shape of a scalar."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import model
import numpy
from ai_edge_litert.interpreter import Interpreter

one = Interpreter(model_content=model.packed("FLOAT32", [2, 0], numpy.int32([0]), "option"))
try:
    one.allocate_tensors()
    one.set_tensor(0, numpy.zeros((2, 0), numpy.float32))
    one.invoke()
except (RuntimeError, ValueError) as why:
    print("[2, 0] by the option [0] is refused:", why)
else:
    sys.exit(1)
