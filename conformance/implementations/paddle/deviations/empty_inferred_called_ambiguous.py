"""A -1 beside sizes whose product wraps to 0 is called ambiguous. Clause minus-one.inferred: the -1 is 0."""
import sys

import paddle

asked = [-1, 2**32, 2**32]
try:
    came = list(paddle.reshape(paddle.empty([0]), asked).shape)
except ValueError as why:
    print(f"paddle {paddle.__version__}: [0] to {asked}: {[line for line in str(why).splitlines() if 'can be any' in line]}")
else:
    sys.exit(f"produced: {came}")
