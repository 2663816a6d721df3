"""zero.empty-tensors: no elements are as many as no elements, however large the other sizes are."""
import sys

import numpy

try:
    numpy.reshape(numpy.zeros(0, numpy.float32), (0, 2**62 + 1))
except ValueError as why:
    print("[0] to [0, 2^62+1] is refused:", why)
else:
    sys.exit(1)
