# With LOOPCERT_NATIVE: does this compiler know this processor, and does what it makes run here? A
# virtual machine may hide instructions from one of the two, and an illegal instruction in the middle
# of a test says little. If not, the build is for any machine, with a warning. Asked once for each
# build folder.
if(LOOPCERT_NATIVE AND NOT CMAKE_CROSSCOMPILING)
  if(NOT DEFINED LOOPCERT_NATIVE_STATUS)
    try_run(LOOPCERT_NATIVE_STATUS LOOPCERT_NATIVE_COMPILES ${CMAKE_BINARY_DIR}/native
            ${CMAKE_CURRENT_LIST_DIR}/native.cpp COMPILE_DEFINITIONS -O3 -march=native)
    if(NOT LOOPCERT_NATIVE_COMPILES)
      set(LOOPCERT_NATIVE_STATUS "not compiled" CACHE INTERNAL "")
    endif()
  endif()
  if(NOT LOOPCERT_NATIVE_STATUS STREQUAL 0)
    message(WARNING "loopcert: a program compiled with -march=native does not run here (status: "
                    "${LOOPCERT_NATIVE_STATUS}). Building for any machine of this architecture "
                    "instead, which is slower (docs/performance.md).")
    set(LOOPCERT_NATIVE OFF)
  endif()
endif()
