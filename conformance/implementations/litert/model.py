"""A model of one RESHAPE, packed by the schema that LiteRT brings."""

import flatbuffers
from ai_edge_litert import schema_py_generated as schema


def _tensor(name, type_, shape, buffer=0):
    one = schema.TensorT()
    one.name, one.type, one.shape, one.buffer = name, type_, list(shape), buffer
    return one


def packed(type_, shape, pattern, way, pattern_type="INT32"):
    """`pattern` is a NumPy array, which stands in the model ("constant"), in the operator's options
    ("option"), or not at all ("runtime": only its shape does). Tensor 0 is the data, 1 the output, whose
    sizes the model says are unknown, and 2 the pattern."""
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.RESHAPE
    code.version = 1
    operator = schema.OperatorT()
    operator.opcodeIndex, operator.inputs, operator.outputs = 0, [0], [1]
    element = getattr(schema.TensorType, type_)
    graph = schema.SubGraphT()
    graph.tensors = [_tensor("data", element, shape), _tensor("output", element, [])]
    graph.tensors[1].shapeSignature = [-1] * pattern.size
    graph.inputs, graph.outputs, graph.operators = [0], [1], [operator]
    buffers = [schema.BufferT()]
    if way == "option":
        operator.builtinOptionsType = schema.BuiltinOptions.ReshapeOptions
        operator.builtinOptions = schema.ReshapeOptionsT()
        operator.builtinOptions.newShape = pattern.tolist()
    else:
        operator.inputs = [0, 2]
        number = getattr(schema.TensorType, pattern_type)
        graph.tensors.append(_tensor("pattern", number, pattern.shape))
    if way == "constant":
        buffers.append(schema.BufferT())
        buffers[1].data = list(pattern.tobytes())
        graph.tensors[2].buffer = 1
    if way == "runtime":
        graph.inputs = [0, 2]
    whole = schema.ModelT()
    whole.version, whole.operatorCodes, whole.subgraphs, whole.buffers = 3, [code], [graph], buffers
    builder = flatbuffers.Builder(1024)
    builder.Finish(whole.Pack(builder), b"TFL3")
    return bytes(builder.Output())
