// own_files: the folders that we make, and the files that we keep in them for ourselves.
//
// A folder that we make is this user's alone, with any umask, and so is a file that is kept for
// later runs: its contents are trusted (RegularFile::open_own).
#pragma once
#include <filesystem>
#include <string_view>
#include <system_error>

namespace alphasparse {

/// Makes a folder and its missing parents, with mode 0700. A folder that is there stays as it is,
/// and may be a link to one.
std::error_code make_folders(const std::filesystem::path& folder);

/// The same of a folder that we keep files in. It becomes 0700 where it is this user's and others
/// can write into it, unless it is a folder for everybody (with the sticky bit, as /tmp).
std::error_code make_own_folder(const std::filesystem::path& folder);

/// An empty file marks a folder that we made for a while, python/alphasparse/folders.py too.
constexpr std::string_view folder_mark = ".alphasparse";
void mark_folder(const std::filesystem::path& folder);

/// Removes such a folder, the mark last; false where it has no mark, or something in it stays.
bool remove_marked(const std::filesystem::path& folder);

/// Has the disk keep the bytes that were written to a file. No error where there is no disk to ask,
/// or where the system refuses to ask it.
std::error_code sync_file(int descriptor);

/// Makes `bytes` the whole of a file of mode 0600, or does nothing. It writes them beside it under
/// the name of a draft, syncs and renames, so that readers and writers of other processes see a
/// whole file.
std::error_code publish_own_file(const std::filesystem::path& file, std::string_view bytes);

/// The name of the file that a draft becomes, where `name` is that of a draft; else empty.
std::string_view name_behind_draft(std::string_view name);

}  // namespace alphasparse
