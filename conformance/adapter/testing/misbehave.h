#pragma once

#include <string_view>

// Breaks the process in the way that is named, or leaves it otherwise than it was; a name that is none
// of these does nothing.
void misbehave(std::string_view how);
