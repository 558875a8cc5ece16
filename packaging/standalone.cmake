# The component "standalone" is in the folder to unpack alone: fonts, and the shared libraries that not every Linux desktop has.
# Those of every desktop stay the computer's own, above all OpenGL with what its drivers link (libstdc++, libz, libexpat):
# a driver that is newer than this build must not meet older ones.
set(of_every_desktop ld-linux.* libc libm libdl libpthread librt libgcc_s libstdc[+][+] libGL libEGL libGLX libOpenGL
    libGLdispatch libX.* libxcb.* libbsd libmd libz libexpat)
list(JOIN of_every_desktop "|" of_every_desktop)
install(RUNTIME_DEPENDENCY_SET gemmscope_libraries
        PRE_EXCLUDE_REGEXES "^(${of_every_desktop})[.]so"
        COMPONENT standalone LIBRARY DESTINATION lib/gemmscope EXCLUDE_FROM_ALL)

# Their notices, from the packages that they come from.
install(CODE "set(libraries \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/gemmscope\")
set(notices \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${notices_folder}/licenses\")
include(\"${CMAKE_CURRENT_SOURCE_DIR}/library_notices.cmake\")" COMPONENT standalone EXCLUDE_FROM_ALL)

# The faces that app/drawing/fonts.cpp asks for.
if(GEMMSCOPE_WINDOW)
  foreach(face INTER/Regular INTER/SemiBold JETBRAINS_MONO/Regular JETBRAINS_MONO/SemiBold)
    get_filename_component(family ${face} DIRECTORY)
    get_filename_component(weight ${face} NAME)
    string(REPLACE Regular ${weight} file "${GEMMSCOPE_${family}_FILE}")
    if(EXISTS "${file}")
      install(FILES ${file} DESTINATION ${own_folder}/fonts COMPONENT standalone EXCLUDE_FROM_ALL)
    endif()
  endforeach()
endif()
