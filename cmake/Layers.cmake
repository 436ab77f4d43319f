# SPDX-License-Identifier: GPL-3.0-or-later
# attenscope_layer(NAME LINKS targets...): a library of all sources in this folder, with the project's warnings and include paths. It is static in what
# users get, and shared where BUILD_SHARED_LIBS is on (all builds for tests): over a hundred test programs with the libraries inside are 9 GB.
# A new file in a folder, or in a folder in it, belongs to its layer without any list to edit. Where CMAKE_UNITY_BUILD is on (the sanitizers, whose
# builds take less than half the time so), the files of a folder are compiled as one: names that are local to a file differ within a folder.

add_library(attenscope_options INTERFACE)
target_compile_options(attenscope_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
# GCC 12 reports false maybe-uninitialized in Eigen.
target_compile_options(attenscope_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
# And where it optimizes, overlaps and overflows that are not there, in std::string and std::vector.
target_compile_options(attenscope_options INTERFACE
                       $<$<AND:$<CXX_COMPILER_ID:GNU>,$<NOT:$<CONFIG:Debug>>>:-Wno-restrict$<SEMICOLON>-Wno-stringop-overflow$<SEMICOLON>-Wno-array-bounds$<SEMICOLON>-Wno-format-overflow>)
# Files that are compiled together share what is local to a file. Builds file by file keep these two.
if(CMAKE_UNITY_BUILD)
  target_compile_options(attenscope_options INTERFACE -Wno-shadow -Wno-subobject-linkage)
endif()
if(ATTENSCOPE_WERROR)
  target_compile_options(attenscope_options INTERFACE -Werror)
endif()
target_include_directories(attenscope_options INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/ui)
target_compile_definitions(attenscope_options INTERFACE QT_NO_CAST_FROM_BYTEARRAY
                           ATTENSCOPE_VERSION="${PROJECT_VERSION}")

# The window with its symbols has 180 MB: GNU ld takes ten seconds for it, gold one.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold ATTENSCOPE_HAS_GOLD)
if(ATTENSCOPE_HAS_GOLD AND NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  target_link_options(attenscope_options INTERFACE -fuse-ld=gold)
endif()

# What nearly every file of the window includes, for target_precompile_headers(): with it a file takes less than half the time to compile.
# Not <qcustomplot.h>, which few need: it would take as long to load as it saves.
set(attenscope_window_headers <QLabel> <QMenu> <QPainter> <QSvgRenderer> <QToolButton> <QVBoxLayout> <attention/explain.h>
    <state/document.h> <state/selection.h> <state/theme.h>)

function(attenscope_layer name)
  cmake_parse_arguments(LAYER "" "" "LINKS" ${ARGN})
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/${name})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/*.h ${folder}/*/*.cpp ${folder}/*/*.h)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(attenscope_${name} ${sources})
  set_target_properties(attenscope_${name} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH group)
    cmake_path(GET group FILENAME group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  target_link_libraries(attenscope_${name} PUBLIC attenscope_options ${LAYER_LINKS})
  if(BUILD_SHARED_LIBS)
    install(TARGETS attenscope_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endfunction()
