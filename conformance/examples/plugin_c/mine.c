/* The smallest conforming implementation: OpenVINO's Reshape-1 over dense tensors whose elements
 * take whole bytes, with patterns of i64. Build it, gate it, then put your own copy into execute():
 *   gcc -shared -fPIC -I conformance/abi conformance/examples/plugin_c/mine.c -o libmine.so
 *   reshape-conformance run -i ./libmine.so */
#include <reshape_plugin.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static reshape_status answer(reshape_status status, reshape_message *why, const char *sentence) {
  snprintf(why->text, sizeof why->text, "%s", sentence);
  return status;
}

static const void *first_element(const DLTensor *tensor) {
  return (const char *)tensor->data + tensor->byte_offset;
}

/* The exact product of the sizes; -1 stands for anything above 2^63-1. A 0 anywhere gives 0. */
static int64_t times(int64_t product, int64_t size) {
  if (product == 0 || size == 0) return 0;
  if (product < 0 || __builtin_mul_overflow(product, size, &product)) return -1;
  return product;
}

static int64_t count_of(const DLTensor *tensor) {
  int64_t count = 1;
  for (int32_t i = 0; i < tensor->ndim; i++) count = times(count, tensor->shape[i]);
  return count;
}

static bool is_dense(const DLTensor *tensor) {
  if (!tensor->strides || count_of(tensor) == 0) return true;
  int64_t step = 1;
  for (int32_t i = tensor->ndim - 1; i >= 0; step *= tensor->shape[i--])
    if (tensor->shape[i] != 1 && tensor->strides[i] != step) return false;
  return true;
}

/* The size asked at position i: a copying 0 is looked up, a -1 stays, anything below is wrong. */
static int64_t asked(const reshape_request *q, int64_t i) {
  const int64_t value = ((const int64_t *)first_element(q->pattern))[i];
  if (value != 0 || q->special_zero != RESHAPE_FLAG_TRUE) return value;
  return i < q->data->ndim ? q->data->shape[i] : -2;
}

/* The rules. Answers with the size that a -1 stands for, and writes nothing else. */
static reshape_status resolve(const reshape_request *q, int64_t *inferred, reshape_message *why) {
  if (strcmp(q->dialect, "openvino-reshape-1") != 0)
    return answer(RESHAPE_UNSUPPORTED, why, "only openvino-reshape-1 is known here");
  if (q->special_zero == RESHAPE_FLAG_MISSING)
    return answer(RESHAPE_REJECTED, why, "special_zero is required");
  const DLDataType type = q->pattern->dtype;
  if ((type.code != kDLInt && type.code != kDLUInt) || q->pattern->ndim != 1)
    return answer(RESHAPE_REJECTED, why, "the pattern is not a list of integers");
  if (type.code != kDLInt || type.bits != 64 || q->data->dtype.bits % 8 != 0)
    return answer(RESHAPE_UNSUPPORTED, why, "patterns are i64 and elements whole bytes here");

  int64_t known = 1, infers = 0;
  for (int64_t i = 0; i < q->pattern->shape[0]; i++) {
    const int64_t size = asked(q, i);
    if (size < -1)
      return answer(RESHAPE_REJECTED, why, "a value below -1, or a 0 with nothing to copy");
    infers += size == -1;
    if (size != -1) known = times(known, size);
  }
  const int64_t count = count_of(q->data);
  if (infers > 1) return answer(RESHAPE_REJECTED, why, "more than one -1");
  if (count < 0) return answer(RESHAPE_REJECTED, why, "more elements than 2^63-1");
  if (infers == 1 && known == 0) return answer(RESHAPE_REJECTED, why, "nothing determines the -1");
  if (infers == 1 && count != 0 && (known < 0 || count % known != 0))
    return answer(RESHAPE_REJECTED, why, "no size of the -1 keeps the number of elements");
  if (infers == 0 && known != count)
    return answer(RESHAPE_REJECTED, why, "the numbers of elements differ");
  *inferred = count == 0 ? 0 : infers == 1 ? count / known : -1;
  return RESHAPE_OK;
}

static int64_t size_at(const reshape_request *q, int64_t i, int64_t inferred) {
  return asked(q, i) == -1 ? inferred : asked(q, i);
}

static reshape_status infer_shape(const reshape_request *q, reshape_shape *out,
                                  reshape_message *why) {
  int64_t inferred;
  const reshape_status status = resolve(q, &inferred, why);
  if (status != RESHAPE_OK) return status;
  if (q->pattern->shape[0] > out->capacity) return answer(RESHAPE_FAILED, why, "no room");
  out->rank = (int32_t)q->pattern->shape[0];
  for (int32_t i = 0; i < out->rank; i++) out->sizes[i] = size_at(q, i, inferred);
  return RESHAPE_OK;
}

static reshape_status execute(const reshape_request *q, DLTensor *out, reshape_message *why) {
  int64_t inferred;
  const reshape_status status = resolve(q, &inferred, why);
  if (status != RESHAPE_OK) return status;
  bool same = out->ndim == q->pattern->shape[0];
  for (int32_t i = 0; same && i < out->ndim; i++) same = out->shape[i] == size_at(q, i, inferred);
  if (!same) return answer(RESHAPE_REJECTED, why, "the output has another shape than the pattern");
  if (!is_dense(q->data) || !is_dense(out))
    return answer(RESHAPE_UNSUPPORTED, why, "only dense tensors are known here");
  const size_t bytes = (size_t)count_of(out) * (q->data->dtype.bits / 8);
  if (bytes != 0) memcpy((char *)out->data + out->byte_offset, first_element(q->data), bytes);
  return RESHAPE_OK;
}

const reshape_plugin *reshape_plugin_entry(void) {
  static const reshape_plugin plugin = {
      .abi_version = RESHAPE_ABI_VERSION,
      .struct_size = sizeof(reshape_plugin),
      .description = {.name = "mine",
                      .version = "1.0",
                      .dialects = "openvino-reshape-1",
                      .element_types = "f64 f32 f16 bf16 i64 i32 i16 i8 u64 u32 u16 u8 boolean"},
      .infer_shape = infer_shape,
      .execute = execute};
  return &plugin;
}
