#include "tests/support/archives.h"

#include <archive.h>
#include <archive_entry.h>

#include <map>
#include <memory>

#include "base/result.h"

namespace alphasparse {

namespace {

la_ssize_t append(archive*, void* text, const void* bytes, size_t count) {
  static_cast<std::string*>(text)->append(static_cast<const char*>(bytes), count);
  return static_cast<la_ssize_t>(count);
}

void set_packing(archive* made, const std::string& packing) {
  static const std::map<std::string, int (*)(archive*)> filters = {
      {"none", archive_write_add_filter_none},
      {"gzip", archive_write_add_filter_gzip},
      {"bzip2", archive_write_add_filter_bzip2},
      {"xz", archive_write_add_filter_xz},
      {"zstd", archive_write_add_filter_zstd}};
  const std::size_t colon = packing.find(':');
  CHECK(filters.at(packing.substr(0, colon))(made) == ARCHIVE_OK);
  if (colon == packing.npos) return;
  CHECK(archive_write_set_filter_option(made, nullptr, "compression-level",
                                        packing.c_str() + colon + 1) == ARCHIVE_OK);
}

void set_format(archive* made, const std::string& format) {
  if (format == "raw") {
    CHECK(archive_write_set_format_raw(made) == ARCHIVE_OK);
  } else if (format == "tar") {
    CHECK(archive_write_set_format_pax_restricted(made) == ARCHIVE_OK);
  } else {
    CHECK(archive_write_set_format_zip(made) == ARCHIVE_OK);
    const bool is_stored = format == "stored";
    CHECK((is_stored ? archive_write_zip_set_compression_store(made)
                     : archive_write_zip_set_compression_deflate(made)) == ARCHIVE_OK);
  }
}

}  // namespace

std::string archived(const ArchiveFiles& files, const std::string& format,
                     const std::string& packing) {
  std::string bytes;
  const std::unique_ptr<archive, int (*)(archive*)> made(archive_write_new(), archive_write_free);
  set_format(made.get(), format);
  set_packing(made.get(), packing);
  archive_write_set_bytes_in_last_block(made.get(), 1);
  CHECK(archive_write_open(made.get(), &bytes, nullptr, append, nullptr) == ARCHIVE_OK);
  for (const auto& [name, content] : files) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                         archive_entry_free);
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(content.size()));
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    CHECK(archive_write_header(made.get(), entry.get()) == ARCHIVE_OK);
    CHECK(archive_write_data(made.get(), content.data(), content.size()) >= 0);
  }
  CHECK(archive_write_close(made.get()) == ARCHIVE_OK);
  return bytes;
}

std::string packed(const std::string& content, const std::string& packing) {
  return archived({{"content", content}}, "raw", packing);
}

}  // namespace alphasparse
