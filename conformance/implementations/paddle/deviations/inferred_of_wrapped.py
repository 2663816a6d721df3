"""A -1 is divided by a product that wrapped to 2 in 64 bits, in a static graph. Clause minus-one.divides: 6 elements are
no rows of 2^64+2."""
import sys

import paddle

paddle.enable_static()
asked = [6, -1, 3074457345618258603]
with paddle.static.program_guard(paddle.static.Program()):
    data = paddle.static.data("data", [6], "float32")
    try:
        came = list(paddle.reshape(data, asked).shape)
    except ValueError as why:
        sys.exit(f"refused: {why}")
    print(f"paddle {paddle.__version__}: the shape of [6] to {asked} is inferred as {came}; the document: refused")
sys.exit(came != [6, 3, 3074457345618258603])
