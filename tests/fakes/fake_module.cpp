#include "tests/fakes/fake_module.h"

#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "runtime/emulated/emulator/machine.h"
#include "runtime/emulated/emulator/run.h"
#include "tests/fakes/fake_driver_state.h"
#include "tests/fakes/module_exports.h"

namespace emulator = alphasparse::emulator;

namespace {

constexpr std::size_t static_shared_bytes_max = 48 << 10;

/// A linker's output ends with its table of sections.
std::size_t image_bytes(const void* image) {
  const auto& header = *static_cast<const Elf64_Ehdr*>(image);
  return header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize;
}

/// Kernels call the emulator's functions: those of this library, which no other library can see
/// until it is loaded once more, for all.
bool show_ourselves() {
  Dl_info here{};
  return dladdr(reinterpret_cast<void*>(&image_bytes), &here) != 0 &&
         dlopen(here.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD) != nullptr;
}

int file_of(const void* image) {
  const int file = memfd_create("fake cubin", MFD_CLOEXEC);
  const char* next = static_cast<const char*>(image);
  for (std::size_t left = image_bytes(image); file >= 0 && left > 0;) {
    const ssize_t done = write(file, next, left);
    if (done <= 0) break;
    next += done;
    left -= static_cast<std::size_t>(done);
  }
  return file;
}

/// Than it is: samples of some length then take as many calls less.
constexpr double times_as_slow = 10;

double processor_time_us() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) * 1e-3;
}

template <class Value>
void add_one(std::byte* element) {
  Value value;
  std::memcpy(&value, element, sizeof value);
  value += 1;
  std::memcpy(element, &value, sizeof value);
}

/// The last parameters of our kernels are Value* y, Value alpha and Value beta.
void spoil(const std::vector<std::vector<std::byte>>& parameters) {
  std::byte* y = nullptr;
  std::memcpy(&y, parameters.at(parameters.size() - 3).data(), sizeof y);
  if (parameters.back().size() == sizeof(float)) {
    add_one<float>(y);
  } else {
    add_one<double>(y);
  }
}

/// That runs a kernel now.
const FakeDriver* running = nullptr;

/// The fault of a launch in the place of its normal end.
void suffer(FakeFault fault) {
  if (fault == FakeFault::crash) {
    signal(SIGSEGV, SIG_DFL);  // not a sanitizer's
    raise(SIGSEGV);
  }
  if (fault == FakeFault::illegal_address) {
    if (running->fault_signal != 0) {
      std::fputs("Memory access fault by GPU node-1 on address (nil).\n", stderr);
      raise(running->fault_signal);
    }
    fake_gpu()->lost = alphasparse::gpu_error_illegal_address;
  }
  if (fault == FakeFault::hang && hangs_now()) {
    prctl(PR_SET_NAME, fake_hang_name);
    for (;;) pause();
  }
}

}  // namespace

extern "C" void fake_misaligned() { fake_gpu()->lost = running->misaligned; }

bool FakeModule::is_image(const void* image) { return std::memcmp(image, ELFMAG, SELFMAG) == 0; }

std::unique_ptr<FakeModule> FakeModule::load(const void* image, const FakeDriver& driver) {
  static const bool shown = show_ourselves();
  std::unique_ptr<FakeModule> module(new FakeModule(file_of(image), driver));
  if (!shown || !module->open()) return nullptr;
  return module;
}

FakeModule::~FakeModule() {
  if (fault_ == FakeFault::out_of_memory) fake_gpu()->refuses_memory = false;
  if (fault_ == FakeFault::crowded) fake_gpu()->others_bytes = 0;
  if (fault_ == FakeFault::short_memory) fake_gpu()->bytes_lacking = 0;
  if (fault_ == FakeFault::pending_error) {
    fake_gpu()->lost = alphasparse::gpu_error_illegal_address;
  }
  if (module_.object != nullptr) dlclose(module_.object);
  if (object_ != nullptr) dlclose(object_);
  close(file_);  // not before: libraries go by their paths, and a number is given again
}

const FakeKernel* FakeModule::find(const std::string& name) const {
  const auto found = kernels_.find(name);
  return found == kernels_.end() ? nullptr : &found->second;
}

bool FakeModule::open() {
  const std::string path = "/proc/self/fd/" + std::to_string(file_);
  object_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object_ == nullptr) return false;
  const auto* const table =
      static_cast<const FakeModuleKernel*>(dlsym(object_, "fake_module_kernels"));
  const auto* const design = static_cast<const char*>(dlsym(object_, "fake_module_design"));
  const auto* const arch = static_cast<const char*>(dlsym(object_, "fake_module_arch"));
  if (table == nullptr || design == nullptr || arch == nullptr || table->name == nullptr) {
    return false;
  }
  arch_ = arch;
  std::size_t count = 0;
  for (; table[count].name != nullptr; ++count) add_kernel(table[count], count);
  module_ = emulator::load_module(path, count);
  std::size_t shared_bytes = 0;
  for (const emulator::SharedArray& array : module_.shared) shared_bytes += array.bytes;
  fault_ = scripted_fault(design);
  if (fault_ == FakeFault::out_of_memory) fake_gpu()->refuses_memory = true;
  if (fault_ == FakeFault::crowded) fake_gpu()->others_bytes = fake_gpu()->memory_bytes;
  if (fault_ == FakeFault::short_memory) fake_gpu()->bytes_lacking = 1;
  return shared_bytes <= static_shared_bytes_max;
}

void FakeModule::add_kernel(const FakeModuleKernel& exported, std::size_t index) {
  FakeKernel& kernel = kernels_[exported.name];
  kernel.parameter_bytes.assign(exported.parameter_bytes,
                                exported.parameter_bytes + exported.parameter_count);
  kernel.execute = [this, index](unsigned blocks, unsigned threads, const auto& parameters) {
    run(index, blocks, threads, parameters);
  };
  kernel.time_us = [this] { return time_us_; };
  kernel.threads_max = exported.threads_max;
  kernel.registers = exported.registers;
}

void FakeModule::run(std::size_t index, unsigned blocks, unsigned threads,
                     const std::vector<std::vector<std::byte>>& parameters) {
  running = &driver_;
  suffer(fault_);
  ++launches_;
  const double start_us = processor_time_us();
  std::vector<const void*> places;
  for (const std::vector<std::byte>& parameter : parameters) places.push_back(parameter.data());
  emulator::machine.mode = emulator::Mode::plain;
  emulator::machine.entry = module_.entries[index];
  emulator::machine.arrays = places.data();
  emulator::run_launch({}, {"", blocks, static_cast<int>(threads)});
  time_us_ = std::max(1.0, times_as_slow * (processor_time_us() - start_us));
  const bool late = fault_ == FakeFault::wrong_later && launches_ > launches_before_wrong;
  if (fault_ == FakeFault::wrong || late) spoil(parameters);
}
