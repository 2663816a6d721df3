"""A 0 at an index that the data does not have is a plain 0 where the data has no elements. Clause zero.past-rank: the
index is one of the data's."""
import sys

import paddle

try:
    came = list(paddle.reshape(paddle.empty([0]), [0, 0]).shape)
except ValueError as why:
    sys.exit(f"refused: {why}")
print(f"paddle {paddle.__version__}: [0] to [0,0] gives {came}; the document: refused")
sys.exit(came != [0, 0])
