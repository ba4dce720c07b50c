// job: the work that the emulator is asked to run, as a small text file that the runtime writes and
// the emulator reads. The arrays lie in two memory files that the emulator inherits.
//
// One line a fact, the first word names it:
//
//   module /tmp/alphasparse-x/kernel.so
//   mode check
//   array column 2 16896 0 0            name, bytes an element, elements, offset in `arrays_file`
//   scratch carry 4 132                 name, bytes an element, elements
//   launch spmv 47 64 0                 kernel, blocks, threads, first column
//   processes 2                         that share out the blocks of every launch
//   case 2 0 -1 0 1 0 4096 8192         parts of alpha and of beta, lanes reversed, offsets in
//                                       `cases_file`
//
// main.cpp describes the emulator's answer on standard output.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "base/scaling.h"

namespace alphasparse::emulator {

/// Offsets of arrays in the files are multiples of this, so that each can be mapped by itself.
inline constexpr std::int64_t page_bytes = 4096;

/// Exit status of an emulator that cannot read its job: one of another version.
inline constexpr int job_unread = 2;

enum class Mode {
  plain,   ///< results only: the module has no hooks
  check,   ///< every access checked: bounds, alignment, uninitialised reads, races
  count,   ///< bounds, and every access counted, warp by warp
  survey,  ///< bounds, and which blocks do how much: before a sample of them is counted; no job
           ///< asks for it by itself
};

struct JobArray {
  std::string name;
  int element_bytes = 4;
  std::int64_t count = 0;
  std::int64_t offset = 0;   ///< in the arrays file
  bool replaceable = false;  ///< a value array: a case may bring its own
  bool scratch = false;      ///< writable, in no file, without contents when a case begins
};

struct JobLaunch {
  std::string kernel;
  std::int64_t blocks = 0;
  int threads = 0;
  int first_column = 0;  ///< of X and Y
};

struct JobCase {
  Scaling scaling;
  bool lanes_reversed = false;
  std::int64_t x_offset = 0;  ///< in the cases file
  std::int64_t y_offset = 0;
  std::vector<std::int64_t> value_offsets;  ///< one a replaceable array, or none
};

/// The blocks to run: every block or about one in `stride`. In mode check chunks of `chunk`
/// consecutive ones, the first and the last chunk always among them; in mode count the costly ones
/// rather than others (survey.h).
struct JobSample {
  std::int64_t stride = 1;
  std::int64_t chunk = 8;
};

/// The shape of the modelled GPU's caches; read in mode count only.
struct JobCaches {
  std::int64_t l1_bytes = 0;      ///< L1 and shared memory of one multiprocessor
  std::int64_t shared_bytes = 0;  ///< memory for shared arrays apart from L1; 0: they take of it
  int sector_bytes = 32;          ///< that L1 fetches at once: 32, 64 or all 128 of a line
  double l1_share = 1;        ///< of the memory that shared arrays leave, in (0, 1]: the part that
                              ///< works as L1
  std::int64_t l2_bytes = 0;  ///< of all slices together
  int multiprocessors = 1;
  int warps_max = 64;  ///< resident warps and blocks of one multiprocessor
  int blocks_max = 32;
  int l2_slices = 1;  ///< as many L2s, each for its own blocks
  bool l2_warm = false;
  bool l2_forgets = false;   ///< between launches
  bool l2_holds_all = true;  ///< every array, x and y at once
  double whole_times = 1;    ///< blocks of the whole matrix over those of the job's, a sample of it
};

struct Job {
  std::string module;
  Mode mode = Mode::check;
  int arrays_file = -1;  ///< descriptors
  int cases_file = -1;
  int value_bytes = 4;  ///< of an element of x and y
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  RowDistances distances;               ///< of all cases
  std::int64_t blocks_entered_max = 0;  ///< basic blocks one thread may enter in one launch
  int processes = 1;                    ///< mode plain only: see team.h
  JobSample sample;
  JobCaches caches;
  std::vector<JobArray> arrays;
  std::vector<JobLaunch> launches;
  std::vector<JobCase> cases;
};

void write_job(std::ostream& out, const Job& job);

/// False where the text is not a job.
bool read_job(std::istream& in, Job& job);

}  // namespace alphasparse::emulator
