# libarchive: the target archive_reading, libarchive with the libraries that read gzip, bzip2, xz,
# zstd, zip and tar; and archive_writing, for tests.
#
# The static library, where there is one, with those few libraries behind it: the shared one needs
# libxml2 and ICU too, for formats that are not read here, and CPack's archive would bring along 35 MB
# of them.
find_path(LIBARCHIVE_INCLUDE archive.h REQUIRED)
find_library(LIBARCHIVE_LIBRARY NAMES libarchive.a archive REQUIRED)
add_library(archive_reading INTERFACE)
target_include_directories(archive_reading INTERFACE ${LIBARCHIVE_INCLUDE})
target_link_libraries(archive_reading INTERFACE ${LIBARCHIVE_LIBRARY})
if(LIBARCHIVE_LIBRARY MATCHES "\\.a$")
  foreach(name IN ITEMS bz2 lzma zstd nettle)
    find_library(LIBARCHIVE_${name} ${name} REQUIRED)
    target_link_libraries(archive_reading INTERFACE ${LIBARCHIVE_${name}})
  endforeach()
  target_link_libraries(archive_reading INTERFACE ZLIB::ZLIB)
endif()
# Tests make archives too. That takes the shared library with everything that it needs.
find_library(LIBARCHIVE_WRITING archive REQUIRED)
add_library(archive_writing INTERFACE)
target_include_directories(archive_writing INTERFACE ${LIBARCHIVE_INCLUDE})
target_link_libraries(archive_writing INTERFACE ${LIBARCHIVE_WRITING})
# Its licence must stand beside its code.
find_file(LIBARCHIVE_LICENCE copyright PATHS /usr/share/doc/libarchive-dev NO_DEFAULT_PATH)
