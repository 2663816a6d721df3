"""Sizes are multiplied in 64 bits: data of no elements is given a shape of 2^64 in a static graph. Clause volume.kept."""
import sys

import paddle

paddle.enable_static()
asked = [2**32, 2**32]
with paddle.static.program_guard(paddle.static.Program()):
    data = paddle.static.data("data", [0], "float32")
    try:
        came = list(paddle.reshape(data, asked).shape)
    except ValueError as why:
        sys.exit(f"refused: {why}")
    print(f"paddle {paddle.__version__}: the shape of [0] to {asked} is inferred as {came}; the document: refused")
sys.exit(came != asked)
