"""ONNX's Reshape makes a tensor with a size of -1, which reads as 2^64-1, of a pattern that comes when it runs.

Clause zero.with-minus-one: with allowzero=1 a 0 and a -1 are refused together.
"""
import sys

import iree.compiler
import iree.runtime
import numpy

CODE = """func.func @main(%data: !torch.vtensor<[?,?],f32>, %pattern: !torch.vtensor<[2],si64>)
    -> !torch.vtensor<[?,?],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %output = torch.operator "onnx.Reshape"(%data, %pattern) {torch.onnx.allowzero = 1 : si64}
    : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,?],f32>
  return %output : !torch.vtensor<[?,?],f32>
}"""
context = iree.runtime.SystemContext(config=iree.runtime.Config("local-sync"))
context.add_vm_module(iree.runtime.VmModule.copy_buffer(context.instance, iree.compiler.compile_str(
    CODE, target_backends=["vmvx"], input_type="onnx")))
try:
    came = context.modules.module["main"](numpy.ones((0, 3), numpy.float32), numpy.int64([0, -1]))
except Exception as refused:
    sys.exit(f"refused: {refused}")
sizes = came._buffer_view.shape
print("[0, 3] by the pattern [0, -1] with allowzero=1 gives", sizes)
sys.exit(sizes != [0, 2**64 - 1])
