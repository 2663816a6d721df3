#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// Every host process has a working directory of its own, made and removed by the runner, so that
// files that a library leaves there are noticed and removed.

// A lock to hold from making a folder until its host, which then removes it, has started.
[[nodiscard]] std::unique_lock<std::mutex> making_own_folder();
// From now on a signal that ends this program first removes the folder that is being made.
void end_without_own_folder();

// Makes a folder in the one for temporary files, or in /tmp. Without it much of what a library does
// to its process would go unnoticed, so an error means that nothing is asked.
Result<std::string> make_own_folder();
// The absolute path of a library, for a process that has such a folder as its working directory.
// Names of built-in implementations stay as they are.
std::string absolute_path(const std::string& library);
// Removes the folder and its contents, whatever their permissions and depth; or the file that
// replaced it.
void remove_own_folder(const std::string& folder);

// The folder of this host process; empty in every other process.
const std::string& own_folder();
// To be called once at the start of a host process: takes the working directory as the folder, if
// it is one. Without one the process that started this one is not watched, and keeps its children.
void adopt_own_folder();

// Names some of the files that were put into this host's folder since the last call, and removes
// them.
std::vector<std::string> left_in_own_folder();

}  // namespace reshape::conformance
