// fake_module: a "cubin" of the fake of NVRTC in the fake of the driver. It is a shared object with
// kernels that the emulator's machinery runs, thread by thread.
//
// The time of a launch is the processor time that running it took: real and positive, and no GPU's.
#pragma once
#include <map>
#include <memory>
#include <string>

#include "runtime/emulated/emulator/module.h"
#include "tests/fakes/fake_faults.h"
#include "tests/fakes/fake_gpu_state.h"

struct FakeDriver;
struct FakeModuleKernel;

class FakeModule {
 public:
  /// Whether a cubin of the fake begins here; other images are those of tests.
  static bool is_image(const void* image);

  /// Loads it; null where it cannot be loaded or one of its blocks would not find room.
  static std::unique_ptr<FakeModule> load(const void* image, const FakeDriver& driver);
  ~FakeModule();
  FakeModule(const FakeModule&) = delete;
  FakeModule& operator=(const FakeModule&) = delete;

  /// The architecture that it was compiled for: "sm_90", or "compute_90" where it is "PTX",
  /// "gfx90a:xnack-".
  const std::string& arch() const { return arch_; }

  /// The kernel of this name, or null; it lives as long as the module.
  const FakeKernel* find(const std::string& name) const;

 private:
  FakeModule(int file, const FakeDriver& driver) : file_(file), driver_(driver) {}
  bool open();
  void add_kernel(const FakeModuleKernel& exported, std::size_t index);
  void run(std::size_t index, unsigned blocks, unsigned threads,
           const std::vector<std::vector<std::byte>>& parameters);

  int file_;
  const FakeDriver& driver_;
  void* object_ = nullptr;
  alphasparse::emulator::Module module_;
  std::string arch_;
  FakeFault fault_ = FakeFault::none;
  std::map<std::string, FakeKernel> kernels_;
  int launches_ = 0;
  double time_us_ = 0;  // of the last
};
