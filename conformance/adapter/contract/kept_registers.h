#pragma once

#include <string>

namespace reshape::conformance {

// Which of the registers that a function has to leave as they were (System V ABI of x86-64) it
// changed: a bit for each. Other processors: nothing is compared.
using ChangedRegisters = unsigned;

// "rbx and r14".
std::string text_of_registers(ChangedRegisters changed);

// Calls the function. The caller's registers are as they were before, whatever it did to them; what
// it throws passes through. `changed`: which it changed.
using FunctionOfThree = int (*)(void*, void*, void*);
int call_and_restore(FunctionOfThree function, void* first, void* second, void* third,
                     ChangedRegisters* changed);

// Its answer, as above.
template <typename Answer, typename A, typename B, typename C>
int call_and_restore(Answer (*function)(const A*, B*, C*), const A* first, B* second, C* third,
                     ChangedRegisters* changed = nullptr) {
  ChangedRegisters ignored = 0;
  return call_and_restore(reinterpret_cast<FunctionOfThree>(function), const_cast<A*>(first),
                          second, third, changed != nullptr ? changed : &ignored);
}

}  // namespace reshape::conformance
