"""pattern.type: sizes are integers. A shape of floats is refused unless it is empty."""
import sys

import numpy

shape = numpy.reshape(numpy.zeros(1), numpy.array([], numpy.float32)).shape
print("a float32 array of no sizes is taken as the shape", shape)
sys.exit(shape != ())
