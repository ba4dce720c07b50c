// fake_faults: the faults of a kernel on the fake of a GPU. One environment variable names them, so
// that they hold in every process.
//
//   FAKE_GPU_FAULTS="crash:thread_bitmap;hang:shared_total"
//
// is a list of fault:words; a kernel has the first fault with words that stand in its design, the
// line that its source begins with. Where FAKE_GPU_HANGS_WHILE names a file, nothing hangs unless
// it is there: a test that makes and removes it chooses when.
#pragma once
#include <string_view>

enum class FakeFault {
  none,
  compile_error,    ///< the source does not compile
  out_of_memory,    ///< nothing can be allocated while its module is loaded
  crowded,          ///< other processes have all memory while its module is loaded
  crash,            ///< a launch takes the process down
  illegal_address,  ///< a launch takes the context down
  short_memory,     ///< memory allocated while its module is loaded lacks its last byte
  pending_error,    ///< it ends well, but the next call finds that the context is lost
  hang,             ///< a launch never ends; its process is called fake_hang_name then
  wrong,            ///< every launch spoils y
  wrong_later,      ///< only those after launches_before_wrong do
};

inline constexpr int launches_before_wrong = 200;
inline constexpr const char* fake_hang_name = "fake-gpu-hangs";

/// Whether a launch that is to hang does so now.
bool hangs_now();

/// Aborts where FAKE_GPU_FAULTS cannot be read.
FakeFault scripted_fault(std::string_view design);
