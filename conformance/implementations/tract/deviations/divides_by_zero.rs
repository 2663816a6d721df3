// A -1 beside copied sizes whose product wraps to 0 divides by it, which panics.
// Clause minus-one.inferred: the -1 is the one size that keeps the count, here the 0 of the data.
#[path = "../model.rs"]
mod model;

use tract_onnx::prelude::*;

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let came = std::panic::catch_unwind(|| {
        let model = model::loaded(&model::Question {
            operator_set: 14,
            data_type: 1,
            data: vec![1 << 32, 1 << 32, 0],
            pattern_type: 7,
            pattern_shape: vec![3],
            pattern: Some([0i64, 0, -1].iter().flat_map(|value| value.to_le_bytes()).collect()),
            ..Default::default()
        });
        model.and_then(|model| model.into_typed()).map(|_| "a model").map_err(|_| "a refusal")
    });
    let said = came.unwrap_or(Err("a panic")).unwrap_or_else(|other| other);
    println!("[2^32, 2^32, 0] by [0, 0, -1]: came {said} - the document says [2^32, 2^32, 0]");
    std::process::exit((said == "a model") as i32);
}
