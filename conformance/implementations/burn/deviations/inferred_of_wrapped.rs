// 6 elements become [3, 6148914691236517206, 3]: the sizes beside the -1 wrap to a product of 2.
// Clause minus-one.divides: no size of the -1 keeps the number of elements.
use burn_tensor::{Device, Tensor};

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let came = std::panic::catch_unwind(|| {
        let data = Tensor::<1>::zeros([6], &Device::flex());
        data.reshape([-1, 6148914691236517206i64, 3]).dims()
    });
    let shape = came.as_ref().ok();
    println!("[6] to [-1, 6148914691236517206, 3]: came {shape:?} - the document says a refusal");
    std::process::exit(came.is_err() as i32);
}
