"""An array without elements takes sizes whose product is 2**64. Clause volume.kept: as many elements as before;
numpy.reshape refuses it."""
import sys

import cupy

try:
    output = cupy.zeros(0, cupy.float32).reshape(2**32, 2**32)
except ValueError as why:
    print(f"refused: {why}")
    sys.exit(1)
print(f"0 elements by the pattern [2**32, 2**32] give {output.shape}, of size {output.size}")
