"""pattern.type: a size is an integer. A list of True is taken as sizes of 1, which numpy.reshape refuses."""
import sys

import numpy
from jax import numpy as jnp

try:
    numpy.reshape(numpy.zeros(1), [True, True])
    sys.exit("NumPy takes it as well")
except TypeError:
    pass
try:
    output = jnp.reshape(jnp.zeros(1), [True, True])
except TypeError as why:
    sys.exit(f"refused: {why}")
print("[1] by the pattern [True, True] gives", output.shape)
sys.exit(output.shape != (1, 1))
