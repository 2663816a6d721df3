// What a call leaves behind only at times.
#include <fcntl.h>

#include <cfenv>
#include <cstdlib>

#include "conformance/self/mutant.h"
#include "conformance/self/spoil.h"

namespace reshape::conformance::self {
namespace {

void lose(std::size_t size) {
  // Kept where the compiler must believe that somebody reads it.
  static volatile std::uintptr_t lost;
  lost = lost + reinterpret_cast<std::uintptr_t>(std::malloc(size));
}

// Does something after each refusal by inference.
template <typename Do>
void after_refusals(reshape_plugin& table, Do) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const reshape_status status = right().infer_shape(request, shape, why);
    if (status == RESHAPE_REJECTED) Do{}();
    return status;
  };
}

}  // namespace

MUTANT("leaks-a-little", Breaks("C15"), Caught("memory", "memory-growth"),
       On("openvino-reshape-1/count-2.u8"),
       Says("64 bytes are allocated in every execution and never freed")) {
  table.execute = after_execute([](const reshape_request&, DLTensor&) { lose(64); });
}

MUTANT("leaks-on-refusal", Breaks("C15"), Caught("memory", "memory-growth"),
       On("openvino-reshape-1/strided-wrong-volume.bf16"),
       Says("what was allocated for a request is not freed when it is refused")) {
  after_refusals(table, [] { lose(1024); });
}

MUTANT("leaks-by-the-output", Breaks("C15"), Caught("memory", "memory-growth"),
       On("openvino-reshape-1/count-2.u8"),
       Says("a staging buffer of the output's size is allocated in every execution and kept")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    if (!is_empty(shape_of(out))) lose(static_cast<std::size_t>(Elements(out).count()));
  });
}

MUTANT("leaves-files-open-on-refusal", Breaks("C14"), Caught("memory", "open-files"),
       On("openvino-reshape-1/empty-to-ones"),
       Says("a file is opened for each request and closed only if it is not refused")) {
  after_refusals(table, [] { [[maybe_unused]] const int file = open("/dev/null", O_RDONLY); });
}

MUTANT("flushes-denormals-from-now-on", Breaks("C14"), Caught("memory", "floating-point-control"),
       On("openvino-reshape-1/count-2.u8"),
       Says("the copy sets the mode in which denormals are 0, and leaves it so")) {
  table.execute = after_execute([](const reshape_request&, DLTensor&) {
#if defined(__SSE2__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#else
    std::fesetround(FE_TOWARDZERO);
#endif
  });
}

MUTANT("division-by-zero-traps-from-now-on", Breaks("C14"),
       Caught("memory", "floating-point-control"), On("openvino-reshape-1/count-2.u8"),
       Says("floating-point exceptions are made to trap, and left so")) {
  before_each_call(table, [] { feenableexcept(FE_DIVBYZERO); });
}

}  // namespace reshape::conformance::self
