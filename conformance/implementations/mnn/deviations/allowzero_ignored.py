"""allowzero=1 is not read: a 0 copies, so that what is empty stays full and what is valid is refused.

Clauses volume.kept, zero.literal and zero.with-minus-one: a 0 is a size of 0 then, and none stands beside a -1.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import model

came = [model.shape_of([2, 3], [0, 3], allowzero=1), model.shape_of([2, 3], [0, -1], allowzero=1),
        model.shape_of([0, 3], [3, 0], allowzero=1)]
print("[2, 3] by the pattern [0, 3] with allowzero=1 gives", came[0], "- the document refuses it")
print("[2, 3] by the pattern [0, -1] with allowzero=1 gives", came[1], "- the document refuses it")
print("[0, 3] by the pattern [3, 0] with allowzero=1", "is refused" if came[2] is None else f"gives {came[2]}",
      "- the document says [3, 0]")
sys.exit(came[:2] != [[2, 3], [2, 3]])
