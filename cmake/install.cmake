# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0

# cmake --install: the library as the package vinculum (target vinculum::vinculum), its headers, the program, the licence.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/vinculum)

install(TARGETS vinculum RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS vinculum_library EXPORT vinculum-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET vinculum_ranks)
  install(TARGETS vinculum_ranks LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/vinculum)   # where apps/vinculum/join_ranks.cc looks
endif()
install(EXPORT vinculum-targets NAMESPACE vinculum:: DESTINATION ${package_directory})

include(${CMAKE_CURRENT_LIST_DIR}/public_headers.cmake)
foreach(header vinculum/vinculum.h ${VINCULUM_ENTRY_HEADERS} ${VINCULUM_INCLUDED_HEADERS})
  cmake_path(GET header PARENT_PATH room)
  install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${room})
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/include/vinculum/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vinculum)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/vinculum-config.cmake.in ${PROJECT_BINARY_DIR}/vinculum-config.cmake
                              INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/vinculum-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/vinculum-config.cmake ${PROJECT_BINARY_DIR}/vinculum-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindClp.cmake DESTINATION ${package_directory})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/docs/vinculum.schema.json ${PROJECT_SOURCE_DIR}/docs/vinculum-study.schema.json
        DESTINATION ${CMAKE_INSTALL_DATADIR}/vinculum)
