#include "conformance/adapter/contract/kept_registers.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace reshape::conformance {
namespace {

int sum(void* first, void* second, void* third) {
  return *static_cast<int*>(first) + *static_cast<int*>(second) + *static_cast<int*>(third);
}
int thrower(void*, void*, void*) { throw std::runtime_error("out of cheese"); }

TEST(KeptRegisters, AreNotChangedByWhatACompilerMade) {
  int one = 1, two = 20, three = 300;
  ChangedRegisters changed = 99;
  EXPECT_EQ(call_and_restore(&sum, &one, &two, &three, &changed), 321);
  EXPECT_EQ(changed, 0u);
  EXPECT_THROW(call_and_restore(&thrower, nullptr, nullptr, nullptr, &changed), std::runtime_error);
}

#if defined(__x86_64__)
[[gnu::naked]] int changes_two(void*, void*, void*) {
  asm("xor %ebx, %ebx\n mov $7, %eax\n dec %r15\n ret");
}
[[gnu::naked]] int changes_the_others(void*, void*, void*) {
  asm("inc %rbp\n inc %r12\n inc %r13\n mov $-1, %r14\n xor %eax, %eax\n ret");
}

TEST(KeptRegisters, AreNamedAndPutBack) {
  ChangedRegisters changed = 0;
  EXPECT_EQ(call_and_restore(&changes_two, nullptr, nullptr, nullptr, &changed), 7);
  EXPECT_EQ(text_of_registers(changed), "rbx and r15");
  call_and_restore(&changes_the_others, nullptr, nullptr, nullptr, &changed);
  EXPECT_EQ(text_of_registers(changed), "rbp, r12, r13 and r14");
}
#endif

}  // namespace
}  // namespace reshape::conformance
