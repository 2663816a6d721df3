// Tensor::reshape of data whose axes lie in the reverse order, which copies the elements.
mod plugin;

const NAME: &std::ffi::CStr = c"candle-strided";
const STRIDED: bool = true;
