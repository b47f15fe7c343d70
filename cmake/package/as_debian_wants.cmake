# CPack includes it when the files of its packages lie below CPACK_TEMPORARY_INSTALL_DIRECTORY. Those of a .deb get the licence, the
# changelogs and the place of zsh's completion that Debian's policy names, so that lintian warns of nothing.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()

set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)

function(compress text_file)
  execute_process(COMMAND gzip -9nf ${text_file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# document(PACKAGE USR): what every package has in its share/doc.
function(document package usr)
  set(doc ${usr}/share/doc/${package})
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/copyright ${doc}/copyright COPYONLY)
  file(WRITE ${doc}/changelog.Debian
       "${package} (${version}) unstable; urgency=medium\n\n  * Version ${CPACK_PACKAGE_VERSION}; see changelog.gz of cubicbench.\n\n"
       " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  compress(${doc}/changelog.Debian)
  # No bug of Debian's asks for a package that is not uploaded there.
  file(WRITE ${usr}/share/lintian/overrides/${package} "${package}: initial-upload-closes-no-bugs\n")
endfunction()

set(program ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/program/usr)
document(cubicbench ${program})
document(libcubicbench-dev ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/development/usr)
set(doc ${program}/share/doc/cubicbench)
file(REMOVE ${doc}/LICENSE)
file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)
compress(${doc}/changelog)
file(MAKE_DIRECTORY ${program}/share/zsh/vendor-completions)
file(RENAME ${program}/share/zsh/site-functions/_cubicbench ${program}/share/zsh/vendor-completions/_cubicbench)
file(REMOVE_RECURSE ${program}/share/zsh/site-functions)
