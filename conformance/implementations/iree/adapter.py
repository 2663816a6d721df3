"""StableHLO's reshape in IREE: compiled for each request, and run on the CPU.

    adapter.py llvm-cpu | vmvx     the code that IREE makes: LLVM's for the processor, or its own virtual machine's
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))

import iree.compiler
import iree.compiler.version
import iree.runtime
import numpy
from iree.runtime import BufferUsage, HalElementType, MemoryType
from reshape_conformance.child import BITS, Rejected, serve

# In the words of MLIR, and of IREE's runtime.
TYPES = {"f64": ("f64", "FLOAT_64"), "f32": ("f32", "FLOAT_32"), "f16": ("f16", "FLOAT_16"),
         "bf16": ("bf16", "BFLOAT_16"), "f8e4m3": ("f8E4M3FN", "FLOAT_8_E4M3_FN"), "f8e5m2": ("f8E5M2", "FLOAT_8_E5M2"),
         "i64": ("i64", "INT_64"), "i32": ("i32", "INT_32"), "i16": ("i16", "INT_16"), "i8": ("i8", "INT_8"),
         "u64": ("ui64", "UINT_64"), "u32": ("ui32", "UINT_32"), "u16": ("ui16", "UINT_16"), "u8": ("ui8", "UINT_8"),
         "boolean": ("i1", "BOOL_8")}
WORDS = {8: numpy.uint8, 16: numpy.uint16, 32: numpy.uint32, 64: numpy.uint64}
PATTERNS = ["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"]
# Without these IREE narrows the types of the function that it was given.
OPTIONS = ["--iree-input-demote-f64-to-f32=false", "--iree-input-demote-i64-to-i32=false"]
backend = sys.argv[1]
if backend == "llvm-cpu":
    OPTIONS.append("--iree-llvmcpu-target-cpu=generic")
config = iree.runtime.Config("local-sync")


def compiled(request):
    """The pattern is the type of the result, and a size is an integer."""
    if request.pattern_type not in PATTERNS:
        raise Rejected(f"{request.pattern_type} is no type of a size")
    def tensor(sizes):
        return "tensor<" + "".join(f"{size}x" for size in sizes) + TYPES[request.type][0] + ">"
    given, asked = tensor(request.shape), tensor(request.pattern)
    code = (f"func.func @main(%data: {given}) -> {asked} {{\n"
            f"  %output = stablehlo.reshape %data : ({given}) -> {asked}\n  return %output : {asked}\n}}")
    try:
        return iree.compiler.compile_str(code, target_backends=[backend], input_type="stablehlo", extra_args=OPTIONS)
    except iree.compiler.CompilerToolError as why:
        errors = [line for line in str(why).splitlines() if "error:" in line]
        raise Rejected(errors[0] if errors else str(why)) from why


def reshape(request):
    module = compiled(request)
    context = iree.runtime.SystemContext(config=config)
    context.add_vm_module(iree.runtime.VmModule.copy_buffer(context.instance, module))
    function = context.modules.module["main"].vm_function
    # Bits go in and come out as they are, so that nothing but IREE can change them.
    word = WORDS[BITS[request.type]]
    data = config.device.allocator.allocate_buffer_copy(
        memory_type=int(MemoryType.DEVICE_LOCAL), allowed_usage=int(BufferUsage.DEFAULT | BufferUsage.MAPPING),
        device=config.device, buffer=numpy.frombuffer(request.data, word).reshape(request.shape),
        element_type=int(getattr(HalElementType, TYPES[request.type][1])))
    inputs, outputs = iree.runtime.VmVariantList(1), iree.runtime.VmVariantList(1)
    inputs.push_ref(data)
    try:
        context.vm_context.invoke(function, inputs, outputs)
    except (IndexError, ValueError, RuntimeError) as why:
        raise Rejected(str(why).splitlines()[0]) from why
    view = outputs.get_as_object(0, iree.runtime.HalBufferView)
    if 0 in view.shape:
        return view.shape, b""
    return view.shape, view.map().asarray(list(view.shape), numpy.dtype(word)).tobytes()


serve(reshape, name=f"iree {backend}", version=iree.compiler.version.VERSION, dialects=["stablehlo-reshape"],
      element_types=TYPES, pattern_types=PATTERNS, answers=["data"], max_rank=64, max_bytes=1 << 22)
