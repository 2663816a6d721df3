"""A 0 past the data's rank is a size of 0 where there are no elements.

Clause zero.past-rank: it copies a size that is not there.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import model

came = model.shape_of([0], [7, 0])
print("[0] by the pattern [7, 0] gives", came, "- the document refuses it")
sys.exit(came != [7, 0])
