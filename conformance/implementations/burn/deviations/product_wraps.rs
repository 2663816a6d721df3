// 90 elements become [41084062524965594, 449]: the product of the new sizes wraps in 64 bits.
// Clause volume.kept: the new shape has as many elements as the tensor.
use burn_tensor::{Device, Tensor};

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let came = std::panic::catch_unwind(|| {
        let data = Tensor::<1>::zeros([90], &Device::flex());
        data.reshape([41084062524965594i64, 449]).dims()
    });
    let shape = came.as_ref().ok();
    println!("[90] to [41084062524965594, 449]: came {shape:?} - the document says a refusal");
    std::process::exit(came.is_err() as i32);
}
