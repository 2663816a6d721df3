// No elements become no elements of other sizes, and are refused where the other sizes are large.
// Clause volume.exact: sizes are multiplied exactly, and with a 0 among them there is no element.
use ndarray::ArrayD;

fn main() {
    let data = ArrayD::<f32>::zeros(vec![0]);
    let came = data.to_shape(vec![0, 1 << 40, 1 << 40]).map(|output| output.shape().to_vec());
    println!("[0] to [0, 2^40, 2^40]: came {came:?} - the document says this shape");
    std::process::exit(came.is_ok() as i32);
}
