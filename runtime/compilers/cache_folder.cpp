#include "runtime/compilers/cache_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>

#include "runtime/system/files/descriptor.h"
#include "runtime/system/files/own_files.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

constexpr auto leftover_age_max = std::chrono::hours(1);  // older ones: their writer died
constexpr std::size_t key_digits = 32;
constexpr std::size_t folder_digits = 16;
constexpr std::string_view removed_prefix = ".removed-";
constexpr std::string_view search_prefix = ".tuning-";  // of python/alphasparse/folders.py

bool are_digits(std::string_view text, std::size_t count) {
  return text.size() == count &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// KEY.kernel.
bool is_kernel_name(std::string_view name) {
  return name.size() > key_digits && name.substr(key_digits) == ".kernel" &&
         are_digits(name.substr(0, key_digits), key_digits);
}

bool is_verdict_name(std::string_view name) {
  constexpr std::string_view prefix = "emulator-counts-";
  return name.starts_with(prefix) && are_digits(name.substr(prefix.size()), folder_digits);
}

/// The bytes of a file, or of all files below a folder. Files that other processes remove meanwhile
/// are not counted.
std::int64_t count_bytes(const fs::directory_entry& entry) {
  std::error_code gone;
  if (!entry.is_directory(gone)) {
    const std::uintmax_t bytes = entry.file_size(gone);
    return gone ? 0 : static_cast<std::int64_t>(bytes);
  }
  std::int64_t bytes = 0;
  for (fs::recursive_directory_iterator at(entry.path(), gone), end; !gone && at != end;
       at.increment(gone)) {
    std::error_code unknown;
    if (!fs::is_regular_file(at->symlink_status(unknown))) continue;
    const std::uintmax_t size = at->file_size(unknown);
    if (!unknown) bytes += static_cast<std::int64_t>(size);
  }
  return bytes;
}

/// Calls take(entry, name, used) for each file and folder in a folder, but for links.
template <class Take>
void for_each_in(const fs::path& directory, Take take) {
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;
    const fs::file_status status = at->symlink_status(gone);
    if (!fs::is_regular_file(status) && !fs::is_directory(status)) continue;
    const fs::file_time_type used = fs::last_write_time(at->path(), gone);
    if (!gone) take(*at, at->path().filename().string(), used);
  }
}

/// The name of a folder that somebody removes, or died over.
bool is_temporary_name(std::string_view name) {
  return name.starts_with(removed_prefix) &&
         are_digits(name.substr(name.find('-') + 1, folder_digits), folder_digits);
}

/// Whether one of our files is in a folder: the mark, the header of a kernel, or those of a search.
bool has_our_file(const fs::path& folder) {
  bool has_one = false;
  for_each_in(folder, [&](const fs::directory_entry&, const std::string& name, fs::file_time_type) {
    has_one = has_one || name == folder_mark || name == "alphasparse_kernel.h" ||
              name.starts_with(search_prefix);
  });
  return has_one;
}

/// The kind of a file or folder of the cache, or of the folder python in it, by its name alone.
std::optional<CacheKind> find_kind(std::string_view name, bool is_folder, bool is_pythons) {
  const std::string_view whole = name_behind_draft(name);
  if (is_folder ? is_temporary_name(name) : is_kernel_name(whole) || is_verdict_name(whole))
    return CacheKind::leftovers;
  if (is_pythons && is_folder && are_digits(name, folder_digits)) return CacheKind::python;
  if (!is_pythons && !is_folder && is_kernel_name(name)) return CacheKind::kernels;
  if (!is_pythons && !is_folder && is_verdict_name(name)) return CacheKind::verdicts;
  return std::nullopt;
}

void add_entries(const fs::path& directory, bool is_pythons, std::vector<CacheEntry>& entries) {
  const auto oldest = fs::file_time_type::clock::now() - leftover_age_max;
  for_each_in(directory, [&](const fs::directory_entry& entry, const std::string& name,
                             fs::file_time_type used) {
    std::error_code gone;
    const bool is_folder = entry.is_directory(gone);
    const std::optional<CacheKind> kind = find_kind(name, is_folder, is_pythons);
    if (is_folder && !is_pythons && name == "python") add_entries(entry.path(), true, entries);
    if (!kind || (kind == CacheKind::leftovers && used > oldest)) return;
    if (!is_folder || has_our_file(entry.path()))
      entries.push_back({used, count_bytes(entry), entry.path(), *kind});
  });
}

/// A folder, locked for us alone: its descriptor. -1 where another process holds it.
int open_held(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return descriptor;  // a file system without locks is taken as it is
  close(descriptor);
  return -1;
}

/// A folder of Python's. It gets another name first: a process that comes then makes a new one.
bool remove_folder(const fs::path& folder) {
  const Descriptor own(open_held(folder));
  if (own.number < 0) return false;
  bool is_busy = false;
  for_each_in(folder,
              [&](const fs::directory_entry& entry, const std::string& name, fs::file_time_type) {
                if (!name.starts_with(search_prefix)) return;
                const Descriptor search(open_held(entry.path()));
                is_busy = is_busy || search.number < 0;
              });
  if (is_busy) return false;
  const fs::path removed = folder.parent_path() / fmt::format("{}{}-{}", removed_prefix,
                                                              folder.filename().string(), getpid());
  std::error_code error;
  fs::rename(folder, removed, error);
  if (error) return false;
  mark_folder(removed);
  if (!remove_marked(removed)) fs::remove_all(removed, error);  // a full disk takes no mark
  return true;
}

/// How many bytes a unit stands for; 0: it is none.
std::int64_t unit_bytes(std::string_view unit) {
  if (unit.empty() || unit == "B") return 1;
  const std::string_view behind = unit.substr(1);
  if (!behind.empty() && behind != "B") return 0;
  switch (unit[0]) {
    case 'k':
    case 'K':
      return 1'000;
    case 'M':
      return 1'000'000;
    case 'G':
      return 1'000'000'000;
    case 'T':
      return 1'000'000'000'000;
    default:
      return 0;
  }
}

}  // namespace

std::string_view cache_kind_name(CacheKind kind) {
  switch (kind) {
    case CacheKind::kernels:
      return "compiled kernels";
    case CacheKind::verdicts:
      return "checks of the emulator";
    case CacheKind::python:
      return "kernels of Python";
    case CacheKind::leftovers:
      return "leftovers";
  }
  return "";
}

Result<std::int64_t> cache_bytes_max() {
  const char* const given = std::getenv("ALPHASPARSE_CACHE_MAX");
  const std::string_view text = given ? given : "";
  if (text.empty()) return cache_bytes_max_default;
  double count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  const double bytes = count * static_cast<double>(unit_bytes(unit));
  if (error != std::errc() || !(count >= 0) || unit_bytes(unit) == 0 || bytes > 1e18) {
    return Failure{
        Status::pruned,
        fmt::format("ALPHASPARSE_CACHE_MAX is '{}': it takes a size as 500MB or 2GB", text)};
  }
  return static_cast<std::int64_t>(bytes);
}

std::vector<CacheEntry> cache_entries(const fs::path& directory) {
  std::vector<CacheEntry> entries;
  add_entries(directory, false, entries);
  return entries;
}

bool remove_cache_entry(const CacheEntry& entry) {
  std::error_code error;
  if (!fs::is_directory(fs::symlink_status(entry.path, error)))
    return fs::remove(entry.path, error);
  return entry.kind == CacheKind::python ? remove_folder(entry.path) : remove_marked(entry.path);
}

std::int64_t make_cache_room(const fs::path& directory, std::int64_t bytes_max,
                             std::int64_t bytes_added) {
  std::vector<CacheEntry> entries = cache_entries(directory);
  std::sort(entries.begin(), entries.end(),
            [](const CacheEntry& left, const CacheEntry& right) { return left.used < right.used; });
  std::int64_t bytes = bytes_added;
  for (const CacheEntry& entry : entries) bytes += entry.bytes;
  const std::int64_t target = bytes > bytes_max ? bytes_max / 10 * 9 : bytes_max;
  if (bytes_added == 0 && !entries.empty()) entries.pop_back();
  for (const CacheEntry& entry : entries) {
    if (bytes <= target && entry.kind != CacheKind::leftovers) continue;
    if (remove_cache_entry(entry)) bytes -= entry.bytes;
  }
  return bytes;
}

}  // namespace alphasparse
