"""A -1 that would be 2^63 is inferred as -2^63: the count of elements wraps.

Clause size.representable: it is no size that a tensor can have.
"""
import sys

from tvm import relax

builder = relax.BlockBuilder()
data = relax.Var("data", relax.TensorType([2**62, 2], "float32"))
try:
    with builder.function("main", [data]):
        output = builder.emit(relax.op.reshape(data, [-1]))
        builder.emit_func_output(output)
    came = [int(size) for size in output.ty.shape]
except Exception as refused:
    sys.exit(f"refused: {str(refused).strip().splitlines()[-1]}")
print("[2^62, 2] by the pattern [-1] is inferred as", came)
sys.exit(came != [-2**63])
