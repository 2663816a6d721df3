"""Values below -1 become sizes of the output where their product is right, and an inferred one becomes negative.

Clauses pattern.values and size.representable: they may be refused, or read as -1, and no size is below 0.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import model

came = [model.shape_of([6], [-2, -3]), model.shape_of([6], [-1, -6])]
print("[6] by the pattern [-2, -3] gives", came[0], "and by [-1, -6]", came[1], "- the document knows no such sizes")
sys.exit(came != [[-2, -3], [-1, -6]])
