# loopcert_unity(<target> [EIGEN]): with LOOPCERT_UNITY compiles the files of the target eight at a
# time. Reading headers and making templates is most of a first build, and is done less often so. Files
# of a registry, one for each kind, method, ..., use the same few names inside and are compiled alone,
# as all are in the other presets.
#   EIGEN  its sources use matrices: take Eigen's kernels from where they are compiled once
function(loopcert_unity target)
  cmake_parse_arguments(ARG "EIGEN" "" "" ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${LOOPCERT_UNITY}
                        UNITY_BUILD_BATCH_SIZE 8)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "/((envelope|fixed|form|inspect|kind|method|plot|tail)_[a-z_]+|limits/limits_[a-z_]+|coverage_premises)\\.cpp$")
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  if(LOOPCERT_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # A class that a .cpp file keeps to itself looks to GCC as if it came from a header, and its names
    # as if they were shadowed in the next file.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage -Wno-shadow)
  endif()
  if(ARG_EIGEN)
    loopcert_eigen_once(${target})
  endif()
endfunction()

# loopcert_eigen_once(<target>): see src/core/eigen_once.hpp.
function(loopcert_eigen_once target)
  if(LOOPCERT_UNITY AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE
      "SHELL:-include core/eigen_once.hpp")
  endif()
endfunction()
