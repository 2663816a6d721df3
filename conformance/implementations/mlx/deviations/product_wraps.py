"""Sizes are multiplied in 64 bits: an array of no elements is given a shape of 2^64. Clause volume.kept."""
import sys

import mlx.core as mx

asked = (2**22, 2**22, 2**20)
try:
    came = mx.reshape(mx.zeros(0), asked).shape  # never evaluated
except ValueError as why:
    sys.exit(f"refused: {why}")
print("mlx", mx.__version__, "- no elements to", asked, "gives", came, "- the document refuses it")
sys.exit(came != asked)
