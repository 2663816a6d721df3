// 6 elements become [3, 6148914691236517206, 3]: the sizes beside the hole wrap to a product of 2.
// Clause minus-one.divides: no size of the hole keeps the element count.
use candle_core::{DType, Device, Tensor};

fn main() -> candle_core::Result<()> {
    let data = Tensor::zeros(6, DType::U8, &Device::Cpu)?;
    let came = data.reshape(((), 6148914691236517206usize, 3));
    let shape = came.as_ref().map(|output| output.dims().to_vec()).ok();
    println!("[6] to ((), 6148914691236517206, 3): came {shape:?} - the document says a refusal");
    std::process::exit(came.is_err() as i32);
}
