"""Negative sizes come out, where their product is that of the data. Clause minus-one.once: below -1 is refused or read as
-1, and two of those are refused."""
import sys

import mlx.core as mx

try:
    came = mx.reshape(mx.arange(6), (-2, -3)).shape
except ValueError as why:
    sys.exit(f"refused: {why}")
print("mlx", mx.__version__, "- [6] to [-2, -3] gives", came, "- the document refuses it")
sys.exit(came != (-2, -3))
