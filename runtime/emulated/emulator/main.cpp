// main: alphasparse-emulator JOB - runs a kernel on every case of a job and reports the outcome.
//
// y is written back into the job's cases file. On standard output, in one of these forms:
//
//   crash CASE TEXT       the kernel did wrong
//   timeout CASE TEXT     a loop did not end
//   unbuildable CASE TEXT the GPU's compiler would refuse it
//   failed CASE TEXT      the emulator could not: no memory, no process, a kernel that does not
//                         load
//   done                  every case ran to its end; mode count prints the lines of report.h first

#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>

#include "runtime/emulated/emulator/counts.h"
#include "runtime/emulated/emulator/job.h"
#include "runtime/emulated/emulator/kernel_error.h"
#include "runtime/emulated/emulator/machine.h"
#include "runtime/emulated/emulator/run.h"
#include "runtime/emulated/emulator/shadow.h"

namespace alphasparse::emulator {

namespace {

/// The regions of x and y, and the arrays' addresses in the order of the kernel's Format.
struct Layout {
  std::vector<const void*> arrays;
  const Region* x = nullptr;
  const Region* y = nullptr;
};

constexpr std::size_t static_shared_max = 48 << 10;

void add_shared() {
  std::size_t bytes = 0;
  for (const SharedArray& array : machine.module.shared) {
    if (array.is_guard) {  // no GPU has it: neither checked nor counted
      machine.memory.add_range(array.name, array.low, array.bytes, Space::constants).writable =
          true;
      continue;
    }
    Region& region = machine.memory.add_range(array.name, array.low, array.bytes, Space::shared);
    if (machine.mode == Mode::check) watch(region, false);
    bytes += array.bytes;
  }
  if (bytes > static_shared_max) {
    unbuildable("the kernel has %zu bytes of static shared memory, a block may have %zu", bytes,
                static_shared_max);
  }
}

Layout lay_out(const Job& job) {
  Layout layout;
  Memory& memory = machine.memory;
  for (const JobArray& array : job.arrays) {
    Region& region = memory.add_array(array.name, array.element_bytes, array.count, array.scratch);
    if (array.scratch)
      memory.map_scratch(region);
    else
      memory.map(region, job.arrays_file, array.offset);
    // Blocks that a sample leaves out do not write the memory that others read.
    if (array.scratch && machine.mode == Mode::check) watch(region, job.sample.stride > 1);
    layout.arrays.push_back(reinterpret_cast<const void*>(region.low));
  }
  layout.x = &memory.add_array("x", job.value_bytes, job.cols * job.distances.x, false);
  Region& y = memory.add_array("y", job.value_bytes, job.rows * job.distances.y, true);
  if (machine.mode == Mode::check) watch(y, true);
  layout.y = &y;
  add_shared();
  memory.add_range("constants", machine.module.base, machine.module.end - machine.module.base,
                   Space::constants);
  machine.region_of_site.fill(layout.x);
  return layout;
}

/// Every byte 0xff: as floating point numbers, NaN.
void clear_scratch(const Region& region) {
  std::memset(reinterpret_cast<void*>(region.low), 0xff, region.bytes);
}

void set_case(const Job& job, const JobCase& run, const Layout& layout) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < job.arrays.size(); ++i) {
    const Region& region = machine.memory.regions[i];
    if (job.arrays[i].scratch && machine.team.is_first()) clear_scratch(region);
    if (!job.arrays[i].replaceable) continue;
    if (run.value_offsets.empty()) {  // the case before may have replaced them
      machine.memory.map(region, job.arrays_file, job.arrays[i].offset);
      continue;
    }
    if (value == run.value_offsets.size()) fail("a case lacks values");
    machine.memory.map(region, job.cases_file, run.value_offsets[value++]);
  }
  intervals.begin_case();
  machine.memory.map(*layout.x, job.cases_file, run.x_offset);
  machine.memory.map(*layout.y, job.cases_file, run.y_offset);
  machine.arrays = layout.arrays.data();
  machine.scaling = run.scaling;
  machine.distances = job.distances;
  machine.lanes_reversed = run.lanes_reversed;
}

void run_cases(const Job& job, const Layout& layout) {
  for (std::size_t i = 0; i < job.cases.size(); ++i) {
    machine.case_index = static_cast<int>(i);
    set_case(job, job.cases[i], layout);
    machine.team.wait();
    for (std::size_t launch = 0; launch < job.launches.size(); ++launch) {
      machine.entry = machine.module.entries[launch];
      const std::int64_t offset = std::int64_t{job.launches[launch].first_column} * job.value_bytes;
      machine.x = reinterpret_cast<const void*>(layout.x->low + offset);
      machine.y = reinterpret_cast<void*>(layout.y->low + offset);
      run_launch(job, job.launches[launch]);
      machine.team.wait();
      if (job.mode == Mode::count) write_counts(std::cout, counts_of_launch(job));
    }
  }
  machine.team.part();
}

void run_job(const Job& job) {
  machine.module = load_module(job.module, job.launches.size());
  machine.mode = job.mode;  // not before: the module's own start-up calls the hooks too
  const Layout layout = lay_out(job);
  catch_signals();
  if (machine.team.gather(job.mode == Mode::plain ? job.processes : 1)) run_cases(job, layout);
  std::cout << "done\n" << std::flush;
  if (!std::cout) fail("cannot write its report");
}

}  // namespace

}  // namespace alphasparse::emulator

int main(int argument_count, char** arguments) {
  using namespace alphasparse::emulator;
  if (argument_count != 2) {
    std::fprintf(stderr, "usage: alphasparse-emulator JOB; started by alphasparse\n");
    return job_unread;
  }
  std::set_terminate([] { fail("an exception, as when memory runs out"); });
  std::ifstream in(arguments[1]);
  Job job;
  if (!in || !read_job(in, job)) {
    std::fprintf(stderr, "cannot read the job %s\n", arguments[1]);
    return job_unread;
  }
  run_job(job);
  return 0;
}
