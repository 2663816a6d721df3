// 90 elements become [41084062524965594, 449], and none become [2^32, 2^32]: the product wraps.
// Clause volume.kept: the output has as many elements as the data.
use candle_core::{DType, Device, Tensor};

fn main() -> candle_core::Result<()> {
    let mut taken = 0;
    for (elements, sizes) in [(90, [41084062524965594, 449]), (0, [1 << 32, 1 << 32])] {
        let data = Tensor::zeros(elements, DType::U8, &Device::Cpu)?;
        let came = data.reshape(sizes.to_vec());
        let shape = came.as_ref().map(|output| output.dims().to_vec()).ok();
        println!("[{elements}] to {sizes:?}: came {shape:?} - the document says a refusal");
        taken += came.is_ok() as i32;
    }
    std::process::exit((taken == 0) as i32);
}
