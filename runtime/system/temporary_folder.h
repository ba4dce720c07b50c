// temporary_folder: a private folder below TMPDIR, removed with everything in it.
#pragma once
#include <filesystem>
#include <string_view>

namespace alphasparse {

class TemporaryFolder {
 public:
  /// Throws Error (exit 4) where it cannot be made, naming the place and TMPDIR.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Writes a file of this name. Throws Error (exit 4) where the disk does not take it.
  std::filesystem::path write(std::string_view name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

}  // namespace alphasparse
