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

# Not headers of the package: laws as templates and their tables, which the library compiles once, and what JSON is made with. A header
# that includes one of them belongs here too; tests/package compiles all the others.
set(private_headers "vinculum/kernels/(batch|derivatives|kernels|series|flat)|_kernel|_kernels|kernels_text|/(kernels|memory|dynamics/reactions|link_axes|traced_tree|series_products|load_derivatives|json_text|kinematics_document|tell_slip|tell_steady|telling|expression/parser|collect|row_source|force_source|force_view|joint_force|body_force|spring_force|point_to_point_force|load_change|clean_rotation|integral_doubts|model/names|evaluate_at|report_page|study_json|questions/(reply|answers|model_input|modes|simulate|realize_problem))")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/vinculum DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" REGEX "(${private_headers})\\.h$" EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/include/vinculum/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vinculum)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/vinculum-config.cmake.in ${PROJECT_BINARY_DIR}/vinculum-config.cmake
                              INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/vinculum-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/vinculum-config.cmake ${PROJECT_BINARY_DIR}/vinculum-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindClp.cmake DESTINATION ${package_directory})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/docs/vinculum.schema.json ${PROJECT_SOURCE_DIR}/docs/vinculum-study.schema.json
        DESTINATION ${CMAKE_INSTALL_DATADIR}/vinculum)
