// A model whose pattern is an input is refused, although all that it needs is known when it runs.
// Clause pattern.tensor: Reshape takes two inputs, the data and the pattern as a tensor.
#[path = "../model.rs"]
mod model;

use tract_onnx::prelude::*;

fn main() {
    let model = model::loaded(&model::Question {
        operator_set: 14,
        data_type: 1,
        data: vec![2, 3],
        pattern_type: 7,
        pattern_shape: vec![1],
        ..Default::default()
    });
    let came = model.and_then(|model| model.into_typed()).map(|_| "a model");
    let why = came.as_ref().map_err(|why| why.root_cause().to_string());
    println!(
        "[2, 3] by an input of one value: came {why:?} - the document says a shape at run time"
    );
    std::process::exit(came.is_ok() as i32);
}
