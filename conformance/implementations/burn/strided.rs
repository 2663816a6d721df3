// Tensor::reshape of data whose axes lie in the reverse order.
mod plugin;

const NAME: &std::ffi::CStr = c"burn-strided";
const STRIDED: bool = true;
