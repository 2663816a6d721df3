# What the Debian package holds. CPack runs this with the folder that becomes the root in DESTDIR.
if("$ENV{DESTDIR}" STREQUAL "")
  message(FATAL_ERROR "tree.cmake is run by CPack, which sets DESTDIR")
endif()

function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_QUIET)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " words)
    message(FATAL_ERROR "exit code ${code}: ${words}")
  endif()
endfunction()

set(root $ENV{DESTDIR}${CPACK_PACKAGING_INSTALL_PREFIX})
set(doc ${root}/share/doc/${CPACK_PACKAGE_NAME})
step(${CMAKE_COMMAND} --install ${CPACK_RESHAPE_BUILD} --prefix ${CPACK_PACKAGING_INSTALL_PREFIX} --strip)

# Debian's zsh looks into a folder of its own.
file(RENAME ${root}/share/zsh/site-functions ${root}/share/zsh/vendor-completions)

# The licence is one that every Debian has, which `copyright` names.
file(REMOVE ${doc}/LICENSE)
file(COPY ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${doc})

# Dated by the commit, so that the same sources make the same package.
execute_process(COMMAND git -C ${CPACK_RESHAPE_SOURCE} show -s --format=%ct
  OUTPUT_VARIABLE seconds OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(seconds AND NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  set(ENV{SOURCE_DATE_EPOCH} ${seconds})
endif()
string(TIMESTAMP day "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${doc}/changelog
"${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}; what is new in it stands in CHANGELOG.md.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${day}
")
file(COPY ${CPACK_RESHAPE_SOURCE}/CHANGELOG.md DESTINATION ${doc})

file(GLOB compressed ${root}/share/man/man1/*.1)
step(gzip -9 --no-name ${compressed} ${doc}/changelog ${doc}/CHANGELOG.md)
file(GLOB_RECURSE files ${root}/share/man/* ${doc}/*)
file(CHMOD ${files} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
