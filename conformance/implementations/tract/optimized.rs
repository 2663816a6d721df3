// The model as applications run it: analysed, simplified and made ready for this machine.
mod plugin;

use tract_onnx::prelude::*;

const NAME: &std::ffi::CStr = c"tract-optimized";

fn ready(model: InferenceModel) -> TractResult<TypedModel> {
    model.into_optimized()
}
