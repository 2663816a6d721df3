# Runs first in an install: makes those of FOLDERS (in the prefix) that are not there yet, open to all.
# CMake alone makes them under the umask of whoever installs.
foreach(folder ${FOLDERS})
  set(path "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
  string(REPLACE "/" ";" parts "./${folder}")
  foreach(part ${parts})
    string(APPEND path "/${part}")
    if(NOT EXISTS "${path}")
      file(MAKE_DIRECTORY "${path}")
      file(CHMOD "${path}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
        GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    endif()
  endforeach()
endforeach()
