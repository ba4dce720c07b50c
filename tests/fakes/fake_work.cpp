// fake_work: modules, streams, captures, graphs, events and launches of the fake of the driver.
#include <algorithm>
#include <utility>
#include <vector>

#include "tests/fakes/fake_driver_state.h"

using namespace alphasparse;

namespace {

constexpr int capture_unsupported = 900;  // CUDA_ERROR_STREAM_CAPTURE_*
constexpr int capture_invalidated = 901;
constexpr int capture_unmatched = 903;
constexpr int not_ready = 600;
constexpr unsigned registers_max = 65536;  // of a block
constexpr unsigned grid_max = 2147483647;

bool needs(const FakeWork& work, GpuModule module) {
  return std::any_of(work.begin(), work.end(),
                     [&](const FakeNode& node) { return node.module == module; });
}

/// The answer of the driver of a GPU of that architecture and CUDA 12 to a test's image. The image
/// names its target and, where that is newer than 12, the compiler: "image for sm_90 by 13".
int refusal_of(const std::string& image) {
  const std::string start = "image for ";
  if (!image.starts_with(start)) return gpu_success;
  if (image.find(" by ") != std::string::npos) return gpu_error_unsupported_ptx_version;
  return fake_runs(image.substr(start.size())) ? gpu_success : gpu_error_no_binary_for_gpu;
}

}  // namespace

int fake_illegal_in_capture(const char* call, GpuStream stream) {
  FakeCapture* const capture = fake_cuda()->recording;
  if (capture == nullptr || capture->stream != stream) return gpu_success;
  capture->is_valid = false;
  fake_broken(std::string(call) + " in a capture");
  return capture_unsupported;
}

int fake_drain(const char* call) {
  FakeWork& queue = fake_cuda()->queue;
  while (!queue.empty()) {
    const FakeNode work = std::move(queue.front());
    queue.pop_front();
    work.run();
  }
  return fake_wanted(call);
}

extern "C" {

int cuModuleLoadData(GpuModule* module, const void* image) {
  const bool compiled = FakeModule::is_image(image);
  fake_cuda()->calls.push_back(compiled ? "load a compiled image"
                                        : "load " + std::string(static_cast<const char*>(image)));
  *module = nullptr;
  const int code = fake_wanted("cuModuleLoadData");
  if (code != 0) return code;
  const int refusal = compiled ? gpu_success : refusal_of(static_cast<const char*>(image));
  if (refusal != gpu_success) return refusal;
  std::unique_ptr<FakeModule> loaded = compiled ? FakeModule::load(image) : nullptr;
  if (compiled && !loaded) return gpu_error_invalid_image;
  if (compiled && !fake_runs(loaded->arch())) return gpu_error_no_binary_for_gpu;
  ++fake_cuda()->modules;
  *module = new GpuModuleHandle{std::move(loaded), {}};
  return code;
}
int cuModuleUnload(GpuModule module) {
  fake_needs_context("cuModuleUnload");
  if (needs(fake_cuda()->queue, module)) fake_broken("cuModuleUnload while its kernels are queued");
  const auto& graphs = fake_cuda()->graphs_made;
  if (std::any_of(graphs.begin(), graphs.end(),
                  [&](const GpuGraphExecHandle* graph) { return needs(graph->nodes, module); })) {
    fake_broken("cuModuleUnload while a graph has its kernels");
  }
  if (module->module) fake_drain("cuModuleUnload");
  delete module;
  --fake_cuda()->modules;
  return 0;
}
int cuModuleGetFunction(GpuFunction* function, GpuModule module, const char* name) {
  const FakeKernel* const kernel = module->module ? module->module->find(name) : nullptr;
  if (!kernel && (module->module || fake_cuda()->kernels.count(name) == 0))
    return gpu_error_not_found;
  *function = &module->functions[name];
  **function = {name, kernel, module};
  return fake_wanted("cuModuleGetFunction");
}
int cuStreamCreate(GpuStream* stream, unsigned) {
  *stream = new GpuStreamHandle;
  ++fake_cuda()->streams;
  return fake_wanted("cuStreamCreate");
}
int cuStreamSynchronize(GpuStream stream) {
  const int code = fake_illegal_in_capture("cuStreamSynchronize", stream);
  return code != gpu_success ? code : fake_drain("cuStreamSynchronize");
}
int cuStreamDestroy_v2(GpuStream stream) {
  delete stream;
  --fake_cuda()->streams;
  return 0;
}
int cuStreamBeginCapture_v2(GpuStream stream, int mode) {
  fake_cuda()->calls.push_back("begin capture");
  if (fake_cuda()->recording != nullptr || stream == nullptr) return capture_unsupported;
  const int code = fake_wanted("cuStreamBeginCapture");
  if (code == gpu_success) fake_cuda()->recording = new FakeCapture{{}, stream, mode};
  return code;
}
int cuStreamEndCapture(GpuStream stream, GpuGraphNodes* graph) {
  *graph = nullptr;
  const std::unique_ptr<FakeCapture> capture(std::exchange(fake_cuda()->recording, nullptr));
  fake_cuda()->calls.push_back("end capture");
  if (!capture || capture->stream != stream) {
    fake_broken("cuStreamEndCapture without a capture");
    return capture_unmatched;
  }
  if (!capture->is_valid) return capture_invalidated;
  const int code = fake_wanted("cuStreamEndCapture");
  if (code != gpu_success) return code;
  *graph = new GpuGraphNodesHandle{std::move(capture->nodes)};
  ++fake_cuda()->graphs;
  return code;
}
int cuGraphInstantiateWithFlags(GpuGraphExec* exec, GpuGraphNodes graph, unsigned long long) {
  const int code = fake_wanted("cuGraphInstantiate");
  if (code != 0) return code;
  *exec = new GpuGraphExecHandle{graph->nodes};
  fake_cuda()->graphs_made.insert(*exec);
  ++fake_cuda()->graphs;
  return code;
}
int cuGraphLaunch(GpuGraphExec exec, GpuStream) {
  fake_cuda()->calls.push_back("launch graph of " + std::to_string(exec->nodes.size()));
  for (const FakeNode& node : exec->nodes) fake_cuda()->enqueue(node.run, node.module);
  return fake_wanted("cuGraphLaunch");
}
int cuGraphExecDestroy(GpuGraphExec exec) {
  fake_needs_context("cuGraphExecDestroy");
  fake_cuda()->graphs_made.erase(exec);
  delete exec;
  --fake_cuda()->graphs;
  return 0;
}
int cuGraphDestroy(GpuGraphNodes graph) {
  delete graph;
  --fake_cuda()->graphs;
  return 0;
}
int cuEventCreate(GpuEvent* event, unsigned) {
  *event = new GpuEventHandle;
  ++fake_cuda()->events;
  return fake_wanted("cuEventCreate");
}
int cuEventRecord(GpuEvent event, GpuStream) {
  fake_cuda()->calls.push_back("record");
  event->clock_us = -1;
  fake_cuda()->enqueue([=] { event->clock_us = fake_cuda()->clock_us; });
  return fake_wanted("cuEventRecord");
}
int cuEventSynchronize(GpuEvent) {
  const FakeCapture* const capture = fake_cuda()->recording;
  if (capture != nullptr) return fake_illegal_in_capture("cuEventSynchronize", capture->stream);
  return fake_drain("cuEventSynchronize");
}
int cuEventElapsedTime(float* ms, GpuEvent first, GpuEvent last) {
  if (first->clock_us < 0 || last->clock_us < 0) return not_ready;
  *ms = static_cast<float>((last->clock_us - first->clock_us) / 1e3);
  return fake_wanted("cuEventElapsedTime");
}
int cuEventDestroy_v2(GpuEvent event) {
  fake_needs_context("cuEventDestroy");
  delete event;
  --fake_cuda()->events;
  return 0;
}
int cuLaunchKernel(GpuFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   GpuStream, void** parameters, void** extra) {
  if (grid_x == 0 || grid_x > grid_max || grid_y != 1 || grid_z != 1 || block_x == 0 ||
      block_x > 1024 || block_y != 1 || block_z != 1 || shared_bytes != 0 || extra != nullptr) {
    return gpu_error_invalid_value;
  }
  fake_cuda()->calls.push_back(function->name + " " + std::to_string(grid_x) + "x" +
                               std::to_string(block_x));
  const int code = fake_wanted("cuLaunchKernel");
  if (code != 0) return code;
  const FakeKernel& kernel =
      function->kernel ? *function->kernel : fake_cuda()->kernels.at(function->name);
  if (block_x > kernel.threads_max) return gpu_error_invalid_value;
  const unsigned registers = (kernel.registers + 7) / 8 * 8;  // as they are given out
  if (block_x * registers > registers_max) return gpu_error_launch_out_of_resources;
  if (fake_cuda()->recording != nullptr && !function->was_launched) {
    fake_broken("first launch of " + function->name + " in a capture");
  }
  function->was_launched = true;
  std::vector<std::vector<std::byte>> copies;
  for (std::size_t index = 0; index < kernel.parameter_bytes.size(); ++index) {
    const auto* const first = static_cast<const std::byte*>(parameters[index]);
    copies.emplace_back(first, first + kernel.parameter_bytes[index]);
  }
  const auto run = [&kernel, grid_x, block_x, copies = std::move(copies)] {
    if (kernel.execute) kernel.execute(grid_x, block_x, copies);
    fake_cuda()->clock_us += kernel.time_us ? kernel.time_us() : 1;
  };
  fake_cuda()->enqueue(run, function->module);
  return code;
}
}
