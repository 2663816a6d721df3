"""A negative size beside a 0 comes out over no elements. Clause pattern.values: it is refused or read as -1."""
import sys

import mlx.core as mx

try:
    came = mx.reshape(mx.zeros(0), (-2, 0)).shape
except ValueError as why:
    sys.exit(f"refused: {why}")
print("mlx", mx.__version__, "- no elements to [-2, 0] gives", came, "- the document refuses it, or has a size for -2")
sys.exit(came != (-2, 0))
