"""Booleans are taken for sizes. Clause pattern.type: the sizes are integers; numpy.reshape of an array of booleans
refuses them."""
import sys

import cupy

try:
    output = cupy.zeros((1, 1), cupy.float32).reshape([True])
except (TypeError, ValueError) as why:
    print(f"refused: {why}")
    sys.exit(1)
print(f"[1, 1] by the pattern [True] gives {output.shape}")
