"""A -1 beside sizes whose product wraps to 0 is a division by zero inside the compiler, over data without elements.

Clause minus-one.inferred: the -1 is 0.
"""
import sys

from tvm import relax

builder = relax.BlockBuilder()
data = relax.Var("data", relax.TensorType([0], "float32"))
try:
    with builder.function("main", [data]):
        builder.emit_func_output(builder.emit(relax.op.reshape(data, [-1, 2**40, 2**40])))
    came = "inferred"
except Exception as thrown:
    came = str(thrown).strip().splitlines()[-1]
print("[0] by the pattern [-1, 2^40, 2^40]:", came, "- the document says [0, 2^40, 2^40]")
sys.exit("Divide by zero" not in came)
