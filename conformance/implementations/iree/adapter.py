"""Reshape in IREE, run on the CPU: StableHLO's, compiled for each request, or ONNX's, whose sizes and pattern
come when it runs.

    adapter.py llvm-cpu | vmvx [onnx]     the code that IREE makes: LLVM's for the processor, or its own virtual
                                          machine's
"""

import functools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))

import iree.compiler
import iree.compiler.version
import iree.runtime
import numpy
from iree.runtime import BufferUsage, HalElementType, MemoryType
from reshape_conformance.child import BITS, Rejected, Unsupported, serve

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
backend, onnx = sys.argv[1], sys.argv[2:] == ["onnx"]
if backend == "llvm-cpu":
    OPTIONS.append("--iree-llvmcpu-target-cpu=generic")
config = iree.runtime.Config("local-sync")


@functools.lru_cache(maxsize=256)
def compiled(code):
    """A context with the function."""
    try:
        module = iree.compiler.compile_str(code, target_backends=[backend], extra_args=OPTIONS,
                                           input_type="onnx" if onnx else "stablehlo")
    except iree.compiler.CompilerToolError as why:
        errors = [line for line in str(why).splitlines() if "error:" in line]
        raise Rejected(errors[0] if errors else str(why)) from why
    context = iree.runtime.SystemContext(config=config)
    context.add_vm_module(iree.runtime.VmModule.copy_buffer(context.instance, module))
    return context


def stablehlo_code(request):
    """The pattern is the type of the result, and a size is an integer."""
    if request.pattern_type not in PATTERNS:
        raise Rejected(f"{request.pattern_type} is no type of a size")
    def tensor(sizes):
        return "tensor<" + "".join(f"{size}x" for size in sizes) + TYPES[request.type][0] + ">"
    given, asked = tensor(request.shape), tensor(request.pattern)
    return (f"func.func @main(%data: {given}) -> {asked} {{\n"
            f"  %output = stablehlo.reshape %data : ({given}) -> {asked}\n  return %output : {asked}\n}}")


def onnx_code(request):
    """As iree-import-onnx writes a model whose inputs have names for sizes: only ranks are known."""
    if request.pattern_type not in [*PATTERNS, "f64", "f32", "f16", "boolean"]:
        raise Unsupported(f"NumPy has no {request.pattern_type}")
    def tensor(sizes, type_):
        word = TYPES[type_][0]
        return f"!torch.vtensor<[{','.join(map(str, sizes))}],{'s' * (word[0] == 'i' and word != 'i1')}{word}>"
    opset = int(request.dialect.rsplit("-", 1)[1])
    given = tensor("?" * len(request.shape), request.type)
    pattern = tensor(request.pattern_shape, request.pattern_type)
    asked = tensor("?" * len(request.pattern), request.type)
    flag = ("" if opset < 14 or request.special_zero is None
            else f" {{torch.onnx.allowzero = {int(not request.special_zero)} : si64}}")
    return (f"func.func @main(%data: {given}, %pattern: {pattern}) -> {asked} attributes "
            f"{{torch.onnx_meta.ir_version = 10 : si64, torch.onnx_meta.opset_version = {opset} : si64}} {{\n"
            f'  %output = torch.operator "onnx.Reshape"(%data, %pattern){flag}'
            f" : ({given}, {pattern}) -> {asked}\n"
            f"  return %output : {asked}\n}}")


def buffer(array, type_):
    """Bits go in and come out as they are, so that nothing but IREE can change them."""
    return config.device.allocator.allocate_buffer_copy(
        memory_type=int(MemoryType.DEVICE_LOCAL), allowed_usage=int(BufferUsage.DEFAULT | BufferUsage.MAPPING),
        device=config.device, buffer=array, element_type=int(getattr(HalElementType, TYPES[type_][1])))


def reshape(request):
    context = compiled(onnx_code(request) if onnx else stablehlo_code(request))
    word = WORDS[BITS[request.type]]
    inputs, outputs = iree.runtime.VmVariantList(2), iree.runtime.VmVariantList(1)
    inputs.push_ref(buffer(numpy.frombuffer(request.data, word).reshape(request.shape), request.type))
    if onnx:
        pattern = numpy.array(request.pattern, f"{request.pattern_type[0]}{BITS[request.pattern_type] // 8}")
        inputs.push_ref(buffer(pattern.reshape(request.pattern_shape), request.pattern_type))
    try:
        context.vm_context.invoke(context.modules.module["main"].vm_function, inputs, outputs)
    except (IndexError, ValueError, RuntimeError) as why:
        raise Rejected(str(why).splitlines()[0]) from why
    view = outputs.get_as_object(0, iree.runtime.HalBufferView)
    if 0 in view.shape:
        return view.shape, b""
    return view.shape, view.map().asarray(list(view.shape), numpy.dtype(word)).tobytes()


OPSETS = [5, 13, 14, 19, 21, 23, 24, 25]
serve(reshape, name=f"iree {' '.join(sys.argv[1:])}", version=iree.compiler.version.VERSION,
      dialects=[f"onnx-reshape-{opset}" for opset in OPSETS] if onnx else ["stablehlo-reshape"],
      element_types=TYPES, pattern_types=["i64"] if onnx else PATTERNS, answers=["data"], max_rank=64,
      max_bytes=1 << 22)
