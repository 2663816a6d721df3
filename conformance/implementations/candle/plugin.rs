// candle's Tensor::reshape behind the C contract; how the data lies says the file that includes
// this one.
#[path = "../contract.rs"]
mod contract;

use crate::{NAME, STRIDED};
use candle_core::shape::ShapeWithOneHole;
use candle_core::{DType, Device};
use contract::*;

fn usizes(tensor: &Tensor) -> Vec<usize> {
    tensor.sizes().iter().map(|&size| size as usize).collect()
}

// Whether memory is taken for so many elements to find a shape.
fn held(tensor: &Tensor) -> bool {
    let product = usizes(tensor).into_iter().try_fold(1, usize::checked_mul);
    product.is_some_and(|elements| elements <= 1 << 25)
}

fn refused(why: candle_core::Error) -> Answer {
    Answer(REJECTED, why.to_string().lines().next().unwrap_or_default().to_string())
}

fn type_of(tensor: &Tensor) -> Result<DType, Answer> {
    Ok(match (tensor.dtype.code, tensor.dtype.bits) {
        (FLOAT, 64) => DType::F64,
        (FLOAT, 32) => DType::F32,
        (FLOAT, 16) => DType::F16,
        (BFLOAT, 16) => DType::BF16,
        (FLOAT8_E4M3FN, 8) => DType::F8E4M3,
        (INT, 64) => DType::I64,
        (INT, 32) => DType::I32,
        (INT, 16) => DType::I16,
        (UINT, 32) => DType::U32,
        (UINT, 8) => DType::U8,
        _ => return answer(UNSUPPORTED, "a type that candle does not have"),
    })
}

fn data_of(tensor: &Tensor, bytes: Option<&[u8]>) -> Result<candle_core::Tensor, Answer> {
    let dtype = type_of(tensor)?;
    let mut sizes = usizes(tensor);
    let reversed: Vec<usize> = (0..sizes.len()).rev().collect();
    let bytes = bytes.map(|bytes| match STRIDED {
        true => turned(bytes, dtype.size_in_bytes(), &sizes),
        false => bytes.to_vec(),
    });
    if STRIDED {
        sizes.reverse();
    }
    let data = match bytes {
        Some(bytes) => candle_core::Tensor::from_raw_buffer(&bytes, dtype, &sizes, &Device::Cpu),
        None => candle_core::Tensor::zeros(sizes, dtype, &Device::Cpu),
    };
    let data = match STRIDED {
        true => data.and_then(|data| data.permute(reversed)),
        false => data,
    };
    data.map_err(|why| Answer(UNSUPPORTED, format!("the data cannot be made: {why}")))
}

// The new sizes as candle's callers write them: a -1 is the hole of a tuple, of which there are
// tuples with one hole and up to five sizes, and other negative values are no usize.
fn sizes_of(pattern: &Tensor) -> Result<Vec<Option<usize>>, Answer> {
    let value = |value: i128| match value {
        -1 => Ok(None),
        _ => usize::try_from(value).map(Some).map_err(|why| Answer(REJECTED, why.to_string())),
    };
    let sizes: Vec<_> = pattern.values()?.into_iter().map(value).collect::<Result<_, _>>()?;
    match sizes.iter().filter(|size| size.is_none()).count() {
        0 => Ok(sizes),
        1 if sizes.len() <= 5 => Ok(sizes),
        1 => answer(UNSUPPORTED, "no tuple of more than five sizes has a hole"),
        _ => answer(REJECTED, "no tuple has two holes"),
    }
}

// Calls a function with the sizes as the tuple that a caller writes.
macro_rules! of_tuple {
    ($sizes:expr, $tuple:ident => $call:expr) => {
        match *$sizes {
            [None] => of_tuple!(@ $tuple ((),), $call),
            [None, Some(a)] => of_tuple!(@ $tuple ((), a), $call),
            [Some(a), None] => of_tuple!(@ $tuple (a, ()), $call),
            [None, Some(a), Some(b)] => of_tuple!(@ $tuple ((), a, b), $call),
            [Some(a), None, Some(b)] => of_tuple!(@ $tuple (a, (), b), $call),
            [Some(a), Some(b), None] => of_tuple!(@ $tuple (a, b, ()), $call),
            [None, Some(a), Some(b), Some(c)] => of_tuple!(@ $tuple ((), a, b, c), $call),
            [Some(a), None, Some(b), Some(c)] => of_tuple!(@ $tuple (a, (), b, c), $call),
            [Some(a), Some(b), None, Some(c)] => of_tuple!(@ $tuple (a, b, (), c), $call),
            [Some(a), Some(b), Some(c), None] => of_tuple!(@ $tuple (a, b, c, ()), $call),
            [None, Some(a), Some(b), Some(c), Some(d)] => of_tuple!(@ $tuple ((), a, b, c, d), $call),
            [Some(a), None, Some(b), Some(c), Some(d)] => of_tuple!(@ $tuple (a, (), b, c, d), $call),
            [Some(a), Some(b), None, Some(c), Some(d)] => of_tuple!(@ $tuple (a, b, (), c, d), $call),
            [Some(a), Some(b), Some(c), None, Some(d)] => of_tuple!(@ $tuple (a, b, c, (), d), $call),
            [Some(a), Some(b), Some(c), Some(d), None] => of_tuple!(@ $tuple (a, b, c, d, ()), $call),
            _ => of_tuple!(@ $tuple $sizes.iter().flatten().copied().collect::<Vec<_>>(), $call),
        }
    };
    (@ $tuple:ident $value:expr, $call:expr) => {{
        let $tuple = $value;
        $call
    }};
}

extern "C" fn infer_shape(request: *const Request, shape: *mut Shape, why: *mut Message) -> i32 {
    answered(why, || {
        let (data, pattern) = unsafe { (&*(*request).data, &*(*request).pattern) };
        let sizes = sizes_of(pattern)?;
        let elements = candle_core::Shape::from(usizes(data)).elem_count();
        let came = match held(data) {
            true => {
                let data = data_of(data, None)?;
                of_tuple!(&sizes[..], new => data.reshape(new)).map(|data| data.shape().clone())
            }
            // The first step of reshape(), which needs no memory.
            false => of_tuple!(&sizes[..], new => new.into_shape(elements)),
        };
        let came = came.map_err(refused)?;
        give(came.dims(), shape)
    })
}

extern "C" fn execute(request: *const Request, output: *mut Tensor, why: *mut Message) -> i32 {
    answered(why, || {
        let (request, output) = unsafe { (&*request, &*output) };
        let (data, pattern) = unsafe { (&*request.data, &*request.pattern) };
        let sizes = sizes_of(pattern)?;
        if !data.dense() || !output.dense() {
            return answer(UNSUPPORTED, "data is given dense, and laid out here");
        }
        let data = data_of(data, Some(data.bytes()))?;
        let reshaped = of_tuple!(&sizes[..], new => data.reshape(new)).map_err(refused)?;
        let came = reshaped.dims().iter().map(|&size| size as i64);
        if !came.eq(output.sizes().iter().copied()) {
            return answer(REJECTED, "the output has another shape than the inferred one");
        }
        let mut bytes = vec![];
        reshaped.write_bytes(&mut bytes).map_err(refused)?;
        output.fill(&bytes)
    })
}

const DESCRIPTION: Description = Description {
    name: NAME.as_ptr(),
    version: c"0.11.1".as_ptr(),
    // Candle's documentation says of the hole that it behaves as the -1 of PyTorch.
    dialects: c"pytorch-reshape".as_ptr(),
    element_types: c"f64 f32 f16 bf16 f8e4m3 i64 i32 i16 u32 u8".as_ptr(),
    pattern_types: c"i64 i32 i16 i8 u64 u32 u16 u8".as_ptr(),
    capabilities: PATTERN_IS_LIST,
    max_rank: 5,
    alignment: 0,
};

pub static PLUGIN: Plugin = Plugin::of(DESCRIPTION, infer_shape, execute);
