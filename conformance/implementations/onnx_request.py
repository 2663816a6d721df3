"""What adapters of ONNX's documents do alike with a request, as contract.h does for the C contract."""

from onnx import TensorProto, helper

DIALECTS = [f"onnx-reshape-{opset}" for opset in (5, 13, 14, 19, 21, 23, 24, 25)]
TYPES = {"f64": TensorProto.DOUBLE, "f32": TensorProto.FLOAT, "f16": TensorProto.FLOAT16,
         "bf16": TensorProto.BFLOAT16, "f8e4m3": TensorProto.FLOAT8E4M3FN,
         "f8e5m2": TensorProto.FLOAT8E5M2, "i64": TensorProto.INT64, "i32": TensorProto.INT32,
         "i16": TensorProto.INT16, "i8": TensorProto.INT8, "i4": TensorProto.INT4,
         "u64": TensorProto.UINT64, "u32": TensorProto.UINT32, "u16": TensorProto.UINT16,
         "u8": TensorProto.UINT8, "u4": TensorProto.UINT4, "boolean": TensorProto.BOOL}
# The types of arrays of numpy, some of which are those of ml_dtypes.
ARRAYS = {name: helper.tensor_dtype_to_np_dtype(type_) for name, type_ in TYPES.items()}


def opset_of(request):
    return int(request.dialect.rsplit("-", 1)[1])


def flag_of(request):
    """The attribute allowzero, in the documents that have it and where the caller gave it."""
    if opset_of(request) < 14 or request.special_zero is None:
        return {}
    return {"allowzero": int(not request.special_zero)}
