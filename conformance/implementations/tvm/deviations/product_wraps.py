"""Products of sizes wrap at 2^64, where other counts of elements are the same.

Clause volume.kept: 2*13*419*691*823*2977518503 elements are not 10.
"""
import sys

from tvm import relax

SIZES = [2, 13, 419, 691, 823, 2977518503]
builder = relax.BlockBuilder()
data = relax.Var("data", relax.TensorType([10], "float32"))
try:
    with builder.function("main", [data]):
        output = builder.emit(relax.op.reshape(data, SIZES))
        builder.emit_func_output(output)
    came = str(output.ty)
except Exception as refused:
    sys.exit(f"refused: {str(refused).strip().splitlines()[-1]}")
print("[10] by the pattern", SIZES, "is inferred as", came)
