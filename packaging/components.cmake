# CPack reads this once for each kind of package: which components are in it, and where they go.
list(GET CPACK_INSTALL_CMAKE_PROJECTS 0 build)
set(CPACK_INSTALL_CMAKE_PROJECTS "${build};gemmscope;gemmscope;/")
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
else()
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS "${build};gemmscope;standalone;/")
endif()
