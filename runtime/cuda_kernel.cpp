#include "runtime/cuda_kernel.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "runtime/compile_cached.h"
#include "runtime/cuda_timing.h"

namespace alphasparse {
namespace {

constexpr std::size_t guard_bytes = 256;  // before and after y; keeps y aligned
constexpr std::byte guard{0xa5};
constexpr std::int64_t blocks_max = 2147483647;  // of a grid's first dimension

/// Output { Value* y; Value alpha; Value beta; } as a kernel takes it by value.
using OutputBytes = std::array<std::byte, 24>;

OutputBytes pack_output(Dtype dtype, CudaPointer y, double alpha, double beta) {
  OutputBytes bytes = {};
  std::memcpy(bytes.data(), &y, sizeof y);
  const auto put = [&](std::size_t index, double value) {
    const float narrow = static_cast<float>(value);
    const bool is_f32 = dtype == Dtype::f32;
    const void* const from = is_f32 ? static_cast<const void*>(&narrow) : &value;
    const std::size_t size = is_f32 ? sizeof narrow : sizeof value;
    std::memcpy(bytes.data() + sizeof y + index * size, from, size);
  };
  put(0, alpha);
  put(1, beta);
  return bytes;
}

/// A cubin in the context, unloaded with us.
class Module {
 public:
  explicit Module(CudaSession& session) : session_(session) {}
  ~Module() {
    if (module_ != nullptr) session_.api().unload_module(module_);
  }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  Fault load(const std::vector<std::byte>& cubin) {
    return session_.check(session_.api().load_module(&module_, cubin.data()), "cuModuleLoadData",
                          "loading the compiled kernel");
  }
  Fault find(CudaFunction& function, const std::string& name) {
    return session_.check(session_.api().find_function(&function, module_, name.c_str()),
                          "cuModuleGetFunction", "looking for kernel " + name);
  }

 private:
  CudaSession& session_;
  CudaModule module_ = nullptr;
};

class CudaLoadedKernel : public LoadedKernel {
 public:
  CudaLoadedKernel(std::shared_ptr<CudaSession> session, const Kernel& kernel)
      : session_(std::move(session)), kernel_(kernel), module_(*session_) {}

  ~CudaLoadedKernel() override { session_->api().set_context(session_->context()); }

  /// Everything that load() does once the source is compiled.
  Fault prepare(const CompiledKernel& compiled) {
    facts_ = launched_facts(kernel_, compiled);
    if (Fault fault = module_.load(compiled.cubin)) return fault;
    for (const Launch& launch : kernel_.launches) {
      if (launch.blocks < 1 || launch.blocks > blocks_max) {
        return Failure{Status::launch_error, fmt::format("kernel {} asks for {} blocks, at most {}",
                                                         launch.kernel, launch.blocks, blocks_max)};
      }
      functions_.emplace_back();
      if (Fault fault = module_.find(functions_.back(), launch.kernel)) return fault;
    }
    return allocate();
  }

  Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) override {
    if (Fault fault = session_->enter()) return *fault;
    std::vector<SpmvOutcome> outcomes;
    for (const SpmvCase& one : cases) {
      Result<SpmvOutcome> outcome = run_one(one);
      if (!outcome) {
        return Failure{outcome.failure().status,
                       fmt::format("case {}: {}", one.name, outcome.reason())};
      }
      outcomes.push_back(std::move(*outcome));
    }
    return outcomes;
  }

  Result<Timing> time(const SpmvCase& input, CacheRegime regime) override {
    if (Fault fault = session_->enter()) return *fault;
    SpmvCase plain;
    plain.x = input.x;
    plain.y = input.y;
    if (Fault fault = upload_case(plain)) return *fault;
    const OutputBytes output = pack_output(kernel_.dtype, y_address(), plain.alpha, plain.beta);
    if (Fault fault = queue_launches(output)) return *fault;
    if (Fault fault = session_->wait("the warm-up run")) return *fault;
    Result<Timing> timing = time_work(
        *session_, [&] { return queue_launches(output); }, regime);
    if (!timing) return timing;
    add_facts(facts_, *timing);
    return timing;
  }

 private:
  std::size_t x_bytes() const { return vector_bytes(kernel_.cols); }
  std::size_t y_bytes() const { return vector_bytes(kernel_.rows); }
  std::size_t vector_bytes(std::int32_t length) const {
    return static_cast<std::size_t>(length) * static_cast<std::size_t>(dtype_bytes(kernel_.dtype));
  }
  CudaPointer y_address() const { return guarded_y_.address() + guard_bytes; }

  /// Takes memory for x, y and every array, and copies the arrays.
  Fault allocate() {
    const auto take = [&](CudaBuffer& buffer, std::size_t bytes, const std::string& what) -> Fault {
      Result<CudaBuffer> taken = CudaBuffer::allocate(*session_, bytes, what);
      if (!taken) return taken.failure();
      buffer = std::move(*taken);
      return std::nullopt;
    };
    if (Fault fault = take(x_, x_bytes(), "x")) return fault;
    if (Fault fault = take(guarded_y_, y_bytes() + 2 * guard_bytes, "y")) return fault;
    for (const Array& array : kernel_.arrays) {
      CHECK(array.bytes.size() ==
            static_cast<std::size_t>(array.count * element_bytes(array.type)));
      arrays_.emplace_back();
      if (Fault fault = take(arrays_.back(), array.bytes.size(), "array " + array.name)) {
        return fault;
      }
      format_.push_back(arrays_.back().address());
      const std::string doing = "copying array " + array.name;
      if (Fault fault = session_->upload(format_.back(), array.bytes, doing)) return fault;
    }
    for (const Workspace& scratch : kernel_.workspaces) {
      workspaces_.emplace_back();
      const auto bytes = static_cast<std::size_t>(scratch.bytes());
      if (Fault fault = take(workspaces_.back(), bytes, "workspace " + scratch.name)) return fault;
      format_.insert(format_.begin() + scratch.pointer, workspaces_.back().address());
    }
    if (format_.empty()) format_.push_back(0);  // an empty struct still takes a byte
    return session_->wait("copying the format");
  }

  /// Copies values, x and y of a case; the real values where it brings none and they were replaced.
  Fault upload_case(const SpmvCase& one) {
    CHECK(one.x.size() == x_bytes() && one.y.size() == y_bytes());
    std::size_t value_index = 0;
    for (std::size_t index = 0; index < arrays_.size(); ++index) {
      const Array& array = kernel_.arrays[index];
      if (!array.is_value()) continue;
      const bool replaced = !one.values.empty();
      if (replaced || values_replaced_) {
        const std::vector<std::byte>& values = replaced ? one.values.at(value_index) : array.bytes;
        CHECK(values.size() == array.bytes.size());
        if (Fault fault = session_->upload(arrays_[index].address(), values, "copying values"))
          return fault;
      }
      ++value_index;
    }
    values_replaced_ = !one.values.empty();
    if (Fault fault = session_->upload(x_.address(), one.x, "copying x")) return fault;
    return session_->upload(y_address(), one.y, "copying y");
  }

  /// One case, waited for after each launch so that a fault names its kernel.
  Result<SpmvOutcome> run_one(const SpmvCase& one) {
    if (Fault fault = upload_case(one)) return *fault;
    if (Fault fault = session_->upload(guarded_y_.address(), guard_, "guarding y")) return *fault;
    if (Fault fault = session_->upload(y_address() + y_bytes(), guard_, "guarding y")) {
      return *fault;
    }
    const OutputBytes output = pack_output(kernel_.dtype, y_address(), one.alpha, one.beta);
    for (std::size_t index = 0; index < functions_.size(); ++index) {
      if (Fault fault = queue_launch(index, output)) return *fault;
      if (Fault fault = session_->wait("kernel " + kernel_.launches[index].kernel)) return *fault;
    }
    std::vector<std::byte> guarded(y_bytes() + 2 * guard_bytes);
    if (Fault fault = session_->download(guarded, guarded_y_.address(), "copying y back")) {
      return *fault;
    }
    if (Fault fault = session_->wait("copying y back")) return *fault;
    const std::byte* const y = guarded.data() + guard_bytes;
    if (std::memcmp(guarded.data(), guard_.data(), guard_bytes) != 0 ||
        std::memcmp(y + y_bytes(), guard_.data(), guard_bytes) != 0) {
      return Failure{Status::wrong_result, "y was written outside its rows"};
    }
    return SpmvOutcome{std::vector<std::byte>(y, y + y_bytes())};
  }

  Fault queue_launches(const OutputBytes& output) {
    for (std::size_t index = 0; index < functions_.size(); ++index) {
      if (Fault fault = queue_launch(index, output)) return fault;
    }
    return std::nullopt;
  }

  Fault queue_launch(std::size_t index, OutputBytes output) {
    const Launch& launch = kernel_.launches[index];
    CudaPointer x = x_.address();
    void* parameters[] = {format_.data(), &x, output.data()};
    const int code = session_->api().launch(functions_[index], static_cast<unsigned>(launch.blocks),
                                            1, 1, static_cast<unsigned>(launch.threads), 1, 1, 0,
                                            session_->stream(), parameters, nullptr);
    if (code == cuda_success) return std::nullopt;
    return session_->check(code, "cuLaunchKernel",
                           fmt::format("launching {} with {} blocks of {} threads", launch.kernel,
                                       launch.blocks, launch.threads));
  }

  std::shared_ptr<CudaSession> session_;
  const Kernel& kernel_;
  Module module_;
  KernelFacts facts_;
  std::vector<CudaFunction> functions_;  // one a launch
  std::vector<CudaBuffer> arrays_;       // one an array
  std::vector<CudaBuffer> workspaces_;   // one a workspace
  std::vector<CudaPointer> format_;      // the Format parameter: the addresses of both
  CudaBuffer x_;
  CudaBuffer guarded_y_;
  bool values_replaced_ = false;
  std::vector<std::byte> guard_ = std::vector<std::byte>(guard_bytes, guard);
};

}  // namespace

Result<std::unique_ptr<LoadedKernel>> load_cuda_kernel(std::shared_ptr<CudaSession> session,
                                                       const Kernel& kernel,
                                                       const CompiledKernel& compiled) {
  auto loaded = std::make_unique<CudaLoadedKernel>(std::move(session), kernel);
  if (Fault fault = loaded->prepare(compiled)) return *fault;
  return std::unique_ptr<LoadedKernel>(std::move(loaded));
}

}  // namespace alphasparse
