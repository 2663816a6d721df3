"""ONNX's Reshape takes several -1 for a scalar, in a pattern that comes when it runs.

Clause minus-one.once: at most one size is inferred.
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
    came = context.modules.module["main"](numpy.ones((), numpy.float32), numpy.int64([-1, -1])).to_host()
except Exception as refused:
    sys.exit(f"it is refused: {str(refused).splitlines()[0]}")
print("[] by the pattern [-1, -1] gives", list(came.shape))
