"""Of several -1 the last is inferred, and the others are 1.

Clause minus-one.once: at most one -1 stands in a pattern.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import model

came = model.shape_of([2, 3], [-1, -1])
print("[2, 3] by the pattern [-1, -1] gives", came, "- the document refuses it")
sys.exit(came != [1, 6])
