/* The C contract between reshape-conformance and an implementation of Reshape.
 *
 * An implementation is a shared library that exports one function, reshape_plugin_entry(), which
 * returns a table that lives as long as the library is loaded. The duties behind the words used
 * here are numbered in conformance/CONTRACT.md. Plain C11; also valid C++.
 *
 * Ownership: everything passed in belongs to the caller and is valid during the call only. Nothing
 * is handed over. Sizes and strides count elements, byte_offset and alignment count bytes. The stride
 * of an axis of one element, and those of a tensor of none, mean nothing and may be any number, in
 * requests to implementations that promise no strides as well.
 */
#ifndef RESHAPE_PLUGIN_H
#define RESHAPE_PLUGIN_H

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RESHAPE_ABI_VERSION 1u

/* Type codes of DLPack 1.1, as plain numbers because packaged headers are often older.
 * Floats: f64 f32 f16 are {kDLFloat, 64|32|16}, bf16 is {kDLBfloat, 16}. Integers, 4-bit ones
 * included, are {kDLInt|kDLUInt, bits}. Lanes are always 1. 4-bit elements are packed two in a
 * byte, the element with the lower index in the low half. */
#define RESHAPE_DL_BOOL 6u           /* bits = 8 */
#define RESHAPE_DL_FLOAT8_E4M3FN 10u /* bits = 8, "f8e4m3" */
#define RESHAPE_DL_FLOAT8_E5M2 12u   /* bits = 8, "f8e5m2" */

typedef enum reshape_status {
  RESHAPE_OK = 0,
  /* The document forbids this request. The answer to every request that must be refused. */
  RESHAPE_REJECTED = 1,
  /* The request may be valid, but lies outside what describe() promised. */
  RESHAPE_UNSUPPORTED = 2,
  /* The implementation failed by itself (no memory, a device error). Always counted as a
   * failure. */
  RESHAPE_FAILED = 3,
  /* Since 1.1, infer_shape only: its answer is not a shape (an interval, an unknown or a negative
   * size); the message says which. Counted as a failure, and reported as this one. */
  RESHAPE_NO_SHAPE = 4
} reshape_status;

/* Filled in by the implementation for every status but RESHAPE_OK: one NUL-terminated sentence. */
typedef struct reshape_message {
  char text[512];
} reshape_message;

/* The flag that says what a 0 in the pattern means, in the sense of special_zero: true where a 0
 * copies. A dialect that names its flag otherwise, or means the opposite by it, is passed in this
 * sense as well (ONNX's allowzero=0 is RESHAPE_FLAG_TRUE). Missing where it was not given, and in
 * dialects that have no flag. */
enum { RESHAPE_FLAG_FALSE = 0, RESHAPE_FLAG_TRUE = 1, RESHAPE_FLAG_MISSING = -1 };

typedef struct reshape_request {
  uint32_t struct_size; /* sizeof(reshape_request) of the caller; later versions append */
  int32_t special_zero; /* RESHAPE_FLAG_* */
  const char *dialect;  /* "openvino-reshape-1"; never NULL */
  /* The tensor to reshape. For infer_shape only ndim, shape and dtype count: data may be NULL and
   * strides may be NULL. For execute, strides == NULL means dense row-major, and the first element
   * lies at (char *)data + byte_offset. */
  const DLTensor *data;
  /* The pattern: a dense tensor on the CPU, readable in every call; normally a one-dimensional one
   * of a declared pattern type. Tensors of other ranks and of undeclared types, float ones too, are
   * given as well (not of other ranks to RESHAPE_PATTERN_IS_LIST), also where a dialect has the
   * pattern as an attribute, and have to be refused where the dialect refuses them: look at ndim
   * and dtype before data. */
  const DLTensor *pattern;
} reshape_request;

/* Receives a shape. The implementation writes `rank` and the first `rank` entries of `sizes`, none
 * behind them, and never more than `capacity` entries: a shape with more sizes is answered with any
 * status but RESHAPE_OK. On any status but RESHAPE_OK nothing is written. */
typedef struct reshape_shape {
  int32_t capacity;
  int32_t rank;
  int64_t *sizes;
} reshape_shape;

/* What an implementation can do. A request outside of this may be answered with
 * RESHAPE_UNSUPPORTED; one inside may not, and neither may one that the dialect refuses for its
 * types, unless it lies beyond a declared limit. */
enum {
  RESHAPE_STRIDED_INPUT = 1 << 0,    /* data with positive strides and gaps, broadcast 0 strides */
  RESHAPE_STRIDED_OUTPUT = 1 << 1,   /* output with positive strides and gaps */
  RESHAPE_NEGATIVE_STRIDES = 1 << 2, /* negative strides, on the sides declared above */
  RESHAPE_IN_PLACE = 1 << 3,         /* execute with output == data, both dense */
  RESHAPE_VIEWS = 1 << 4,            /* the `view` function is there and aliases whenever it can */
  RESHAPE_STARTS_THREADS = 1 << 5,   /* threads of the implementation may outlive a call; a child of
                                        fork, which has none of them, is answered all the same */
  RESHAPE_SHAPE_ONLY = 1 << 6,       /* there is no execute: only shapes are inferred */
  /* Since 1.1; each of these restricts what is promised above: */
  RESHAPE_NO_OVERLAPPING_STRIDES = 1 << 7, /* no strides that put two elements at one address */
  RESHAPE_PATTERN_IS_LIST = 1 << 8, /* the pattern is a list: one of another rank cannot be given */
  RESHAPE_SOME_VIEWS = 1 << 9,      /* `view` may answer unsupported for any layout, even dense */
  /* Since 1.1, not promised without this flag: execute with an output that overlaps the data in any
   * declared layout (in part, or the same bytes with other strides) writes what it would write if
   * all of the data were read first. */
  RESHAPE_OVERLAP = 1 << 10
};

typedef struct reshape_description {
  const char *name;     /* "mine" */
  const char *version;  /* "1.0" */
  const char *dialects; /* names separated by spaces: "openvino-reshape-1 onednn-static-reshape" */
  const char *element_types; /* of data, separated by spaces: "f32 f16 i4 boolean" */
  const char *pattern_types; /* of pattern tensors: "i32 i64"; NULL means "i64" */
  uint32_t capabilities;     /* RESHAPE_* flags */
  int32_t max_rank;          /* of data and of output; 0 means no limit */
  uint32_t alignment;        /* bytes that the first element of a buffer must be a multiple of;
                                0 means the element's own size */
} reshape_description;

typedef struct reshape_plugin {
  uint32_t abi_version; /* RESHAPE_ABI_VERSION */
  uint32_t struct_size; /* sizeof(reshape_plugin) */
  reshape_description description;

  /* The shape of the output, or a refusal. Required. */
  reshape_status (*infer_shape)(const reshape_request *request, reshape_shape *shape,
                                reshape_message *why);

  /* Writes the reshaped elements. `output` has the shape that the caller wants (normally the one
   * inferred), its own strides (NULL means dense row-major) and a writable buffer. A request that
   * infer_shape refuses is refused here too, before anything is written, and since 1.1 so is an
   * output of another shape than the inferred one. infer_shape may have been called elsewhere, on
   * another thread or in another process. NULL only together with RESHAPE_SHAPE_ONLY. */
  reshape_status (*execute)(const reshape_request *request, DLTensor *output, reshape_message *why);

  /* With RESHAPE_VIEWS: makes `output` an alias of `request->data` instead of a copy. ndim and
   * shape are given; the implementation sets data, byte_offset and the entries of strides (never
   * NULL here). RESHAPE_UNSUPPORTED says that this one needs a copy; then, and where it refuses, these
   * stay as they are. What execute refuses is refused here too. NULL otherwise. */
  reshape_status (*view)(const reshape_request *request, DLTensor *output, reshape_message *why);

  /* Since 1.1: the fields below are read if struct_size includes them, and count as zero otherwise.
   * The table may be filled in when the entry is called, so that types and limits can depend on the
   * machine. */

  /* One sentence where the library cannot work in this process (no device, no licence); nothing
   * else of the table is then read. NULL where it can. */
  const char *cannot_start;
  /* The most elements that data and output may have, and the largest size that the data has, the
   * pattern asks for by one of its values, or the output has. How many values the pattern has is
   * not limited by it. 0 means no limit. */
  int64_t max_elements;
  int64_t max_size;
} reshape_plugin;

/* The size of the table of version 1.0, the least that struct_size may say. */
#define RESHAPE_PLUGIN_SIZE_1_0 offsetof(reshape_plugin, cannot_start)

#if defined(_WIN32)
#define RESHAPE_EXPORT __declspec(dllexport)
#else
#define RESHAPE_EXPORT __attribute__((visibility("default")))
#endif

/* The one exported symbol. Never returns NULL. */
RESHAPE_EXPORT const reshape_plugin *reshape_plugin_entry(void);
#define RESHAPE_PLUGIN_ENTRY_NAME "reshape_plugin_entry"

#ifdef __cplusplus
}
#endif

#endif /* RESHAPE_PLUGIN_H */
