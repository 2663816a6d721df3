/* The contract's header by itself, as strict C11: the target that compiles this turns every warning
 * into an error. What is checked here holds in every later version of the contract. */
#include "conformance/abi/reshape_plugin.h"
#include "conformance/abi/reshape_plugin.h" /* twice: the include guard */

/* The version's layout on the platforms that have 64-bit pointers. */
#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(reshape_message) == 512, "a message is 512 bytes");
_Static_assert(offsetof(reshape_request, struct_size) == 0, "a request begins with its size");
_Static_assert(sizeof(reshape_request) == 32, "version 1 of reshape_request");
_Static_assert(sizeof(reshape_shape) == 16, "version 1 of reshape_shape");
_Static_assert(sizeof(reshape_description) == 56, "version 1 of reshape_description");
_Static_assert(RESHAPE_PLUGIN_SIZE_1_0 == 88, "version 1.0 of reshape_plugin");
_Static_assert(sizeof(reshape_plugin) == 112, "version 1.1 of reshape_plugin");
#endif
_Static_assert(RESHAPE_OK == 0 && RESHAPE_REJECTED == 1 && RESHAPE_UNSUPPORTED == 2 &&
                   RESHAPE_FAILED == 3 && RESHAPE_NO_SHAPE == 4,
               "statuses never change");
_Static_assert(RESHAPE_SHAPE_ONLY == 64 && RESHAPE_SOME_VIEWS == 512, "capability bits never move");

static reshape_status infer(const reshape_request *request, reshape_shape *shape,
                            reshape_message *why) {
  (void)shape;
  why->text[0] = request->special_zero == RESHAPE_FLAG_MISSING ? 'm' : 'n';
  why->text[1] = '\0';
  return RESHAPE_REJECTED;
}

const reshape_plugin *reshape_plugin_entry(void) {
  static const reshape_plugin table = {
      .abi_version = RESHAPE_ABI_VERSION,
      .struct_size = sizeof(reshape_plugin),
      .description = {.name = "strict",
                      .version = "1",
                      .dialects = "openvino-reshape-1",
                      .element_types = "f32",
                      .capabilities = RESHAPE_SHAPE_ONLY},
      .infer_shape = infer,
  };
  return &table;
}
