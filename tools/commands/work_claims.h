// work_claims: which of many matrices this call tunes, so that another call with the same database
// takes others. A claim ends a minute after its process did.
#pragma once
#include <map>
#include <string>

#include "runtime/device/device.h"
#include "runtime/system/stopwatch.h"
#include "tools/commands/options.h"

namespace alphasparse {

class WorkClaims {
 public:
  /// Opens the database for each question alone: forks must not meet a connection.
  WorkClaims(const TuneCommand& command, std::string database, DeviceInfo device);

  /// False where another call is at work on the file.
  bool take(const std::string& file);

  void release(const std::string& file);

  /// Keeps the claims; to be called every second or so.
  void prolong();

 private:
  std::string find_work(const std::string& file) const;

  const TuneCommand& command_;
  const std::string database_;
  const DeviceInfo device_;
  const std::string holder_;
  std::map<std::string, std::string> taken_;  ///< keys of the work, by file
  Stopwatch clock_;
  double prolonged_ = 0;
};

}  // namespace alphasparse
