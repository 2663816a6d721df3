// A library whose entry is not among its exported symbols.
extern "C" {
__attribute__((visibility("hidden"), used)) const void* reshape_plugin_entry();
const void* reshape_plugin_entry() { return nullptr; }
}
