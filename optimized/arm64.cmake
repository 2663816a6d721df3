# Builds for arm64 with Debian's cross compiler, and runs what it builds by qemu-user: what the tests
# of the copies need is there for arm64 (./dev test-arm64 installs it).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
set(CMAKE_SKIP_BUILD_RPATH ON)

# The cross compiler finds no other linker than its own.
set(MOLD OFF CACHE STRING "")

# What no target of these tests links is found as it is for this machine, so that the tree configures.
file(GLOB here /usr/lib/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu/cmake)
foreach(package yaml-cpp pugixml)
  set(${package}_DIR ${here}/${package} CACHE PATH "")
endforeach()
