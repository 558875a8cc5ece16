# CPack: "cpack -G DEB" and "cpack -G TGZ" in a folder of the build.
set(CPACK_PACKAGE_NAME gemmscope)
set(CPACK_PACKAGE_VENDOR "GEMMscope developers")
set(CPACK_PACKAGE_CONTACT "GEMMscope developers <gemmscope@gemmscope.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "shows why one GPU matrix multiply is faster than another")
set(CPACK_PACKAGE_DESCRIPTION
"A CUDA kernel is compiled to machine code, and that very machine code is
executed on the CPU, instruction by instruction and lane by lane: which thread
owns which element, which shared-memory banks collide, which sectors are
fetched, and which source line is to blame.
.
It needs no NVIDIA GPU, no driver and no CUDA Toolkit: the machine code of its
kernels is included. Where the toolkit is installed it compiles kernels of
your own.")
set(CPACK_PACKAGE_FILE_NAME gemmscope-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_SOURCE_DIR}/components.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
if(GEMMSCOPE_WINDOW)
  # GLFW loads OpenGL itself, which dpkg-shlibdeps cannot see.
  set(CPACK_DEBIAN_PACKAGE_DEPENDS libgl1)
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-inter, fonts-jetbrains-mono, libgl1-mesa-dri")
endif()
include(CPack)
