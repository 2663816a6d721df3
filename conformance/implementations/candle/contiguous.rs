// Tensor::reshape of contiguous data, which gives a view.
mod plugin;

const NAME: &std::ffi::CStr = c"candle-contiguous";
const STRIDED: bool = false;
