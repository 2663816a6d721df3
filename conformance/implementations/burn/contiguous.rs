// Tensor::reshape of contiguous data.
mod plugin;

const NAME: &std::ffi::CStr = c"burn-contiguous";
const STRIDED: bool = false;
