// No elements by [2147483647, 2147483647, 2147483647, 0] with allowzero=1 are refused.
// Clause volume.exact: sizes are multiplied exactly, and with a 0 among them there is no element.
#[path = "../model.rs"]
mod model;

use tract_onnx::prelude::*;

fn main() {
    let pattern = [2147483647i64, 2147483647, 2147483647, 0];
    let model = model::loaded(&model::Question {
        operator_set: 14,
        data_type: 1,
        data: vec![0],
        pattern_type: 7,
        pattern_shape: vec![4],
        pattern: Some(pattern.iter().flat_map(|value| value.to_le_bytes()).collect()),
        allowzero: Some(1),
    });
    let came = model.and_then(|model| Ok(model.into_typed()?.output_fact(0)?.shape.clone()));
    let why = came.as_ref().map_err(|why| why.root_cause().to_string());
    println!("[0] by {pattern:?}: came {why:?} - the document says this shape");
    std::process::exit(came.is_ok() as i32);
}
