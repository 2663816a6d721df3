// tract behind the C contract: a model of one Reshape with a constant pattern is made for each
// request; how it is made ready says the file that includes this one.
#[path = "../contract.rs"]
mod contract;
#[path = "model.rs"]
mod model;

use crate::{ready, NAME};
use contract::*;
use model::{loaded, Question};
use std::ffi::CStr;
use tract_onnx::prelude::{self as tract, DatumType, IntoRunnable, IntoTValue, TractError};

// TensorProto.DataType, of all types that can be asked for.
fn onnx_type(tensor: &Tensor) -> i32 {
    match (tensor.dtype.code, tensor.dtype.bits) {
        (FLOAT, 32) => 1,
        (UINT, 8) => 2,
        (INT, 8) => 3,
        (UINT, 16) => 4,
        (INT, 16) => 5,
        (INT, 32) => 6,
        (INT, 64) => 7,
        (BOOL, 8) => 9,
        (FLOAT, 16) => 10,
        (FLOAT, 64) => 11,
        (UINT, 32) => 12,
        (UINT, 64) => 13,
        (BFLOAT, 16) => 16,
        (FLOAT8_E4M3FN, 8) => 17,
        (FLOAT8_E5M2, 8) => 19,
        (UINT, 4) => 21,
        (INT, 4) => 22,
        _ => 0,
    }
}

fn question_of(request: &Request) -> Question {
    let (dialect, data, pattern) =
        unsafe { (CStr::from_ptr(request.dialect), &*request.data, &*request.pattern) };
    let operator_set = dialect.to_string_lossy().replace("onnx-reshape-", "");
    Question {
        operator_set: operator_set.parse().unwrap_or(0),
        data_type: onnx_type(data),
        data: data.sizes().to_vec(),
        pattern_type: onnx_type(pattern),
        pattern_shape: pattern.sizes().to_vec(),
        pattern: Some(pattern.bytes().to_vec()),
        // A 0 that copies is allowzero=0.
        allowzero: match request.special_zero {
            FLAG_MISSING => None,
            copies => Some(1 - copies as i64),
        },
    }
}

// What tract does not load, analyse or run it refuses; its last word is the reason.
fn refused(why: TractError) -> Answer {
    Answer(REJECTED, why.root_cause().to_string())
}

extern "C" fn infer_shape(request: *const Request, shape: *mut Shape, why: *mut Message) -> i32 {
    answered(why, || {
        let question = question_of(unsafe { &*request });
        let model = loaded(&question).and_then(ready).map_err(refused)?;
        let fact = model.output_fact(0).map_err(refused)?;
        match fact.shape.as_concrete() {
            Some(sizes) => give(sizes, shape),
            None => answer(NO_SHAPE, format!("it inferred {:?}", fact.shape)),
        }
    })
}

// tract's name of a type that it has loaded a model of.
fn datum_type(onnx_type: i32) -> Result<DatumType, Answer> {
    let known = tract_onnx::pb::tensor_proto::DataType::try_from(onnx_type);
    let known = known.map_err(|why| Answer(REJECTED, why.to_string()))?;
    known.try_into().map_err(refused)
}

extern "C" fn execute(request: *const Request, output: *mut Tensor, why: *mut Message) -> i32 {
    answered(why, || {
        let (request, output) = unsafe { (&*request, &*output) };
        let data = unsafe { &*request.data };
        let question = question_of(request);
        let model = loaded(&question).and_then(ready).map_err(refused)?;
        if !data.dense() || !output.dense() {
            return answer(UNSUPPORTED, "a tensor of tract is dense");
        }
        let runnable = model.into_runnable().map_err(refused)?;
        let sizes: Vec<usize> = data.sizes().iter().map(|&size| size as usize).collect();
        let dt = datum_type(question.data_type)?;
        let input = unsafe { tract::Tensor::from_raw_dt(dt, &sizes, data.bytes()) };
        let input = input.map_err(refused)?.into_tvalue();
        let outputs = runnable.run([input].into_iter().collect()).map_err(refused)?;
        let sizes = outputs[0].shape().iter().map(|&size| size as i64);
        if !sizes.eq(output.sizes().iter().copied()) {
            return answer(REJECTED, "the output has another shape than the computed one");
        }
        output.fill(outputs[0].as_bytes())
    })
}

const DESCRIPTION: Description = Description {
    name: NAME.as_ptr(),
    version: c"0.23.9".as_ptr(),
    dialects:
        c"onnx-reshape-5 onnx-reshape-13 onnx-reshape-14 onnx-reshape-19 onnx-reshape-21 \
                onnx-reshape-23 onnx-reshape-24 onnx-reshape-25"
            .as_ptr(),
    element_types: c"f64 f32 f16 i64 i32 i16 i8 u64 u32 u16 u8 boolean".as_ptr(),
    pattern_types: c"i64".as_ptr(),
    capabilities: 0,
    // With more axes than these it takes minutes to simplify a model.
    max_rank: 128,
    alignment: 0,
};

pub static PLUGIN: Plugin = Plugin::of(DESCRIPTION, infer_shape, execute);
