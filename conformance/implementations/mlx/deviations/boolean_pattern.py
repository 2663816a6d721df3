"""A list of True is taken for sizes of 1, which numpy.reshape refuses. Clause pattern.type: a size is an integer."""
import sys

import mlx.core as mx

try:
    came = mx.reshape(mx.zeros(1), [True, True]).shape
except (TypeError, ValueError) as why:
    sys.exit(f"refused: {why}")
print("mlx", mx.__version__, "- [1] to [True, True] gives", came, "- the document refuses it")
sys.exit(came != (1, 1))
