// The example of examples/plugin_c, which crashes when it executes: by itself, or in the C library that it calls.
// The rank of the output says how. A test looks for the comments that name the lines.
#include <reshape_plugin.h>
#include <stdlib.h>
#include <string.h>

const reshape_plugin *example_entry(void);

static volatile int *nowhere;
static char *volatile nobodys = (char *)16;

__attribute__((noinline)) static void store(int value) {
  *nowhere = value;  // the store
}

__attribute__((noinline)) static void clear(size_t bytes) {
  memset(nobodys, 0, bytes);  // the call of memset
  nobodys++;
}

__attribute__((noinline)) static void give_up(void) {
  abort();  // the call of abort
}

__attribute__((noinline)) static void overrun(char *output) {
  for (int byte = 0; byte < 1 << 20; byte++) *(volatile char *)(output + byte) = 0;  // the overrun
}

static reshape_status execute(const reshape_request *q, DLTensor *out, reshape_message *why) {
  (void)q, (void)why;
  if (out->ndim == 3) give_up();
  if (out->ndim == 4) overrun(out->data);
  if (out->ndim == 1) clear((size_t)out->shape[0] * 4096);
  store(out->ndim);
  return RESHAPE_OK;
}

const reshape_plugin *reshape_plugin_entry(void) {
  static reshape_plugin plugin;
  plugin = *example_entry();
  plugin.execute = execute;
  return &plugin;
}
