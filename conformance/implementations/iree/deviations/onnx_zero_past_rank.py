"""ONNX's Reshape takes a 0 where the data have no size to copy for one of 1.

Clause zero.past-rank: it is refused.
"""
import sys

import iree.compiler
import iree.runtime
import numpy

CODE = """func.func @main(%data: !torch.vtensor<[],f32>, %pattern: !torch.vtensor<[2],si64>)
    -> !torch.vtensor<[?,?],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %output = torch.operator "onnx.Reshape"(%data, %pattern)
    : (!torch.vtensor<[],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,?],f32>
  return %output : !torch.vtensor<[?,?],f32>
}"""
context = iree.runtime.SystemContext(config=iree.runtime.Config("local-sync"))
context.add_vm_module(iree.runtime.VmModule.copy_buffer(context.instance, iree.compiler.compile_str(
    CODE, target_backends=["vmvx"], input_type="onnx")))
try:
    came = context.modules.module["main"](numpy.float32(7), numpy.int64([1, 0])).to_host()
except Exception as refused:
    sys.exit(f"refused: {refused}")
print("[] by the pattern [1, 0] gives", came.shape, "- the document refuses it")
