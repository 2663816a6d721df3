// The C contract (conformance/abi/reshape_plugin.h, version 1.1) for adapters in Rust, which
// include this file by its path. Names and order of the fields are those of the header.
#![allow(dead_code)]

use std::any::Any;
use std::ffi::{c_char, c_void};
use std::panic::{catch_unwind, set_hook, AssertUnwindSafe};
use std::sync::Once;

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DataType {
    pub code: u8,
    pub bits: u8,
    pub lanes: u16,
}

#[repr(C)]
pub struct Tensor {
    pub data: *mut c_void,
    pub device_type: i32,
    pub device_id: i32,
    pub ndim: i32,
    pub dtype: DataType,
    pub shape: *mut i64,
    pub strides: *mut i64,
    pub byte_offset: u64,
}

#[repr(C)]
pub struct Request {
    pub struct_size: u32,
    pub special_zero: i32,
    pub dialect: *const c_char,
    pub data: *const Tensor,
    pub pattern: *const Tensor,
}

#[repr(C)]
pub struct Shape {
    pub capacity: i32,
    pub rank: i32,
    pub sizes: *mut i64,
}

#[repr(C)]
pub struct Message {
    pub text: [c_char; 512],
}

#[repr(C)]
pub struct Description {
    pub name: *const c_char,
    pub version: *const c_char,
    pub dialects: *const c_char,
    pub element_types: *const c_char,
    pub pattern_types: *const c_char,
    pub capabilities: u32,
    pub max_rank: i32,
    pub alignment: u32,
}

type Execute = extern "C" fn(*const Request, *mut Tensor, *mut Message) -> i32;

#[repr(C)]
pub struct Plugin {
    pub abi_version: u32,
    pub struct_size: u32,
    pub description: Description,
    pub infer_shape: InferShape,
    pub execute: Option<Execute>,
    pub view: Option<Execute>,
    pub cannot_start: *const c_char,
    pub max_elements: i64,
    pub max_size: i64,
}

// What the table points to is never written and lives as long as the library.
unsafe impl Sync for Plugin {}

type InferShape = extern "C" fn(*const Request, *mut Shape, *mut Message) -> i32;

impl Plugin {
    // Without views and without limits; an adapter changes what is otherwise with it.
    pub const fn of(description: Description, infer_shape: InferShape, execute: Execute) -> Plugin {
        Plugin {
            abi_version: 1,
            struct_size: size_of::<Plugin>() as u32,
            description,
            infer_shape,
            execute: Some(execute),
            view: None,
            cannot_start: std::ptr::null(),
            max_elements: 0,
            max_size: 0,
        }
    }
}

#[no_mangle]
pub extern "C" fn reshape_plugin_entry() -> *const Plugin {
    &crate::plugin::PLUGIN
}

pub const STRIDED_INPUT: u32 = 1 << 0;
pub const STRIDED_OUTPUT: u32 = 1 << 1;
pub const NEGATIVE_STRIDES: u32 = 1 << 2;
pub const STRIDED: u32 = STRIDED_INPUT | STRIDED_OUTPUT | NEGATIVE_STRIDES;
pub const VIEWS: u32 = 1 << 4;
pub const STARTS_THREADS: u32 = 1 << 5;
pub const NO_OVERLAPPING_STRIDES: u32 = 1 << 7;
pub const PATTERN_IS_LIST: u32 = 1 << 8;
pub const SOME_VIEWS: u32 = 1 << 9;

const OK: i32 = 0;
pub const REJECTED: i32 = 1;
pub const UNSUPPORTED: i32 = 2;
pub const FAILED: i32 = 3;
pub const NO_SHAPE: i32 = 4;

pub const INT: u8 = 0;
pub const UINT: u8 = 1;
pub const FLOAT: u8 = 2;
pub const BFLOAT: u8 = 4;
pub const BOOL: u8 = 6;
pub const FLOAT8_E4M3FN: u8 = 10;
pub const FLOAT8_E5M2: u8 = 12;

pub const FLAG_MISSING: i32 = -1;

// A status and its sentence, where a call answers neither with a shape nor with elements.
pub struct Answer(pub i32, pub String);

pub fn answer<T>(status: i32, sentence: impl ToString) -> Result<T, Answer> {
    Err(Answer(status, sentence.to_string()))
}

// The words of a panic.
pub fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

// Runs a call and reports how it ended. A panic is a failure of the library, and not an answer;
// where a library refuses by panics, its adapter catches them before.
pub fn answered(why: *mut Message, call: impl FnOnce() -> Result<(), Answer>) -> i32 {
    // The words of a panic reach the caller, and not the standard error.
    static QUIET: Once = Once::new();
    QUIET.call_once(|| set_hook(Box::new(|_| {})));
    let ended = catch_unwind(AssertUnwindSafe(call));
    let ended =
        ended.unwrap_or_else(|panic| answer(FAILED, format!("a panic: {}", words(&*panic))));
    let Err(Answer(status, sentence)) = ended else { return OK };
    let text = unsafe { &mut (*why).text };
    let length = sentence.len().min(text.len() - 1);
    for (to, from) in text.iter_mut().zip(sentence.bytes().take(length)) {
        *to = if from == 0 { b' ' } else { from } as c_char;
    }
    text[length] = 0;
    status
}

// Hands a shape to the caller.
pub fn give(sizes: &[usize], shape: *mut Shape) -> Result<(), Answer> {
    let shape = unsafe { &mut *shape };
    if sizes.iter().any(|&size| size > i64::MAX as usize) {
        return answer(NO_SHAPE, "a size of it is above 2^63-1");
    }
    if sizes.len() > shape.capacity as usize {
        return answer(FAILED, format!("there is no room for {sizes:?}"));
    }
    shape.rank = sizes.len() as i32;
    for (axis, &size) in sizes.iter().enumerate() {
        unsafe { *shape.sizes.add(axis) = size as i64 };
    }
    Ok(())
}

fn list<'a>(values: *const i64, count: i32) -> &'a [i64] {
    match count {
        0 => &[],
        _ => unsafe { std::slice::from_raw_parts(values, count as usize) },
    }
}

impl Tensor {
    pub fn sizes(&self) -> &[i64] {
        list(self.shape, self.ndim)
    }

    // The address of the first element; null where the tensor has no memory.
    pub fn start(&self) -> *mut u8 {
        match self.data.is_null() {
            true => std::ptr::null_mut(),
            false => unsafe { self.data.cast::<u8>().add(self.byte_offset as usize) },
        }
    }

    pub fn count(&self) -> usize {
        self.sizes().iter().product::<i64>() as usize
    }

    // The bytes of a dense tensor.
    pub fn bytes(&self) -> &[u8] {
        match (self.count() * self.dtype.bits as usize).div_ceil(8) {
            0 => &[],
            bytes => unsafe { std::slice::from_raw_parts(self.start(), bytes) },
        }
    }

    // The strides in elements, written out where the tensor is dense.
    pub fn strides(&self) -> Vec<i64> {
        if !self.strides.is_null() {
            return list(self.strides, self.ndim).to_vec();
        }
        let mut strides = vec![1i64; self.sizes().len()];
        for axis in (1..strides.len()).rev() {
            strides[axis - 1] = strides[axis].wrapping_mul(self.sizes()[axis]);
        }
        strides
    }

    // Whether the tensor is contiguous in row-major order. The stride of an axis of size 1 does not
    // count.
    pub fn dense(&self) -> bool {
        if self.strides.is_null() || self.sizes().contains(&0) {
            return true;
        }
        let mut step = 1;
        for (&size, stride) in self.sizes().iter().zip(self.strides()).rev() {
            if size != 1 && stride != step {
                return false;
            }
            step *= size;
        }
        true
    }

    // Fills a dense output with the elements of a result.
    pub fn fill(&self, bytes: &[u8]) -> Result<(), Answer> {
        if bytes.len() != self.bytes().len() {
            return answer(REJECTED, "the output has another size than what was computed");
        }
        if !bytes.is_empty() {
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.start(), bytes.len()) };
        }
        Ok(())
    }

    // The values of a list of integers of any width; an answer where the pattern is none.
    pub fn values(&self) -> Result<Vec<i128>, Answer> {
        let width = self.dtype.bits as usize / 8;
        if self.sizes().len() != 1 {
            return answer(REJECTED, "the new sizes are a list");
        }
        if self.dtype.code > UINT || width == 0 {
            return answer(REJECTED, "the new sizes are integers");
        }
        let value = |bytes: &[u8]| {
            let negative = self.dtype.code == INT && bytes[width - 1] >= 128;
            let mut wide = [if negative { 255 } else { 0 }; 16];
            wide[..width].copy_from_slice(bytes);
            i128::from_le_bytes(wide)
        };
        Ok(self.bytes().chunks(width).map(value).collect())
    }
}

// The elements of a dense tensor in an order in which the first axis is the innermost one.
pub fn turned(bytes: &[u8], width: usize, sizes: &[usize]) -> Vec<u8> {
    let mut turned = vec![0; bytes.len()];
    for (at, element) in bytes.chunks(width).enumerate() {
        let (mut rest, mut to, mut step) = (at, 0, bytes.len() / width);
        for &size in sizes.iter().rev() {
            step /= size;
            to += rest % size * step;
            rest /= size;
        }
        turned[to * width..][..width].copy_from_slice(element);
    }
    turned
}
