"""The compiler takes no elements for 2^64: it multiplies in 64 bits. Only the run refuses it.

Clause volume.exact: 2^32*2^32 elements are not none.
"""
import sys

import iree.compiler

CODE = """func.func @main(%data: tensor<0xf32>) -> tensor<4294967296x4294967296xf32> {
  %output = stablehlo.reshape %data : (tensor<0xf32>) -> tensor<4294967296x4294967296xf32>
  return %output : tensor<4294967296x4294967296xf32>
}"""
try:
    module = iree.compiler.compile_str(CODE, target_backends=["vmvx"], input_type="stablehlo")
except iree.compiler.CompilerToolError as refused:
    sys.exit(f"refused: {refused}")
print("tensor<0xf32> as tensor<4294967296x4294967296xf32> is compiled into", len(module), "bytes")
