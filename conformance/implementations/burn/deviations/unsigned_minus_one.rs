// The size 2^64 - 1, given unsigned, is inferred as if it were a -1.
// Clause size.representable: a value keeps its meaning, and no output has such a size.
use burn_tensor::{Device, Tensor};

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let came = std::panic::catch_unwind(|| {
        let data = Tensor::<1>::zeros([6], &Device::flex());
        data.reshape([2u64, u64::MAX]).dims()
    });
    let shape = came.as_ref().ok();
    println!("[6] to [2, 2^64 - 1]: came {shape:?} - the document says a refusal");
    std::process::exit(came.is_err() as i32);
}
