"""output.shape: a shape has as many sizes as are asked for. Ten in the model are refused, ten as an input are not."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import model
import numpy
from ai_edge_litert.interpreter import Interpreter

pattern = numpy.int32([2] + [1] * 8 + [3])
try:
    Interpreter(model_content=model.packed("FLOAT32", [6], pattern, "constant")).allocate_tensors()
except RuntimeError as why:
    print("as a constant it is refused:", why)
else:
    sys.exit(1)
one = Interpreter(model_content=model.packed("FLOAT32", [6], pattern, "runtime"))
one.allocate_tensors()
one.set_tensor(0, numpy.zeros(6, numpy.float32))
one.set_tensor(2, pattern)
one.invoke()
print("as an input it gives", one.get_tensor(1).shape)
