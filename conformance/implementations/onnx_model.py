"""What adapters of tools that take ONNX models do alike: a model with the Reshape that is asked goes in, and out comes
one with shapes, or one that was rewritten, which the evaluator of the onnx package runs.

A model is of one of these ways. What is plain has the Reshape alone. What is folded reshapes a constant. What is merged
is the second of two Reshapes, of which the first takes a last axis of 1 away: its pattern comes with the data, whose
sizes have names. What is inner is read by another node, which changes nothing.
"""

import numpy
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from onnx_request import ARRAYS, DIALECTS, TYPES, flag_of, opset_of
from reshape_conformance.child import Rejected, Unsupported, serve


def first_line(why):
    return f"{type(why).__name__}: {next(iter(str(why).splitlines()), '')}"


def names(count, letter):
    return [f"{letter}{axis}" for axis in range(count)]


def model_of(request, way, *, output_has_sizes=True):
    """A model whose last Reshape is the one that is asked. Its output has a name for each size, or no shape."""
    pattern = numpy.array(request.pattern, ARRAYS[request.pattern_type]).reshape(request.pattern_shape)
    constants, nodes, inputs = [numpy_helper.from_array(pattern, "pattern")], [], []
    type_, shape = TYPES[request.type], request.shape
    if way == "folded":
        constants.append(helper.make_tensor("data", type_, shape, request.data, raw=True))
    elif way == "merged":
        nodes.append(helper.make_node("Reshape", ["given", "first"], ["data"]))
        inputs.append(helper.make_tensor_value_info("given", type_, names(len(shape) + 1, "n")))
        inputs.append(helper.make_tensor_value_info("first", TensorProto.INT64, [len(shape)]))
    else:
        inputs.append(helper.make_tensor_value_info("data", type_, shape))
    reshaped = "reshaped" if way == "inner" else "output"
    nodes.append(helper.make_node("Reshape", ["data", "pattern"], [reshaped], **flag_of(request)))
    if way == "inner":
        constants.append(numpy_helper.from_array(numpy.array(True), "yes"))
        nodes.append(helper.make_node("Where", ["yes", reshaped, reshaped], ["output"]))
    sizes = names(len(request.pattern), "m") if output_has_sizes else None
    output = helper.make_tensor_value_info("output", type_, sizes)
    graph = helper.make_graph(nodes, "one", inputs, [output], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset_of(request))])


def serve_inference(infer_shapes, *, name, version, dialects):
    """Answers by the shapes that infer_shapes(model) puts into a plain model."""

    def infer(request):
        try:
            inferred = infer_shapes(model_of(request, "plain", output_has_sizes=False))
        except Exception as why:  # what is raised is of many classes
            raise Rejected(first_line(why)) from why
        output = inferred.graph.output[0].type.tensor_type
        sizes = output.shape.dim
        if not output.HasField("shape") or any(size.WhichOneof("value") != "dim_value" for size in sizes):
            raise Unsupported("no shape, or one with unknown sizes, was inferred")
        return [size.dim_value for size in sizes], None

    serve(infer, name=name, version=version, dialects=dialects, element_types=TYPES, answers=["shapes"])


def serve_rewriter(rewrite, way, *, name, version, dialects=tuple(DIALECTS), output_has_sizes=True):
    """Answers by the models that `rewrite` makes of others."""

    def run(request):
        data = numpy.frombuffer(request.elements(), ARRAYS[request.type]).reshape(request.shape)
        first = numpy.array(request.shape, numpy.int64)
        given = {"folded": {}, "merged": {"given": data[..., None], "first": first}, "inner": {"data": data}}[way]
        try:
            made = rewrite(model_of(request, way, output_has_sizes=output_has_sizes))
            (output,) = ReferenceEvaluator(made).run(None, given)
        except Exception as why:  # what is raised is of many classes
            raise Rejected(first_line(why)) from why
        return output.shape, request.pack(output.tobytes())

    serve(run, name=f"{name} {way}", version=version, dialects=dialects, element_types=TYPES, answers=["data"],
          max_rank=63, max_bytes=2**20)
