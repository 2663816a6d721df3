// 2^64 elements, one by 2^32 and 2^32 places, become none: their count wraps in 64 bits.
// Clause volume.exact: sizes are multiplied exactly, however large; nothing becomes equal by wrapping.
use candle_core::{DType, Device, Tensor};

fn main() -> candle_core::Result<()> {
    let data =
        Tensor::zeros(1, DType::U8, &Device::Cpu)?.broadcast_as((1usize << 32, 1usize << 32))?;
    let came = data.reshape(0);
    let shape = came.as_ref().map(|output| output.dims().to_vec()).ok();
    println!("[2^32, 2^32] to [0]: came {shape:?} - the document says a refusal");
    std::process::exit(came.is_err() as i32);
}
