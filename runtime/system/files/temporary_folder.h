// temporary_folder: private folders below TMPDIR, of which nothing is left however a process ends.
//
// All lie in one folder of the process, TMPDIR/alphasparse-run-XXXXXX, which forks share. The
// process that made it removes it at its end. Where that end comes without warning (a signal, a
// worker that leaves by _exit), a reaper does (reaper.h): a process that waits until every process
// with the folder has gone. A lock on the folder shows that they are alive, not a process id, for
// containers share folders but not ids. So the next run removes the folders of runs that were
// killed together with their keepers, where they have our mark (own_files.h).
#pragma once
#include <filesystem>
#include <string_view>

namespace alphasparse {

/// Makes the folder of this process, so that later forks have their folders in it. The first
/// TemporaryFolder tells the reason where it cannot be made.
void prepare_temporary_folders();

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
