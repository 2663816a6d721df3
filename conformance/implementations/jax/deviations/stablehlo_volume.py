"""volume.exact: 2^64 elements are not none. The verifier of StableHLO multiplies in 64 bits."""
import sys

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

context = ir.Context()
context.allow_unregistered_dialects = True
stablehlo.register_dialect(context)
words = """%data = "a.source"() : () -> tensor<0xf32>
%output = stablehlo.reshape %data : (tensor<0xf32>) -> tensor<4294967296x4294967296xf32>"""
try:
    module = ir.Module.parse(words, context)
    module.operation.verify()
except ir.MLIRError as why:
    sys.exit(f"refused: {why}")
print(module)
