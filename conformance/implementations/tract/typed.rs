// The model as it is after the analysis of types and shapes, with the axis operations that a
// Reshape becomes.
mod plugin;

use tract_onnx::prelude::*;

const NAME: &std::ffi::CStr = c"tract-typed";

fn ready(model: InferenceModel) -> TractResult<TypedModel> {
    model.into_typed()
}
