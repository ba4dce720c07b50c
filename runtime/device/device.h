// device: where a kernel runs - a CUDA GPU, or the emulator - behind one interface.
//
// A device loads a kernel once (compiles it, copies its arrays), then runs it on as many inputs as
// asked, and times it. `kind` says whether its times are measured (a GPU) or modelled (the
// emulator). Nothing mixes them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/scaling.h"
#include "generator/arrays/kernel.h"
#include "runtime/device/whole_sizes.h"
#include "runtime/system/deadline.h"

namespace alphasparse {

enum class TimeKind { measured, modelled };

const char* time_kind_name(TimeKind kind);  ///< "measured", "modelled"

/// Properties of a GPU as its driver reports them; 0 where it does not.
struct GpuProperties {
  int multiprocessors = 0;
  int sm_mhz = 0;      ///< highest clock of the multiprocessors
  int memory_mhz = 0;  ///< of its memory, half of its transfers
  int memory_bus_bits = 0;
  std::int64_t shared_bytes_a_multiprocessor = 0;  ///< that blocks may use

  bool operator==(const GpuProperties&) const = default;
};

/// The identity of a device.
struct DeviceInfo {
  std::string name;  ///< as --device spells it: "cuda:0", "emulated:h200", "cpu:2"
  std::string gpu;   ///< the GPU's own name, or the model's; of a CPU the processor's
  TimeKind kind = TimeKind::modelled;
  std::string version;  ///< driver, or version of the GPU model: a change makes times incomparable
  std::string arch;     ///< "sm_90"
  std::int64_t l2_bytes = 0;          ///< its L2 cache, or a larger one behind it; 0: not known
  double dram_gb_per_s = 0;           ///< peak of its memory; 0 where not known
  std::string compiler = {};          ///< the compiler of its kernels: "NVRTC 13.0 for sm_90"
  std::string compiler_library = {};  ///< the file, where there are several to choose from
  Target target = Target::gpu;        ///< the target of its kernels
  Dialect dialect = Dialect::cuda;    ///< of a GPU: the language of its kernels
  int threads = 0;                    ///< of a CPU, that run one kernel; 0: a GPU
  GpuProperties reported = {};        ///< of a GPU that is here
  std::string fit = {};               ///< of modelled times: "unfitted", or what they are fitted to
  std::string no_gpu_reason = {};     ///< of "auto" on another device: why it is no GPU
};

/// Bytes that copies share and nobody changes, so that a keeper of them knows them again.
class SharedBytes {
 public:
  using Bytes = std::vector<std::byte>;

  SharedBytes() = default;
  SharedBytes(Bytes bytes)
      : bytes_(bytes.empty() ? nullptr : std::make_shared<const Bytes>(std::move(bytes))) {}
  /// The bytes while a copy of them lives; empty after that.
  explicit SharedBytes(const std::weak_ptr<const Bytes>& watched) : bytes_(watched.lock()) {}

  bool empty() const { return bytes_ == nullptr; }
  std::size_t size() const { return bytes_ ? bytes_->size() : 0; }
  const std::byte* data() const { return bytes_ ? bytes_->data() : nullptr; }
  const std::byte* begin() const { return data(); }
  const std::byte* end() const { return data() + size(); }
  operator const Bytes&() const {
    static const Bytes none;
    return bytes_ ? *bytes_ : none;
  }

  /// Whether both are empty, or copies of one.
  bool is(const SharedBytes& other) const { return bytes_ == other.bytes_; }

  /// Expires with the last copy. Not the bytes' own address.
  std::weak_ptr<const Bytes> watch() const { return bytes_; }
  const void* identity() const { return bytes_.get(); }

 private:
  std::shared_ptr<const Bytes> bytes_;
};

/// One y = alpha * A * x + beta * y to run and observe. Spans hold elements of the kernel's dtype.
/// Of a kernel for several vectors x and y are the rows of X and Y, `distances` apart.
/// Many kernels have the same cases: a device may keep the bytes that copies share.
struct SpmvCase {
  std::string name;      ///< for messages: "exact 1", "inf"
  SharedBytes integers;  ///< [nnz] signed bytes, the values in the canonical order; or empty: the
                         ///< real ones
  SharedBytes x;         ///< [cols * distances.x]
  SharedBytes y;         ///< [rows * distances.y], on entry
  Scaling scaling;
  RowDistances distances;
  bool lanes_reversed = false;  ///< the emulator starts the highest lane first
};

/// A value array of a kernel with the integers of a case; 0 in its pads.
std::vector<std::byte> make_values(const Array& array, std::span<const std::byte> integers);

/// The results that a run left behind.
struct SpmvOutcome {
  std::vector<std::byte> y;   ///< [rows * distances.y], on return
  double device_seconds = 0;  ///< of the device's own work for it; 0 where not known
};

/// The limits of a modelled time, in us: over all launches, the time that each limit alone would
/// take. A launch takes its floor and mostly the longest of the others
/// (ModelConstants::limits_order).
struct ModelledLimits {
  double launch_us = 0;  ///< the floors
  double dram_us = 0;
  double l2_us = 0;
  double lsu_us = 0;
  double issue_us = 0;
  double atomics_us = 0;
  double longest_warp_us = 0;
  double queue_us = 0;  ///< memory instructions of warps that wait for their turn

  bool operator==(const ModelledLimits&) const = default;
};

/// A time and the facts that it rests on.
struct Timing {
  double time_us = 0;      ///< all launches of one SpMV: median measured, or modelled
  double time_us_p20 = 0;  ///< equal to time_us where modelled
  double time_us_p80 = 0;
  int samples = 0;                 ///< 0 where modelled
  std::optional<int> registers;    ///< of the kernel with the most; none where no NVRTC told
  std::optional<int> spill_bytes;  ///< of the same kernel
  /// 32-byte sectors that global accesses touched; none where they were not counted.
  std::optional<std::int64_t> sectors;
  std::optional<std::int64_t> dram_bytes;  ///< modelled traffic to memory; none: not counted
  std::string note;           ///< e.g. the sample that counts were taken from; may be empty
  std::optional<int> sm_mhz;  ///< the lowest clock seen during the timing; none: not known
  std::string slowed;         ///< the cause that held the clock down, "power cap"; empty: none
                              ///< known
  bool noisy = false;         ///< samples far apart, or taken at a clock far below the highest
  bool disturbed = false;     ///< most of its samples were: this is not the kernel's time
  int rounds = 0;             ///< in which it was measured in turn with others; 0: by itself
  std::optional<ModelledLimits> limits = std::nullopt;  ///< where this process has modelled it
  std::optional<double> time_us_min;  ///< the shortest sample; none where modelled
};

/// Adds to a timing's note, behind its text so far.
void add_note(Timing& timing, const std::string& text);

/// Which caches a timed SpMV finds warm: a solver's loop, or nothing.
enum class CacheRegime { warm, cold };

const char* regime_name(CacheRegime regime);  ///< "warm", "cold"

/// The kernel to time, and the longest time of interest.
struct TimingRequest {
  TimingRequest(CacheRegime caches, double incumbent = 0, int samples = 0)
      : regime(caches), incumbent_us(incumbent), samples_max(samples) {}

  CacheRegime regime;
  /// The best time so far. A clearly slower kernel need not be measured to the end. 0: there is
  /// none.
  double incumbent_us;
  int samples_max;  ///< where few will do; 0: as many as the device holds to be enough
  /// Where the kernel is of a sample: the matrix for which a modelled device tells the time.
  /// Devices that measure do not look at it.
  std::optional<WholeSizes> whole = std::nullopt;
};

/// The arrays of its kernel that a loaded one reads again.
enum class StillRead {
  nothing,
  sources,  ///< where value arrays have their values from, to put a case's in their place
  values,   ///< that, and the values that come back into their place
  all,
};

/// A kernel on a device. Holds all memory that the device needs; frees it when it goes.
class LoadedKernel {
 public:
  virtual ~LoadedKernel() = default;

  /// Runs every case in order, each on its own copy of y. A fault (out of bounds, race, timeout,
  /// crash) is a Failure. Its reason names the case, the array and the thread where they are known.
  virtual Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) = 0;

  /// Times the kernel on the real values and the given x [cols] and y [rows]; alpha = 1, beta = 0.
  virtual Result<Timing> time(const SpmvCase& input, const TimingRequest& request) = 0;

  /// The arrays that it still reads of the kernel that it was loaded from. The caller that loaded
  /// it may give back the rest (give_up_entries).
  virtual StillRead still_reads() const { return StillRead::all; }

  /// `count` more samples, in us, as the last time() took them, after a run that is not counted: so
  /// several kernels can be measured in turn. Those that something disturbed are left out. Only
  /// where times are measured.
  virtual Result<std::vector<double>> sample(int count);
};

/// Frees those contents of a kernel's arrays that are not needed once it is loaded, neither by the
/// loaded kernel nor to verify or time it.
void give_up_entries(Kernel& kernel, const LoadedKernel& loaded);

/// Why a kernel that was written for the other target is not loaded, or nothing. Not for a
/// vendor's.
std::optional<Failure> written_for_another(const Kernel& kernel, Target target);

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;

  /// Compiles and uploads. `kernel` must outlive the result, and its arrays' entries too as far as
  /// still_reads() says.
  virtual Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) = 0;

  /// Until told otherwise, work that is not done by the deadline ends as Status::timeout. A device
  /// with kernels of no noticeable time need not listen.
  virtual void set_deadline(const Deadline&) {}
};

/// Opens "auto", "cuda", "cuda:N", "cpu", "cpu:N", "emulated" or "emulated:GPU". Throws Error (exit
/// 4) where it is missing, or (exit 2) where the name means nothing. "auto" is the first CUDA GPU
/// that works, else "cpu", else emulated:h200.
std::unique_ptr<Device> open_device(const std::string& name);

/// The devices of a text as --device takes it where work is shared out: one name, several between
/// commas, or "all", which is every CUDA GPU here. A GPU stands in it once and a CPU alone: they
/// would measure each other. Throws Error (exit 2) where that is not so, (exit 4) where "all" are
/// none. Nothing is opened here.
std::vector<std::string> device_names(const std::string& text);

/// The target of the device of that name's kernels. Nothing is opened; for "auto" the driver is
/// asked for its GPUs.
Target target_of_device(const std::string& name);

/// The language of that device's kernels, where it is a GPU. Nothing is opened.
Dialect dialect_of_device(const std::string& name);

/// One line a device: every name that open_device would take here, and the missing parts of the
/// others.
struct DeviceListing {
  std::string name;
  bool available = false;
  std::string text;  ///< the device, or its missing part
};

std::vector<DeviceListing> list_devices();

}  // namespace alphasparse
