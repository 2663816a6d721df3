// ndarray behind the C contract; how it reshapes says the file that includes this one.
#[path = "../contract.rs"]
mod contract;

use crate::{reshaped, CAPABILITIES, MOST_ELEMENTS, NAME};
pub use contract::*;
use ndarray::{ArrayD, ArrayViewD, ArrayViewMutD, Axis, IxDyn, ShapeBuilder};
use std::mem::MaybeUninit;
use std::ptr::{null_mut, NonNull};

// A tensor as ndarray has it: from the element at the lowest address, with strides that are not
// negative; the axes that are turned round afterwards are told apart.
struct Laid<A> {
    lowest: NonNull<A>,
    shape: ndarray::StrideShape<IxDyn>,
    turned: Vec<Axis>,
}

fn laid<A>(tensor: &Tensor) -> Result<Laid<A>, Answer> {
    let sizes: Vec<usize> = tensor.sizes().iter().map(|&size| size as usize).collect();
    let others = sizes.iter().filter(|&&size| size > 0);
    let bytes = others.copied().try_fold(size_of::<A>(), usize::checked_mul);
    if bytes.is_none_or(|bytes| bytes > isize::MAX as usize) {
        return answer(UNSUPPORTED, "the sizes that are not 0 multiply to more than isize::MAX");
    }
    let lowest = NonNull::new(tensor.start().cast::<A>()).unwrap_or(NonNull::dangling());
    let mut laid = Laid { lowest, shape: IxDyn(&sizes).into(), turned: vec![] };
    if tensor.dense() {
        return Ok(laid);
    }
    let mut strides = tensor.strides();
    for axis in 0..strides.len() {
        if strides[axis] < 0 {
            let last = strides[axis] as isize * (sizes[axis] as isize - 1);
            laid.lowest = unsafe { laid.lowest.offset(last) };
            laid.turned.push(Axis(axis));
            strides[axis] = -strides[axis];
        }
    }
    let strides: Vec<usize> = strides.iter().map(|&stride| stride as usize).collect();
    laid.shape = IxDyn(&sizes).strides(IxDyn(&strides));
    Ok(laid)
}

fn view<'a, A>(tensor: &Tensor) -> Result<ArrayViewD<'a, A>, Answer> {
    let laid = laid::<A>(tensor)?;
    let mut view = unsafe { ArrayViewD::from_shape_ptr(laid.shape, laid.lowest.as_ptr()) };
    laid.turned.iter().for_each(|&axis| view.invert_axis(axis));
    Ok(view)
}

fn view_mut<'a, A>(tensor: &Tensor) -> Result<ArrayViewMutD<'a, MaybeUninit<A>>, Answer> {
    let laid = laid::<MaybeUninit<A>>(tensor)?;
    let mut view = unsafe { ArrayViewMutD::from_shape_ptr(laid.shape, laid.lowest.as_ptr()) };
    laid.turned.iter().for_each(|&axis| view.invert_axis(axis));
    Ok(view)
}

// The new sizes as ndarray's callers have them: a negative one does not become a usize.
fn sizes_of(pattern: &Tensor) -> Result<Vec<usize>, Answer> {
    let values = pattern.values()?;
    let sizes = values.into_iter().map(usize::try_from).collect::<Result<_, _>>();
    sizes.map_err(|why| Answer(REJECTED, why.to_string()))
}

fn refused(why: ndarray::ShapeError) -> Answer {
    Answer(REJECTED, why.to_string())
}

extern "C" fn infer_shape(request: *const Request, shape: *mut Shape, why: *mut Message) -> i32 {
    answered(why, || {
        let (data, pattern) = unsafe { (&*(*request).data, &*(*request).pattern) };
        let sizes = sizes_of(pattern)?;
        // No element of a view is read, so that none has to be there.
        let nowhere = Tensor { data: null_mut(), strides: null_mut(), ..*data };
        let mut data = view::<u8>(&nowhere)?;
        let allocated;
        if MOST_ELEMENTS < i64::MAX {
            if data.len() as i64 > MOST_ELEMENTS {
                return answer(UNSUPPORTED, "more elements than are allocated here");
            }
            allocated = ArrayD::<u8>::zeros(data.raw_dim());
            data = allocated.view();
        }
        let reshaped = reshaped(&data, &sizes).map_err(refused)?;
        give(reshaped.shape(), shape)
    })
}

fn check(shape: &[usize], output: &Tensor) -> Result<(), Answer> {
    let sizes = output.sizes().iter().map(|&size| size as usize);
    match sizes.eq(shape.iter().copied()) {
        true => Ok(()),
        false => answer(REJECTED, "the output has another shape than the inferred one"),
    }
}

fn copy<A: Clone>(data: &Tensor, sizes: &[usize], output: &mut Tensor) -> Result<(), Answer> {
    let data = view::<A>(data)?;
    let reshaped = reshaped(&data, sizes).map_err(refused)?;
    check(reshaped.shape(), output)?;
    reshaped.assign_to(view_mut::<A>(output)?);
    Ok(())
}

fn alias<A: Clone>(data: &Tensor, sizes: &[usize], output: &mut Tensor) -> Result<(), Answer> {
    let data = view::<A>(data)?;
    let reshaped = reshaped(&data, sizes).map_err(refused)?;
    check(reshaped.shape(), output)?;
    if !reshaped.is_view() {
        return answer(UNSUPPORTED, "these elements have to be copied");
    }
    output.data = reshaped.as_ptr().cast_mut().cast();
    output.byte_offset = 0;
    for (axis, &stride) in reshaped.strides().iter().enumerate() {
        unsafe { *output.strides.add(axis) = stride as i64 };
    }
    Ok(())
}

// Calls a function of the element's type.
macro_rules! of_type {
    ($call:ident, $request:expr, $output:expr, $laid:expr) => {{
        let (data, pattern) = unsafe { (&*(*$request).data, &*(*$request).pattern) };
        let output = unsafe { &mut *$output };
        let sizes = sizes_of(pattern)?;
        if CAPABILITIES & STRIDED_INPUT == 0 && !(data.dense() && $laid(output)) {
            return answer(UNSUPPORTED, "what is not contiguous has no such view");
        }
        match (data.dtype.code, data.dtype.bits) {
            (FLOAT, 64) => $call::<f64>(data, &sizes, output),
            (FLOAT, 32) => $call::<f32>(data, &sizes, output),
            (INT, 64) => $call::<i64>(data, &sizes, output),
            (INT, 32) => $call::<i32>(data, &sizes, output),
            (INT, 16) => $call::<i16>(data, &sizes, output),
            (INT, 8) => $call::<i8>(data, &sizes, output),
            (UINT, 64) => $call::<u64>(data, &sizes, output),
            (UINT, 32) => $call::<u32>(data, &sizes, output),
            (UINT, 16) => $call::<u16>(data, &sizes, output),
            (UINT, 8) => $call::<u8>(data, &sizes, output),
            (BOOL, 8) => $call::<bool>(data, &sizes, output),
            _ => answer(UNSUPPORTED, "a type that Rust does not have"),
        }
    }};
}

extern "C" fn execute(request: *const Request, output: *mut Tensor, why: *mut Message) -> i32 {
    answered(why, || of_type!(copy, request, output, Tensor::dense))
}

extern "C" fn make_view(request: *const Request, output: *mut Tensor, why: *mut Message) -> i32 {
    answered(why, || of_type!(alias, request, output, |_: &Tensor| true))
}

const DESCRIPTION: Description = Description {
    name: NAME.as_ptr(),
    version: c"0.17.2".as_ptr(),
    // The documents of both libraries say the same: sizes as they are, and no -1 among them.
    dialects: c"eigen-tensor-reshape".as_ptr(),
    element_types: c"f64 f32 i64 i32 i16 i8 u64 u32 u16 u8 boolean".as_ptr(),
    pattern_types: c"i64 i32 i16 i8 u64 u32 u16 u8".as_ptr(),
    capabilities: PATTERN_IS_LIST | CAPABILITIES,
    max_rank: 0,
    alignment: 0,
};

pub static PLUGIN: Plugin = Plugin {
    view: if CAPABILITIES & VIEWS == 0 { None } else { Some(make_view) },
    max_elements: MOST_ELEMENTS,
    ..Plugin::of(DESCRIPTION, infer_shape, execute)
};
