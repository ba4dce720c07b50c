// gpu: kernels of NAME.kernel.cu on a GPU of NVIDIA, or of NAME.kernel.hip on one of AMD, by its
// driver and its runtime compiler, all by dlopen. The program's own code chooses the compiler.
//
// Everything lies in the device's primary context, which is also that of the runtime, CuPy and
// PyTorch; the context that was current before a call is current again after it.
#include <pybind11/complex.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "base/target.h"
#include "native.h"
#include "runtime/compilers/hiprtc.h"
#include "runtime/compilers/kernel_cache.h"
#include "runtime/compilers/nvrtc_choice.h"
#include "runtime/cuda/driver.h"
#include "runtime/formats/stored_format.h"
#include "runtime/hip/driver.h"

namespace py = pybind11;

namespace alphasparse {
namespace {

GpuDriver open_driver(const std::string& kind) {
  Result<GpuDriver> driver =
      kind == hip_driver_kind.device ? open_hip_driver() : open_cuda_driver();
  if (!driver) raise("MissingDeviceError", driver.reason());
  return std::move(*driver);
}

/// A GPU and its primary context.
class Gpu {
 public:
  Gpu(const std::string& kind, int ordinal)
      : driver(open_driver(kind)), name_(driver.device_name(ordinal)) {
    call(api().device, &device_, ordinal);
    call(api().retain_context, &context, device_);
  }
  Gpu(const Gpu&) = delete;
  ~Gpu() { api().release_context(device_); }

  const GpuApi& api() const { return driver.api(); }

  /// Throws the exception of a code that is no success.
  void check(int code, const char* call) const {
    if (code == gpu_success) return;
    const Failure failure = driver.failure(code, call, name_);
    raise(failure.status == Status::out_of_memory ? "HostError" : "MissingDeviceError",
          failure.reason);
  }

  /// Calls a function of the driver, and throws likewise.
  template <class... Parameters>
  void call(const GpuCall<Parameters...>& function,
            std::type_identity_t<Parameters>... parameters) const {
    check(function(parameters...), function.name);
  }

  /// "sm_90", "gfx90a:sramecc+:xnack-"
  std::string arch() const {
    std::string arch;
    call(api().arch, &arch, device_);
    return arch;
  }

  const GpuDriver driver;
  GpuContext context = nullptr;

 private:
  std::string name_;
  int device_ = 0;
};

/// The GPU's context is current as long as this lives.
class OnGpu {
 public:
  explicit OnGpu(const Gpu& gpu) : gpu_(gpu), status_(gpu.api().push_context(gpu.context)) {}
  OnGpu(OnGpu&& other) noexcept : gpu_(other.gpu_), status_(std::exchange(other.status_, -1)) {}
  ~OnGpu() {
    GpuContext ours = nullptr;
    if (status_ == gpu_success) gpu_.api().pop_context(&ours);
  }
  int status() const { return status_; }

 private:
  const Gpu& gpu_;
  int status_;
};

/// Memory of a GPU; freed with its last reference.
class Memory {
 public:
  explicit Memory(const Gpu& gpu) : gpu_(&gpu) {}
  Memory(Memory&& other) noexcept : gpu_(other.gpu_), address_(std::exchange(other.address_, 0)) {}
  ~Memory() {
    if (address_) gpu_->api().free(address_);
  }

  int take(std::size_t bytes) { return gpu_->api().allocate(&address_, bytes == 0 ? 1 : bytes); }
  GpuPointer address() const { return address_; }

 private:
  const Gpu* gpu_;
  GpuPointer address_ = 0;
};

/// GpuColumns on a GPU: element (i, j) lies i * row_step + j * step bytes behind the address.
struct GpuColumns {
  GpuPointer address;
  std::size_t count, row_step, step;
};

/// Behind the kernels whose vectors have an order of their own: a copy of a vector to that order or
/// from it, where one of its sides has `indices`.
constexpr const char* move_text = R"(
extern "C" __global__ void move_vector(const char* from, long long from_step, const int* from_indices,
                                       char* to, long long to_step, const int* to_indices, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    *(Value*)(to + (to_indices ? to_indices[i] : i) * to_step) =
        *(const Value*)(from + (from_indices ? from_indices[i] : i) * from_step);
}
)";

/// The code of a source for a GPU by a compiler, and from the program's cache.
template <class Compiler>
Result<std::string> compile_code(const Compiler& compiler, const std::string& key,
                                 const std::string& source, const std::string& target) {
  const auto cache = open_cache();
  const auto make = [&] { return compiler.compile(source, target); };
  try {
    const Result<CompiledKernel> made =
        cache ? cache->find_or(cache_key({strip(source), target, compiler.options(target), key}),
                               make)
              : make();
    if (!made) return made.failure();
    return std::string(reinterpret_cast<const char*>(made->cubin.data()), made->cubin.size());
  } catch (const Error& failure) {  // another compiler may work
    return Failure{Status::compile_error, failure.what()};
  }
}

/// The same by the NVRTC that the program takes too.
Result<std::string> code_by_nvrtc(const Gpu& gpu, const std::string& arch,
                                  const std::string& source) {
  std::string image;
  const Result<std::string> chosen =
      choose_nvrtc(gpu.driver.major(), gpu.driver.version(), arch, [&](const Nvrtc& compiler) {
        Result<std::string> code =
            compile_code(compiler, compiler.version(), source, compiler.find_target(arch));
        if (code) image = std::move(*code);
        return code ? std::string() : code.reason();
      });
  if (!chosen) return chosen.failure();
  return image;
}

Result<std::string> code_by_hiprtc(const std::string& arch, const std::string& source) {
  const Result<Hiprtc>& compiler = hiprtc();
  if (!compiler) return compiler.failure();
  return compile_code(*compiler, "hiprtc " + compiler->version(), source, arch);
}

std::string compiled(const Gpu& gpu, const std::string& source) {
  const std::string arch = gpu.arch();
  Result<std::string> code = [&] {
    const py::gil_scoped_release released;
    return find_dialect(arch) == Dialect::hip ? code_by_hiprtc(arch, source)
                                              : code_by_nvrtc(gpu, arch, source);
  }();
  if (!code) raise("CompileError", code.reason());
  return std::move(*code);
}

/// A format on a GPU and the kernels that read it.
class GpuKernel {
 public:
  /// `format` is the file's, which has to be the one that the text of the kernel states. It lives
  /// as long as the kernel. Each stream has workspaces of its own.
  GpuKernel(const std::string& kind, int ordinal, py::object format, std::string text,
            const std::string& source)
      : format_object_(std::move(format)), format_(format_object_.cast<const StoredFormat&>()) {
    read_file(format_.path(), [&] { format_.check_kernel(text, source); });
    gpu_ = std::make_unique<Gpu>(kind, ordinal);
    find_indices();
    if (!order_.empty()) text += move_text;
    const std::string image = compiled(*gpu_, text);
    const OnGpu on = entered();
    gpu_->call(api().load_module, &module_, image.data());
    try {
      for (const Launch& launch : format_.launches())
        check(api().find_function(&functions_.emplace_back(), module_, launch.kernel.c_str()),
              (api().find_function.name + (" " + launch.kernel)).c_str());
      if (!order_.empty()) gpu_->call(api().find_function, &move_, module_, "move_vector");
      for (std::size_t i = 0; i < indices_.size(); ++i) {
        const auto& bytes = format_.header().find(format_.arrays()[i].name)->bytes;
        Memory& memory = arrays_.emplace_back(*gpu_);
        check(memory.take(bytes.size()), api().allocate.name);
        pointers_[indices_[i]] = memory.address();
        upload(memory.address(), bytes);
      }
    } catch (...) {
      arrays_.clear();
      api().unload_module(module_);
      throw;
    }
  }
  GpuKernel(const GpuKernel&) = delete;
  ~GpuKernel() {
    const OnGpu on(*gpu_);
    // Freeing memory waits for the products that are queued; their code goes after it. No kernel is
    // without arrays.
    for (auto* const memory : {&gathered_, &workspaces_}) memory->clear();
    for (auto* const memory : {&zeros_, &arrays_}) memory->clear();
    api().unload_module(module_);
  }

  /// Queues one product on a stream, of as many columns as the kernel takes or less. Those that it
  /// does not take as they lie are gathered in memory of that stream, and so are vectors of the
  /// caller's order, which have not the kernel's `own`, where it has one.
  void run(GpuPointer x, std::size_t x_count, std::size_t x_row_step, std::size_t x_step,
           GpuPointer y, std::size_t y_count, std::size_t y_row_step, std::size_t y_step,
           std::complex<double> alpha_given, std::complex<double> beta_given, std::uintptr_t stream,
           bool own) {
    const Number alpha(alpha_given.real(), alpha_given.imag()),
        beta(beta_given.real(), beta_given.imag());
    const char* call = api().push_context.name;
    int status = 0;
    {
      const py::gil_scoped_release released;
      const std::lock_guard guard(mutex_);
      const OnGpu on(*gpu_);
      status = on.status();
      if (status == gpu_success) {
        call = api().allocate.name;
        status = add_workspaces(stream);
      }
      if (status == gpu_success) {
        call = "the product";
        status = multiply({x, x_count, x_row_step, x_step}, {y, y_count, y_row_step, y_step}, alpha,
                          beta, stream, own);
      }
    }
    check(status, call);
  }

  /// Queues a copy of a vector to the own order, or from there: of x, or of y where `is_y`.
  void move(GpuPointer from, std::size_t from_step, GpuPointer to, std::size_t to_step, bool is_y,
            std::uintptr_t stream) {
    const OnGpu on = entered();
    const Way way = is_y ? Way::from_own : Way::to_own;
    check(copy({to, 1, to_step, 0}, {from, 1, from_step, 0}, is_y, way, stream), "the copy");
  }

  /// Takes the memory that products on a stream work in.
  void prepare(std::uintptr_t stream) {
    const std::lock_guard guard(mutex_);
    const OnGpu on = entered();
    check(add_workspaces(stream), api().allocate.name);
    for (std::size_t index = 0; index < order_.size(); ++index)
      check(take_gathered(index, stream), api().allocate.name);
  }

  /// Where so many bytes of zeros lie, at least: the x of a product that reads none.
  GpuPointer zeros(std::size_t bytes) {
    const std::lock_guard guard(mutex_);
    if (bytes <= zero_bytes_) return zeros_.front().address();
    const OnGpu on = entered();
    Memory memory(*gpu_);
    check(memory.take(bytes), api().allocate.name);
    upload(memory.address(), std::vector<unsigned char>(bytes, 0));
    zeros_.clear();
    zeros_.push_back(std::move(memory));
    zero_bytes_ = bytes;
    return zeros_.front().address();
  }

  /// Other values, [nnz] of the kernel's type; returns when they are there. Throws ValuesError
  /// where the format cannot hold them.
  void update(const py::array& values) {
    const OnGpu on = entered();
    read_file(format_.path(), [&] {
      format_.replace_values(values.data(), [&](std::size_t i, const auto& bytes) {
        upload(pointers_[indices_[i]], bytes);
      });
    });
  }

 private:
  const GpuApi& api() const { return gpu_->api(); }
  void check(int code, const char* call) const { gpu_->check(code, call); }
  OnGpu entered() const {
    OnGpu on(*gpu_);
    check(on.status(), api().push_context.name);
    return on;
  }

  /// Where the pointers of arrays and workspaces stand among the kernels' first parameters.
  void find_indices() {
    pointers_.resize(format_.arrays().size() + format_.workspaces().size());
    std::set<std::size_t> taken;
    for (const Workspace& scratch : format_.workspaces())
      taken.insert(static_cast<std::size_t>(scratch.pointer));
    for (std::size_t index = 0; index < pointers_.size(); ++index)
      if (taken.count(index) == 0) indices_.push_back(index);
    for (const std::string name : {own_columns_array, own_rows_array})
      for (std::size_t i = 0; i < indices_.size(); ++i)
        if (format_.arrays()[i].name == name) order_.push_back(indices_[i]);
    if (order_.size() == 1) order_.push_back(order_[0]);
  }

  void upload(GpuPointer to, const std::vector<unsigned char>& bytes) {
    if (bytes.empty()) return;
    gpu_->call(api().copy_to_device, to, bytes.data(), bytes.size(), nullptr);
    gpu_->call(api().wait_for_stream, nullptr);
  }

  int add_workspaces(std::uintptr_t stream) {
    if (workspaces_.count(stream)) return gpu_success;
    std::vector<Memory> own;
    for (const Workspace& scratch : format_.workspaces()) {
      const int status = own.emplace_back(*gpu_).take(static_cast<std::size_t>(scratch.bytes()));
      if (status != gpu_success) return status;
    }
    workspaces_.emplace(stream, std::move(own));
    return gpu_success;
  }

  /// How a vector is copied: from order to order, or as it is.
  enum class Way { to_own, from_own, plain };

  /// The products of columns that do not fit, or of another order, go by way of others.
  int multiply(GpuColumns x, GpuColumns y, Number alpha, Number beta, std::uintptr_t stream,
               bool own) {
    const GpuColumns user_y = y;
    const bool is_moved = !own && !order_.empty();
    const Way there = is_moved ? Way::to_own : Way::plain;
    int status = gpu_success;
    if (is_moved || !fits(x)) status = gather(x, false, true, there, stream);
    if (status == gpu_success && (is_moved || !fits(y)))
      status = gather(y, true, beta != Number(), there, stream);
    if (status == gpu_success) status = launch_all(x, y, alpha, beta, stream);
    if (status == gpu_success && y.address != user_y.address)
      status = copy(user_y, y, true, is_moved ? Way::from_own : Way::plain, stream);
    return status;
  }

  std::size_t element_bytes() const {
    return static_cast<std::size_t>(number_type(format_.dtype()).bytes);
  }
  int length(bool is_y) const {
    return static_cast<int>(is_y ? format_.facts().rows : format_.facts().cols);
  }
  std::size_t row_bytes() const { return format_.vectors() * element_bytes(); }

  /// Whether the kernel takes columns as they lie. Its widest load has 16 bytes.
  bool fits(const GpuColumns& columns) const {
    if (format_.vectors() == 1) return columns.row_step == element_bytes();
    const std::size_t alignment = std::min<std::size_t>(row_bytes(), 16);
    return columns.count == format_.vectors() && columns.step == element_bytes() &&
           columns.row_step >= row_bytes() && (columns.address | columns.row_step) % alignment == 0;
  }

  /// Turns columns into others that the kernel takes, in the stream's own memory, X at place 0 and
  /// Y at 1; with their elements where `filled` is set.
  int gather(GpuColumns& columns, bool is_y, bool filled, Way way, std::uintptr_t stream) {
    int status = take_gathered(is_y, stream);
    if (status != gpu_success) return status;
    const GpuColumns whole{gathered_[stream][is_y].address(), columns.count, row_bytes(),
                           element_bytes()};
    if (filled) status = copy(whole, columns, is_y, way, stream);
    columns = whole;
    return status;
  }

  int take_gathered(std::size_t index, std::uintptr_t stream) {
    std::vector<Memory>& own = gathered_[stream];
    while (own.size() < 2) own.emplace_back(*gpu_);
    if (own[index].address() != 0) return gpu_success;
    return own[index].take(static_cast<std::size_t>(length(index == 1)) * row_bytes());
  }

  int copy(GpuColumns to, GpuColumns from, bool is_y, Way way, std::uintptr_t stream) {
    int count = length(is_y);
    if (way != Way::plain && !order_.empty()) {
      GpuPointer indices = pointers_[order_[is_y]], none = 0;
      const bool there = way == Way::to_own;
      void* parameters[] = {&from.address, &from.row_step, there ? &indices : &none,
                            &to.address,   &to.row_step,   there ? &none : &indices,
                            &count};
      return api().launch(move_, static_cast<unsigned>(count + 255) / 256, 1, 1, 256, 1, 1, 0,
                          reinterpret_cast<GpuStream>(stream), parameters, nullptr);
    }
    // GpuColumns that lie side by side on either side are one rectangle.
    const bool is_one = from.step == element_bytes() && to.step == element_bytes();
    GpuRectangle rectangle;
    rectangle.from_pitch = from.row_step;
    rectangle.to_pitch = to.row_step;
    rectangle.width_bytes = (is_one ? from.count : 1) * element_bytes();
    rectangle.height = static_cast<std::size_t>(count);
    int status = gpu_success;
    for (std::size_t i = 0; i < (is_one ? 1 : from.count) && status == gpu_success; ++i) {
      rectangle.from = from.address + i * from.step;
      rectangle.to = to.address + i * to.step;
      status = api().copy_rectangle(rectangle, reinterpret_cast<GpuStream>(stream));
    }
    return status;
  }

  int launch_all(GpuColumns x, GpuColumns y, Number alpha, Number beta, std::uintptr_t stream) {
    std::vector<GpuPointer> pointers = pointers_;
    const std::vector<Memory>& scratch = workspaces_.at(stream);
    for (std::size_t i = 0; i < scratch.size(); ++i)
      pointers[static_cast<std::size_t>(format_.workspaces()[i].pointer)] = scratch[i].address();
    NumberBytes factors[] = {number_bytes(format_.dtype(), alpha),
                             number_bytes(format_.dtype(), beta)};
    std::vector<void*> parameters;
    for (GpuPointer& pointer : pointers) parameters.push_back(&pointer);
    long long distances[] = {static_cast<long long>(x.row_step / element_bytes()),
                             static_cast<long long>(y.row_step / element_bytes())};
    const GpuPointer first[] = {x.address, y.address};
    const bool has_rows = format_.vectors() > 1;
    for (GpuColumns* const columns : {&x, &y}) {
      parameters.push_back(&columns->address);
      if (has_rows) parameters.push_back(distances + (columns == &y));
    }
    parameters.insert(parameters.end(), {factors[0].data(), factors[1].data()});
    int status = gpu_success;
    for (std::size_t i = 0; i < functions_.size() && status == gpu_success; ++i) {
      const Launch& launch = format_.launches()[i];
      const auto columns_before = static_cast<std::size_t>(launch.first_column) * element_bytes();
      x.address = first[0] + columns_before;
      y.address = first[1] + columns_before;
      status = api().launch(functions_[i], static_cast<unsigned>(launch.blocks), 1, 1,
                            static_cast<unsigned>(launch.threads), 1, 1, 0,
                            reinterpret_cast<GpuStream>(stream), parameters.data(), nullptr);
    }
    return status;
  }

  const py::object format_object_;
  const StoredFormat& format_;
  std::unique_ptr<Gpu> gpu_;
  std::vector<std::size_t> indices_;  // of the arrays' pointers
  std::vector<std::size_t> order_;  // of those of columns and rows, where x and y have an own order
  GpuModule module_ = nullptr;
  std::vector<GpuFunction> functions_;  // of each launch
  GpuFunction move_ = nullptr;          // of vectors, where they have an own order
  std::vector<GpuPointer> pointers_;    // 0 for a workspace
  std::vector<Memory> arrays_;
  std::vector<Memory> zeros_;  // one, or none
  std::size_t zero_bytes_ = 0;
  std::mutex mutex_;
  std::map<std::uintptr_t, std::vector<Memory>> workspaces_;  // of each stream
  std::map<std::uintptr_t, std::vector<Memory>> gathered_;    // X and Y that did not fit, likewise
};

}  // namespace

void define_gpu(py::module_& module) {
  py::class_<GpuKernel>(module, "GpuKernel")
      .def(py::init<const std::string&, int, py::object, std::string, const std::string&>())
      .def("move", &GpuKernel::move)
      .def("prepare", &GpuKernel::prepare)
      .def("run", &GpuKernel::run)
      .def("zeros", &GpuKernel::zeros)
      .def("update", &GpuKernel::update);
  module.def("nvrtc_paths", Nvrtc::paths);
}

}  // namespace alphasparse
