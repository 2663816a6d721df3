// A single element becomes a tensor of 64 axes when the model is analysed, and not when it is optimised.
// Clause output.shape: the output has as many dimensions as the pattern has values.
#[path = "../model.rs"]
mod model;

use tract_onnx::prelude::*;

fn main() {
    let model = model::loaded(&model::Question {
        operator_set: 14,
        data_type: 1,
        data: vec![7],
        pattern_type: 7,
        pattern_shape: vec![64],
        pattern: Some(
            [&[7i64][..], &[1; 63]].concat().iter().flat_map(|v| v.to_le_bytes()).collect(),
        ),
        ..Default::default()
    });
    let came = model.and_then(|model| model.into_optimized()).map(|_| "a model");
    let why = came.as_ref().map_err(|why| why.root_cause().to_string());
    println!("[7] by a 7 and 63 ones: came {why:?} - the document says this shape");
    std::process::exit(came.is_ok() as i32);
}
