#include "runtime/emulated/emulator/job.h"

#include <iomanip>
#include <istream>
#include <limits>
#include <ostream>
#include <sstream>

namespace alphasparse::emulator {

namespace {

const std::string first_line = "alphasparse-emulator job 6";

/// One line of the file after its first word; false where it cannot be read.
bool read_line(const std::string& token, std::istringstream& in, Job& job) {
  if (token == "module") return static_cast<bool>(std::getline(in >> std::ws, job.module));
  if (token == "mode") {
    std::string mode;
    in >> mode;
    job.mode = mode == "plain" ? Mode::plain : mode == "check" ? Mode::check : Mode::count;
  } else if (token == "files") {
    in >> job.arrays_file >> job.cases_file;
  } else if (token == "vectors") {
    in >> job.value_bytes >> job.rows >> job.cols >> job.distances.x >> job.distances.y;
  } else if (token == "blocks_entered_max") {
    in >> job.blocks_entered_max;
  } else if (token == "processes") {
    in >> job.processes;
  } else if (token == "sample") {
    in >> job.sample.stride >> job.sample.chunk;
  } else if (token == "caches") {
    JobCaches& caches = job.caches;
    in >> caches.l1_bytes >> caches.shared_bytes >> caches.sector_bytes >> caches.l1_share >>
        caches.l2_bytes >> caches.multiprocessors >> caches.warps_max >> caches.blocks_max >>
        caches.l2_slices >> caches.l2_warm >> caches.l2_forgets >> caches.l2_holds_all >>
        caches.whole_times;
  } else if (token == "array") {
    JobArray& array = job.arrays.emplace_back();
    in >> array.name >> array.element_bytes >> array.count >> array.offset >> array.replaceable;
  } else if (token == "scratch") {
    JobArray& array = job.arrays.emplace_back();
    array.scratch = true;
    in >> array.name >> array.element_bytes >> array.count;
  } else if (token == "launch") {
    JobLaunch& launch = job.launches.emplace_back();
    in >> launch.kernel >> launch.blocks >> launch.threads >> launch.first_column;
  } else if (token == "case") {
    JobCase& run = job.cases.emplace_back();
    in >> run.scaling.alpha.re >> run.scaling.alpha.im >> run.scaling.beta.re >>
        run.scaling.beta.im >> run.lanes_reversed >> run.x_offset >> run.y_offset;
    if (!in) return false;
    for (std::int64_t offset = 0; in >> offset;) run.value_offsets.push_back(offset);
    return true;
  } else {
    return false;
  }
  return !in.fail();
}

}  // namespace

void write_job(std::ostream& out, const Job& job) {
  const char* modes[] = {"plain", "check", "count"};
  out << first_line << '\n'
      << std::setprecision(std::numeric_limits<double>::max_digits10) << "module " << job.module
      << "\nmode " << modes[static_cast<int>(job.mode)] << "\nfiles " << job.arrays_file << ' '
      << job.cases_file << "\nvectors " << job.value_bytes << ' ' << job.rows << ' ' << job.cols
      << ' ' << job.distances.x << ' ' << job.distances.y << "\nblocks_entered_max "
      << job.blocks_entered_max << "\nprocesses " << job.processes << "\nsample "
      << job.sample.stride << ' ' << job.sample.chunk << '\n';
  const JobCaches& caches = job.caches;
  out << "caches " << caches.l1_bytes << ' ' << caches.shared_bytes << ' ' << caches.sector_bytes
      << ' ' << caches.l1_share << ' ' << caches.l2_bytes << ' ' << caches.multiprocessors << ' '
      << caches.warps_max << ' ' << caches.blocks_max << ' ' << caches.l2_slices << ' '
      << caches.l2_warm << ' ' << caches.l2_forgets << ' ' << caches.l2_holds_all << ' '
      << caches.whole_times << '\n';
  for (const JobArray& array : job.arrays) {
    if (array.scratch) {
      out << "scratch " << array.name << ' ' << array.element_bytes << ' ' << array.count << '\n';
      continue;
    }
    out << "array " << array.name << ' ' << array.element_bytes << ' ' << array.count << ' '
        << array.offset << ' ' << array.replaceable << '\n';
  }
  for (const JobLaunch& launch : job.launches) {
    out << "launch " << launch.kernel << ' ' << launch.blocks << ' ' << launch.threads << ' '
        << launch.first_column << '\n';
  }
  for (const JobCase& run : job.cases) {
    out << "case " << run.scaling.alpha.re << ' ' << run.scaling.alpha.im << ' '
        << run.scaling.beta.re << ' ' << run.scaling.beta.im << ' ' << run.lanes_reversed << ' '
        << run.x_offset << ' ' << run.y_offset;
    for (const std::int64_t offset : run.value_offsets) out << ' ' << offset;
    out << '\n';
  }
}

bool read_job(std::istream& in, Job& job) {
  std::string line;
  if (!std::getline(in, line) || line != first_line) return false;
  while (std::getline(in, line)) {
    std::istringstream tokens(line);
    std::string token;
    tokens >> token;
    if (!read_line(token, tokens, job)) return false;
  }
  return !job.module.empty() && !job.launches.empty();
}

}  // namespace alphasparse::emulator
