# The Debian package: `./dev package`, or cpack --config build/release/CPackConfig.cmake. What is in it is what
# cmake --install puts there, in the places and forms that Debian's policy wants (tree.cmake).
set(RESHAPE_PACKAGE_MAINTAINER "reshape-conformance maintainers <maintainers@example.org>"
  CACHE STRING "Whom the Debian package names: Name <address>; yours, where you hand it out")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME reshape-conformance)
set(CPACK_PACKAGE_CONTACT ${RESHAPE_PACKAGE_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "conformance, fuzzing and performance harness for tensor Reshape")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Asks an implementation of tensor Reshape, clause by clause, whether it does
what the documents of OpenVINO, oneDNN, ONNX, NumPy, PyTorch, TensorFlow and
StableHLO say: the shape, the bytes and the memory of each answer. An
implementation is a shared library behind a small C contract, a child process
that speaks lines of JSON, or a function in Python.
.
The package has the program with its manual pages and completions, the header
of the C contract, a CMake package that gates a library in its own build, and
two implementations to compare with.")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libdlpack-dev)  # which the header of the contract includes
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-numpy, valgrind")  # of python: and count
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# Not by CPACK_INSTALL_CMAKE_PROJECTS, which builds everything first, the tests included.
set(CPACK_INSTALL_CMAKE_PROJECTS "")
set(CPACK_INSTALL_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/tree.cmake)
set(CPACK_RESHAPE_BUILD ${PROJECT_BINARY_DIR})
set(CPACK_RESHAPE_SOURCE ${PROJECT_SOURCE_DIR})
include(CPack)
