// kernel_fuzz: for any bytes of a format file, a standalone kernel's loader refuses it, or the
// kernel reads and writes no memory but its own.
//
// Each kernel is compiled with AddressSanitizer and loaded into this process: one for CPUs as its
// shared object, one for GPUs behind the emulator's shim, its threads fibers (host_grid.h). Arrays,
// x and y are blocks of their own size.
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "runtime/compilers/host_compiler.h"
#include "runtime/compilers/shared_objects.h"
#include "runtime/emulated/source.h"
#include "runtime/system/machine/cores.h"
#include "templates/host/loader.h"
#include "tests/fuzz/format_fuzz.h"
#include "tests/fuzz/host_grid.h"
#include "tests/support/files.h"
#include "tests/support/read_format.h"

namespace alphasparse {

const int metadata_mutations_of_ten = 0;

namespace {

constexpr std::size_t slack_bytes = 512;  ///< behind an array on a CPU (templates/host/handle.h)

/// A block of memory that a sanitizer knows to the byte.
using Block = std::unique_ptr<void, decltype(&std::free)>;

Block block_of(std::size_t bytes, const void* from = nullptr, std::size_t slack = 0) {
  void* memory = nullptr;
  CHECK(posix_memalign(&memory, 256, std::max<std::size_t>(1, bytes + slack)) == 0);
  std::memset(memory, 0, bytes + slack);
  if (from && bytes > 0) std::memcpy(memory, from, bytes);
  return {memory, &std::free};
}

class LoadedSubject {
 public:
  LoadedSubject(const FormatSubject& subject, const TestFolder& folder, std::size_t number)
      : kernel_(subject.kernel), object_(folder / fmt::format("{}.so", number)) {
    const bool cpu = kernel_.target == Target::cpu;
    std::string text = cpu ? cpu_program(kernel_) : emulated_source(kernel_);
    const std::string shared = "#define __shared__ thread_local __attribute__((aligned(65536)))";
    if (const std::size_t at = text.find(shared); at != text.npos) {
      text.replace(at, shared.size(), "#define __shared__ static");  // between red zones
    }
    const auto source = folder / fmt::format("{}.cpp", number);
    set_contents(source, text);
    std::vector<std::string> flags = {
        "-std=c++17", "-fPIC", "-w", "-O1", "-g1", "-fsanitize=address", "-ffp-contract=off"};
    if (cpu) flags.insert(flags.end(), {"-fopenmp", "-march=native"});
    const auto made =
        compile_shared_object(find_host_compiler(CompilerUse::cpu), source, object_, flags);
    if (!made) throw Error(subject.name + ": " + made.reason());
  }

  void open() {
    void* const library = dlopen(object_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw Error(dlerror());
    const auto function = [&](const std::string& name) {
      void* const found = dlsym(library, name.c_str());
      CHECK(found);
      return found;
    };
    if (kernel_.target == Target::cpu) {
      open_team_ = reinterpret_cast<OpenTeam>(function("alphasparse_open_team"));
      run_team_ = reinterpret_cast<RunTeam>(function("alphasparse_run_team"));
      close_team_ = reinterpret_cast<CloseTeam>(function("alphasparse_close_team"));
      return;
    }
    for (std::size_t i = 0; i < kernel_.launches.size(); ++i) {
      launches_.push_back(
          reinterpret_cast<LaunchGrid>(function(fmt::format("emulator_launch_{}", i))));
    }
  }

  void run(const host::LoadedFormat& format) const {
    const bool cpu = kernel_.target == Target::cpu;
    std::vector<Block> memory;
    std::vector<const void*> pointers;
    std::size_t array = 0;
    for (const FormatPointer& pointer : kernel_.pointers()) {
      const std::size_t slack = cpu ? slack_bytes : 0;
      if (pointer.array) {
        const auto& bytes = format.arrays[array++].bytes;
        memory.push_back(block_of(bytes.size(), bytes.data(), slack));
      } else {
        memory.push_back(
            block_of(static_cast<std::size_t>(pointer.workspace->bytes()), nullptr, slack));
      }
      pointers.push_back(memory.back().get());
    }
    pointers.push_back(nullptr);  // an empty struct still takes a byte
    const Block x = block_of(kernel_.cols * sizeof(float)),
                y = block_of(kernel_.rows * sizeof(float));
    const double one[] = {1, 0};
    if (cpu) return run_team(pointers, x.get(), y.get());
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      const Launch& launch = kernel_.launches[i];
      run_grid(static_cast<int>(launch.blocks), launch.threads,
               [&] { launches_[i](pointers.data(), x.get(), 1, y.get(), 1, one, one); });
    }
  }

 private:
  using OpenTeam = void* (*)(const void* pointers, int threads);
  using RunTeam = void (*)(const void* team, const void*, const void* x, std::int64_t, const void*,
                           void* y, std::int64_t);
  using CloseTeam = void (*)(void* team);
  using LaunchGrid = void (*)(const void* const*, const void* x, long long, void* y, long long,
                              const double*, const double*);

  void run_team(const std::vector<const void*>& pointers, const void* x, void* y) const {
    constexpr int threads = 3;
    void* const team = open_team_(pointers.data(), threads);
    CHECK(team);
    const NumberBytes one = number_bytes(kernel_.dtype, 1);
    run_team_(team, one.data(), x, 1, one.data(), y, 1);
    close_team_(team);
  }

  const Kernel& kernel_;
  std::filesystem::path object_;
  OpenTeam open_team_ = nullptr;
  RunTeam run_team_ = nullptr;
  CloseTeam close_team_ = nullptr;
  std::vector<LaunchGrid> launches_;
};

/// Compiled once, by as many compilers as there are cores.
std::vector<std::unique_ptr<LoadedSubject>> load_all() {
  const TestFolder folder;
  const std::vector<FormatSubject>& subjects = format_subjects();
  std::vector<std::unique_ptr<LoadedSubject>> all(subjects.size());
  parallel_for(subjects.size(), machine_threads(), [&](std::size_t i, std::size_t) {
    all[i] = std::make_unique<LoadedSubject>(subjects[i], folder, i);
  });
  for (auto& loaded : all) loaded->open();
  return all;
}

struct Subject {
  std::unique_ptr<LoadedSubject> loaded;
  std::unique_ptr<LoaderFacts> facts;
};

const Subject& subject(std::size_t number) {
  static const std::vector<Subject> all = [] {
    std::vector<Subject> subjects;
    for (auto& loaded : load_all()) {
      const auto& [name, kernel, file] = format_subjects()[subjects.size()];
      subjects.push_back(
          {std::move(loaded), std::make_unique<LoaderFacts>(kernel, header_of(file))});
    }
    return subjects;
  }();
  return all[number];
}

}  // namespace
}  // namespace alphasparse

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace alphasparse;
  if (size < 2) return 0;
  const std::size_t number = subject_of(data);
  const std::string path = file_of(data, size);
  FormatFuzzCounts& counts = format_fuzz_counts();
  FormatFuzzCounts::OfSubject& own = counts.of[number];
  ++own.inputs;
  try {
    host::FormatReader(path).read_data(false);
    ++counts.whole;
    const host::LoadedFormat format = host::load_format(path, subject(number).facts->facts(), true);
    ++counts.taken;
    ++own.taken;
    subject(number).loaded->run(format);
  } catch (const host::BadFile& error) {
    CHECK(std::string_view(error.what()).find('\n') == std::string_view::npos);
  }
  return 0;
}
