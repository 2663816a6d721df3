// into_shape_clone of an array of its own, which has the data's layout where that is contiguous.
mod plugin;

use ndarray::{ArrayViewD, CowArray, IxDyn, ShapeError};

const NAME: &std::ffi::CStr = c"ndarray-into-shape-clone";
const CAPABILITIES: u32 = plugin::STRIDED;
const MOST_ELEMENTS: i64 = 1 << 25; // all of them are allocated

fn reshaped<'a, A: Clone>(
    data: &'a ArrayViewD<'a, A>,
    sizes: &[usize],
) -> Result<CowArray<'a, A, IxDyn>, ShapeError> {
    data.to_owned().into_shape_clone(sizes).map(CowArray::from)
}
