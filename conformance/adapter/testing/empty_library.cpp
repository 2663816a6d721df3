// A shared library without the entry symbol.
extern "C" int reshape_nothing_here() { return 0; }
