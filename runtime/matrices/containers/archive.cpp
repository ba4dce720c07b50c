#include "runtime/matrices/containers/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/printable.h"
#include "base/result.h"
#include "runtime/matrices/containers/text_source.h"
#include "runtime/system/machine/memory.h"

namespace alphasparse {

namespace {

constexpr std::int64_t files_most = 1'000'000;

}  // namespace

void ArchiveReader::Close::operator()(archive* opened) const { archive_read_free(opened); }

ArchiveReader::ArchiveReader(std::string_view bytes, std::string name, Unpack unpack,
                             Deadline deadline)
    : name_(std::move(name)), unpack_(unpack), deadline_(deadline), archive_(archive_read_new()) {
  if (!archive_) throw Error(fmt::format("{}: memory ran out in decompression", name_));
  archive* const opened = archive_.get();
  archive_read_support_filter_gzip(opened);
  archive_read_support_filter_bzip2(opened);
  archive_read_support_filter_xz(opened);
  archive_read_support_filter_zstd(opened);
  if (unpack == Unpack::files) {
    archive_read_support_format_tar(opened);
    archive_read_support_format_zip(opened);
  } else {
    archive_read_support_format_raw(opened);
  }
  if (archive_read_open_memory(opened, bytes.data(), bytes.size()) != ARCHIVE_OK) fail();
}

ArchiveReader::~ArchiveReader() = default;

bool ArchiveReader::next() {
  for (;;) {
    require_time(deadline_, name_);
    const int outcome = archive_read_next_header(archive_.get(), &entry_);
    if (outcome == ARCHIVE_EOF) return false;
    if (outcome != ARCHIVE_OK && outcome != ARCHIVE_WARN) fail();
    block_ = {};
    unpacked_ = 0;
    if (++files_ > files_most)
      throw Error(fmt::format("{}: is an archive of more than {} files", name_, files_most));
    if (unpack_ == Unpack::stream) return true;
    const char* const path = archive_entry_pathname(entry_);
    const bool is_link = archive_entry_hardlink(entry_) != nullptr;
    if (!path || is_link || archive_entry_filetype(entry_) != AE_IFREG) continue;
    member_ = path;
    return true;
  }
}

bool ArchiveReader::read(std::string& bytes, std::size_t most) {
  while (bytes.size() < most) {
    if (block_.empty()) {
      const void* first = nullptr;
      std::size_t count = 0;
      la_int64_t offset = 0;
      const int outcome = archive_read_data_block(archive_.get(), &first, &count, &offset);
      if (outcome == ARCHIVE_EOF) return false;
      if (outcome != ARCHIVE_OK && outcome != ARCHIVE_WARN) fail();
      if (offset != unpacked_)
        throw Error(fmt::format("{}: is stored with holes; pack it without", location()));
      block_ = {static_cast<const char*>(first), count};
      unpacked_ += static_cast<std::int64_t>(count);
    }
    const std::size_t taken = std::min(block_.size(), most - bytes.size());
    bytes.append(block_.substr(0, taken));
    block_.remove_prefix(taken);
  }
  return true;
}

std::string ArchiveReader::read_all(std::int64_t memory_bytes, const UnpackWatch& watch) {
  constexpr std::size_t first_bytes = 1 << 16;
  std::string bytes;
  for (std::size_t most = first_bytes; read(bytes, most); most *= 2) {
    require_time(deadline_, name_);
    if (watch) watch(bytes);
    if (2 * static_cast<std::int64_t>(most) > memory_bytes) {
      throw Error(fmt::format("{}: takes {} or more of memory, {} are available", location(),
                              byte_count_text(2 * static_cast<std::int64_t>(most)),
                              byte_count_text(memory_bytes)));
    }
    bytes.reserve(2 * most);
  }
  return bytes;
}

std::string ArchiveReader::location() const {
  return member_.empty() ? name_ : fmt::format("{}:{}", name_, printable(member_));
}

void ArchiveReader::fail() const {
  const char* const reason = archive_error_string(archive_.get());
  throw Error(fmt::format("{}: cannot be unpacked: {}; fetch or write the file again", location(),
                          reason ? printable(reason) : "it is damaged"));
}

}  // namespace alphasparse
