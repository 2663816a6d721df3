#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// Every host process works in a folder of its own, made and removed by the runner, so that what a
// library leaves there is seen, and gone with it.

// Held from the making of a folder until a host works in it, which removes it: one at a time.
[[nodiscard]] std::unique_lock<std::mutex> making_own_folder();
// From now on a signal that ends this program from outside removes, before, what is in the making.
void end_without_own_folder();

// A new one in the folder for temporary files, or in /tmp where that one takes none. Without it much of what a
// library does to its process would go unseen, so that nothing is asked.
Result<std::string> make_own_folder();
// With all that it holds, whatever its permissions and its depth are. Where something else has taken its place, that.
void remove_own_folder(const std::string& folder);

// In a host process: its folder. Empty in every other process.
const std::string& own_folder();
// Called once at the start of a host process: the working directory is the folder, if it is one.
void adopt_own_folder();

// What was put into the folder of this host since it was asked last, some of it by name; then it is removed.
std::vector<std::string> left_in_own_folder();

}  // namespace reshape::conformance
