#pragma once

#include <string_view>

// Crashes, hangs or changes the process in the named way; does nothing for an unknown name.
void misbehave(std::string_view how);
