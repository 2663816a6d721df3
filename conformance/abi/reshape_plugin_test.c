/* Compiled as C11: the contract is for C, and every struct can be filled in by name there. */
#include "conformance/abi/reshape_plugin.h"

static reshape_status refuse_shape(const reshape_request *request, reshape_shape *shape,
                                   reshape_message *why) {
  (void)request;
  (void)shape;
  why->text[0] = '\0';
  return RESHAPE_REJECTED;
}

static const reshape_plugin kPlugin = {
    .abi_version = RESHAPE_ABI_VERSION,
    .struct_size = sizeof(reshape_plugin),
    .description = {.name = "c",
                    .version = "1",
                    .dialects = "",
                    .element_types = "f32",
                    .capabilities = RESHAPE_SHAPE_ONLY},
    .infer_shape = refuse_shape,
};

int request_size_in_c(void);
int plugin_size_in_c(void);

int request_size_in_c(void) { return (int)sizeof(reshape_request); }
int plugin_size_in_c(void) { return (int)kPlugin.struct_size; }
