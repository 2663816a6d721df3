// A library whose entry has the name that C++ gives it.
__attribute__((visibility("default"))) const void* reshape_plugin_entry();
const void* reshape_plugin_entry() { return nullptr; }
