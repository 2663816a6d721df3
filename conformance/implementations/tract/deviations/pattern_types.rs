// Patterns of other types than int64 are read: f32 [2.9, 3.9] asks for [2, 3].
// Clause pattern.type: the pattern is a tensor of int64; any other type is refused.
#[path = "../model.rs"]
mod model;

use tract_onnx::prelude::*;

fn main() {
    let patterns: [(&str, i32, Vec<u8>); 3] = [
        ("f32 [2.9, 3.9]", 1, [2.9f32, 3.9].iter().flat_map(|v| v.to_le_bytes()).collect()),
        ("int32 [2, 3]", 6, [2i32, 3].iter().flat_map(|v| v.to_le_bytes()).collect()),
        ("uint8 [2, 3]", 2, vec![2, 3]),
    ];
    let mut taken = 0;
    for (named, pattern_type, values) in patterns {
        let model = model::loaded(&model::Question {
            operator_set: 14,
            data_type: 1,
            data: vec![6],
            pattern_type,
            pattern_shape: vec![2],
            pattern: Some(values),
            ..Default::default()
        });
        let came = model.and_then(|model| Ok(model.into_typed()?.output_fact(0)?.shape.clone()));
        println!("[6] by {named}: came {came:?} - the document says a refusal");
        taken += came.is_ok() as i32;
    }
    std::process::exit((taken == 0) as i32);
}
