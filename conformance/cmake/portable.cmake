# portable_program: the program with the libraries that it needs inside, so that it runs where they are
# not. It is made of the same objects as the program: archives come first and whole, so that nothing is
# left for the shared libraries to give. Without Google Benchmark, of which Debian has no archive: `bench`
# says so.
if(RESHAPE_SANITIZE OR CMAKE_CROSSCOMPILING)
  return()
endif()
find_library(YAML_CPP_ARCHIVE libyaml-cpp.a)
find_library(PUGIXML_ARCHIVE libpugixml.a)
find_library(SQLITE_ARCHIVE libsqlite3.a)
find_library(LIBMD_ARCHIVE libmd.a)
if(NOT YAML_CPP_ARCHIVE OR NOT PUGIXML_ARCHIVE OR NOT SQLITE_ARCHIVE OR NOT LIBMD_ARCHIVE)
  message(STATUS "No portable_program: it needs libyaml-cpp.a, libpugixml.a, libsqlite3.a and libmd.a")
  return()
endif()
find_package(fmt REQUIRED)
# Built by name, and with the tests, which put it into a wheel.
set(unless_tested EXCLUDE_FROM_ALL)
if(RESHAPE_TESTS)
  set(unless_tested "")
endif()
add_library(portable_parts OBJECT ${unless_tested}
  ${CMAKE_CURRENT_SOURCE_DIR}/format_library.cpp ${CMAKE_CURRENT_SOURCE_DIR}/portable_symbols.cpp
  ${PROJECT_SOURCE_DIR}/conformance/performance/no_engine.cpp)
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/format_library.cpp PROPERTIES
  COMPILE_DEFINITIONS FMT_HEADER_ONLY=1 COMPILE_OPTIONS "-fkeep-inline-functions;-fno-inline;-fno-ipa-sra")
target_link_libraries(portable_parts PRIVATE conformance_performance fmt::fmt reshape_warnings)
add_executable(portable_program ${unless_tested} ${PROJECT_SOURCE_DIR}/conformance/main.cpp)
set_target_properties(portable_program PROPERTIES OUTPUT_NAME reshape-conformance
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/portable)
target_link_options(portable_program PRIVATE
  -static-libstdc++ -static-libgcc -Wl,--as-needed -Wl,--gc-sections)
target_link_libraries(portable_program PRIVATE
  portable_parts
  -Wl,--whole-archive ${YAML_CPP_ARCHIVE} ${PUGIXML_ARCHIVE} ${SQLITE_ARCHIVE} ${LIBMD_ARCHIVE}
  -Wl,--no-whole-archive
  conformance_adapter conformance_command conformance_ledger conformance_performance reshape_warnings)
