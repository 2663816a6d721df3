# Runs first in an install: makes those of FOLDERS, relative to the prefix or absolute, that are not there
# yet, and what leads to them, open to all. CMake alone makes them under the umask of whoever installs.
function(make_open path)
  if(path STREQUAL "" OR EXISTS "${path}")
    return()
  endif()
  get_filename_component(parent "${path}" DIRECTORY)
  make_open("${parent}")
  file(MAKE_DIRECTORY "${path}")
  file(CHMOD "${path}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()

foreach(folder ${FOLDERS})
  if(NOT IS_ABSOLUTE "${folder}")
    set(folder "${CMAKE_INSTALL_PREFIX}/${folder}")
  endif()
  make_open("$ENV{DESTDIR}${folder}")
endforeach()
