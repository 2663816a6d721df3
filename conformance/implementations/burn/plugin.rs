// Burn's Tensor::reshape on the backend Flex, behind the C contract; how the data lies says the
// file that includes this one.
#[path = "../contract.rs"]
mod contract;

use crate::{NAME, STRIDED};
use burn_tensor::kind::{Basic, Bool, Float, Int};
use burn_tensor::{BoolStore, DType, Device, ReshapeArgs, TensorData};
use contract::*;
use std::panic::{catch_unwind, AssertUnwindSafe};

fn type_of(tensor: &Tensor) -> Result<DType, Answer> {
    Ok(match (tensor.dtype.code, tensor.dtype.bits) {
        (FLOAT, 64) => DType::F64,
        (FLOAT, 32) => DType::F32,
        (FLOAT, 16) => DType::F16,
        (BFLOAT, 16) => DType::BF16,
        (INT, 64) => DType::I64,
        (INT, 32) => DType::I32,
        (INT, 16) => DType::I16,
        (INT, 8) => DType::I8,
        (UINT, 64) => DType::U64,
        (UINT, 32) => DType::U32,
        (UINT, 16) => DType::U16,
        (UINT, 8) => DType::U8,
        (BOOL, 8) => DType::Bool(BoolStore::Native),
        _ => return answer(UNSUPPORTED, "a type that Burn does not have"),
    })
}

// Burn refuses by panics, of which its documentation lists three, and so does a slice of Rust.
fn or_refused<T>(call: impl FnOnce() -> T) -> Result<T, Answer> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| {
        let words = words(&*panic);
        let line = words.lines().filter(|line| !line.trim().is_empty() && !line.contains("==="));
        Answer(REJECTED, line.last().unwrap_or("a panic").trim().to_string())
    })
}

// The new sizes as Burn's callers write them: numbers of a type that Burn takes as an index.
enum Sizes {
    Signed(Vec<i64>),
    Unsigned(Vec<u64>),
}

fn sizes_of(pattern: &Tensor) -> Result<Sizes, Answer> {
    let values = pattern.values()?;
    Ok(match pattern.dtype.code {
        INT => Sizes::Signed(values.into_iter().map(|value| value as i64).collect()),
        _ => Sizes::Unsigned(values.into_iter().map(|value| value as u64).collect()),
    })
}

impl Sizes {
    fn count(&self) -> usize {
        match self {
            Sizes::Signed(values) => values.len(),
            Sizes::Unsigned(values) => values.len(),
        }
    }

    // The shape that reshape() gives an output of this rank.
    fn shape<const TO: usize>(&self, data: &[usize]) -> Vec<usize> {
        let source = burn_tensor::Shape::from(data.to_vec());
        let shape = match self {
            Sizes::Signed(values) => array::<_, TO>(values).into_shape::<TO>(source),
            Sizes::Unsigned(values) => array::<_, TO>(values).into_shape::<TO>(source),
        };
        shape.as_slice().to_vec()
    }
}

fn array<T: Copy, const N: usize>(values: &[T]) -> [T; N] {
    values.try_into().unwrap_or_else(|_| unreachable!("the rank is asked for by their count"))
}

// Data whose axes are turned round twice, once by their order in memory and once by their strides.
fn laid<const FROM: usize, K: Basic>(data: TensorData) -> burn_tensor::Tensor<FROM, K> {
    let dtype = data.dtype();
    let tensor = burn_tensor::Tensor::<FROM, K>::from_data(data, (&Device::flex(), dtype));
    match STRIDED {
        true => tensor.permute(std::array::from_fn(|axis| (FROM - 1 - axis) as isize)),
        false => tensor,
    }
}

fn run<const FROM: usize, const TO: usize, K: Basic>(
    data: TensorData,
    sizes: &Sizes,
) -> TensorData {
    let data = laid::<FROM, K>(data);
    match sizes {
        Sizes::Signed(values) => data.reshape(array::<_, TO>(values)).into_data(),
        Sizes::Unsigned(values) => data.reshape(array::<_, TO>(values)).into_data(),
    }
}

// Calls a function with a rank as a parameter of its type, of those that are compiled.
macro_rules! of_rank {
    ($rank:expr, $count:ident => $call:expr) => {
        match $rank {
            0 => of_rank!(@ $count 0 $call),
            1 => of_rank!(@ $count 1 $call),
            2 => of_rank!(@ $count 2 $call),
            3 => of_rank!(@ $count 3 $call),
            4 => of_rank!(@ $count 4 $call),
            5 => of_rank!(@ $count 5 $call),
            _ => answer(UNSUPPORTED, "a rank that is not compiled"),
        }
    };
    (@ $count:ident $rank:literal $call:expr) => {{
        const $count: usize = $rank;
        $call
    }};
}

const MOST_DIMENSIONS: i32 = 5;

fn usizes(tensor: &Tensor) -> Vec<usize> {
    tensor.sizes().iter().map(|&size| size as usize).collect()
}

extern "C" fn infer_shape(request: *const Request, shape: *mut Shape, why: *mut Message) -> i32 {
    answered(why, || {
        let (data, pattern) = unsafe { (&*(*request).data, &*(*request).pattern) };
        let (sizes, data) = (sizes_of(pattern)?, usizes(data));
        if data.is_empty() {
            return answer(REJECTED, "Burn makes no tensor of rank 0");
        }
        // The first step of reshape(), which needs no elements.
        let came = of_rank!(sizes.count(), TO => or_refused(|| sizes.shape::<TO>(&data)))?;
        give(&came, shape)
    })
}

fn output_of<K: Basic>(data: TensorData, sizes: &Sizes) -> Result<TensorData, Answer> {
    of_rank!(data.shape().rank(), FROM => of_rank!(sizes.count(), TO => or_refused(|| {
        run::<FROM, TO, K>(data, sizes)
    })))
}

extern "C" fn execute(request: *const Request, output: *mut Tensor, why: *mut Message) -> i32 {
    answered(why, || {
        let (request, output) = unsafe { (&*request, &*output) };
        let (data, pattern) = unsafe { (&*request.data, &*request.pattern) };
        let sizes = sizes_of(pattern)?;
        let dtype = type_of(data)?;
        if !data.dense() || !output.dense() {
            return answer(UNSUPPORTED, "data is given dense, and laid out here");
        }
        let mut axes = usizes(data);
        let bytes = match STRIDED {
            true => turned(data.bytes(), dtype.size(), &axes),
            false => data.bytes().to_vec(),
        };
        if STRIDED {
            axes.reverse();
        }
        let data = or_refused(|| TensorData::from_bytes_vec(bytes, axes, dtype))?;
        let came = match dtype {
            DType::Bool(_) => output_of::<Bool>(data, &sizes),
            _ if dtype.is_float() => output_of::<Float>(data, &sizes),
            _ => output_of::<Int>(data, &sizes),
        }?;
        if came.dtype() != dtype {
            return answer(FAILED, format!("the output is of {:?}", came.dtype()));
        }
        if came.shape().as_slice() != usizes(output) {
            return answer(REJECTED, "the output has another shape than the inferred one");
        }
        output.fill(came.as_bytes())
    })
}

const DESCRIPTION: Description = Description {
    name: NAME.as_ptr(),
    version: c"0.22.1".as_ptr(),
    dialects: c"burn-reshape".as_ptr(),
    element_types: c"f64 f32 f16 bf16 i64 i32 i16 i8 u64 u32 u16 u8 boolean".as_ptr(),
    pattern_types: c"i64 i32 i16 i8 u64 u32 u16 u8".as_ptr(),
    capabilities: PATTERN_IS_LIST,
    max_rank: MOST_DIMENSIONS,
    alignment: 0,
};

pub static PLUGIN: Plugin = Plugin::of(DESCRIPTION, infer_shape, execute);
