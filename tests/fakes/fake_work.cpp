// fake_work: modules, streams, captures, graphs, events and launches of the fake of a GPU's
// driver.
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "tests/fakes/fake_driver_state.h"

using namespace alphasparse;

namespace {

constexpr int capture_unsupported = 900;  // the same codes in both drivers
constexpr int capture_invalidated = 901;
constexpr int capture_unmatched = 903;
constexpr int invalid_handle = 400;
constexpr int not_ready = 600;
constexpr unsigned registers_max = 65536;  // of a block
constexpr unsigned grid_max = 2147483647;

/// Those that were created here. Tests give others as numbers, as if a framework had made them.
std::set<GpuStream> own_streams;

bool needs(const FakeWork& work, GpuModule module) {
  return std::any_of(work.begin(), work.end(),
                     [&](const FakeNode& node) { return node.module == module; });
}

/// The answer of the driver to a test's image, as that of CUDA 12 gives it. The image names its
/// target and, where that is newer than 12, the compiler: "image for sm_90 by 13".
int refusal_of(const std::string& image, const FakeDriver& driver) {
  const std::string start = "image for ";
  if (!image.starts_with(start)) return gpu_success;
  if (image.find(" by ") != std::string::npos) return gpu_error_unsupported_ptx_version;
  return driver.runs(image.substr(start.size())) ? gpu_success : gpu_error_no_binary_for_gpu;
}

const FakeKernel& kernel_of(const GpuFunctionHandle& function) {
  return function.kernel ? *function.kernel : fake_gpu()->kernels.at(function.name);
}

}  // namespace

int fake_illegal_in_capture(const std::string& call, GpuStream stream) {
  FakeCapture* const capture = fake_gpu()->recording;
  if (capture == nullptr || capture->stream != stream) return gpu_success;
  capture->is_valid = false;
  fake_broken(call + " in a capture");
  return capture_unsupported;
}

int fake_drain(const FakeCall& call) {
  FakeWork& queue = fake_gpu()->queue;
  while (!queue.empty()) {
    const FakeNode work = std::move(queue.front());
    queue.pop_front();
    work.run();
  }
  return fake_wanted(call);
}

int fake_load_module(FakeCall call, GpuModule* module, const void* image) {
  const bool compiled = FakeModule::is_image(image);
  fake_gpu()->calls.push_back(compiled ? "load a compiled image"
                                       : "load " + std::string(static_cast<const char*>(image)));
  *module = nullptr;
  const int code = fake_wanted(call);
  if (code != 0) return code;
  const int refusal =
      compiled ? gpu_success : refusal_of(static_cast<const char*>(image), call.driver);
  if (refusal != gpu_success) return refusal;
  std::unique_ptr<FakeModule> loaded = compiled ? FakeModule::load(image, call.driver) : nullptr;
  if (compiled && !loaded) return gpu_error_invalid_image;
  if (compiled && !call.driver.runs(loaded->arch())) return gpu_error_no_binary_for_gpu;
  ++fake_gpu()->modules;
  *module = new GpuModuleHandle{std::move(loaded), {}};
  return code;
}

int fake_unload_module(FakeCall call, GpuModule module) {
  const std::string name = call.name;
  fake_needs_device(call);
  if (needs(fake_gpu()->queue, module)) fake_broken(name + " while its kernels are queued");
  const auto& graphs = fake_gpu()->graphs_made;
  if (std::any_of(graphs.begin(), graphs.end(),
                  [&](const GpuGraphExecHandle* graph) { return needs(graph->nodes, module); })) {
    fake_broken(name + " while a graph has its kernels");
  }
  if (module->module) fake_drain(call);
  delete module;
  --fake_gpu()->modules;
  return 0;
}

int fake_find_function(FakeCall call, GpuFunction* function, GpuModule module, const char* name) {
  const FakeKernel* const kernel = module->module ? module->module->find(name) : nullptr;
  if (!kernel && (module->module || fake_gpu()->kernels.count(name) == 0))
    return gpu_error_not_found;
  *function = &module->functions[name];
  **function = {name, kernel, module};
  return fake_wanted(call);
}

int fake_function_attribute(FakeCall call, int* value, int attribute, GpuFunction function) {
  if (attribute != gpu_function_registers) return gpu_error_invalid_value;
  *value = static_cast<int>(kernel_of(*function).registers);
  return fake_wanted(call);
}

int fake_create_stream(FakeCall call, GpuStream* stream, unsigned flags) {
  if (flags > gpu_stream_non_blocking) return gpu_error_invalid_value;
  *stream = new GpuStreamHandle{fake_device(call)};
  own_streams.insert(*stream);
  ++fake_gpu()->streams;
  return fake_wanted(call);
}

int fake_wait_for_stream(FakeCall call, GpuStream stream) {
  const int code = fake_illegal_in_capture(call.name, stream);
  return code != gpu_success ? code : fake_drain(call);
}

int fake_destroy_stream(GpuStream stream) {
  own_streams.erase(stream);
  delete stream;
  --fake_gpu()->streams;
  return 0;
}

int fake_begin_capture(FakeCall call, GpuStream stream, int mode) {
  fake_gpu()->calls.push_back("begin capture");
  if (fake_gpu()->recording != nullptr || stream == nullptr) return capture_unsupported;
  const int code = fake_wanted(call);
  if (code == gpu_success) fake_gpu()->recording = new FakeCapture{{}, stream, mode};
  return code;
}

int fake_end_capture(FakeCall call, GpuStream stream, GpuGraphNodes* graph) {
  *graph = nullptr;
  const std::unique_ptr<FakeCapture> capture(std::exchange(fake_gpu()->recording, nullptr));
  fake_gpu()->calls.push_back("end capture");
  if (!capture || capture->stream != stream) {
    fake_broken(std::string(call.name) + " without a capture");
    return capture_unmatched;
  }
  if (!capture->is_valid) return capture_invalidated;
  const int code = fake_wanted(call);
  if (code != gpu_success) return code;
  *graph = new GpuGraphNodesHandle{std::move(capture->nodes)};
  ++fake_gpu()->graphs;
  return code;
}

int fake_make_graph(FakeCall call, GpuGraphExec* exec, GpuGraphNodes graph) {
  const int code = fake_wanted(call);
  if (code != 0) return code;
  *exec = new GpuGraphExecHandle{graph->nodes};
  fake_gpu()->graphs_made.insert(*exec);
  ++fake_gpu()->graphs;
  return code;
}

int fake_launch_graph(FakeCall call, GpuGraphExec exec) {
  fake_gpu()->calls.push_back("launch graph of " + std::to_string(exec->nodes.size()));
  for (const FakeNode& node : exec->nodes) fake_gpu()->enqueue(node.run, node.module);
  return fake_wanted(call);
}

int fake_destroy_graph(FakeCall call, GpuGraphExec exec) {
  fake_needs_device(call);
  fake_gpu()->graphs_made.erase(exec);
  delete exec;
  --fake_gpu()->graphs;
  return 0;
}

int fake_destroy_graph_nodes(GpuGraphNodes graph) {
  delete graph;
  --fake_gpu()->graphs;
  return 0;
}

int fake_create_event(FakeCall call, GpuEvent* event) {
  *event = new GpuEventHandle;
  ++fake_gpu()->events;
  return fake_wanted(call);
}

int fake_record_event(FakeCall call, GpuEvent event) {
  fake_gpu()->calls.push_back("record");
  *event = {true, -1};
  fake_gpu()->enqueue([=] { event->clock_us = fake_gpu()->clock_us; });
  return fake_wanted(call);
}

int fake_wait_for_event(FakeCall call) {
  const FakeCapture* const capture = fake_gpu()->recording;
  return capture != nullptr ? fake_illegal_in_capture(call.name, capture->stream)
                            : fake_drain(call);
}

int fake_elapsed_ms(FakeCall call, float* ms, GpuEvent first, GpuEvent last) {
  if (!first->was_recorded || !last->was_recorded) return invalid_handle;
  if (first->clock_us < 0 || last->clock_us < 0) return not_ready;
  *ms = static_cast<float>((last->clock_us - first->clock_us) / 1e3);
  return fake_wanted(call);
}

int fake_destroy_event(FakeCall call, GpuEvent event) {
  fake_needs_device(call);
  delete event;
  --fake_gpu()->events;
  return 0;
}

int fake_launch(FakeCall call, GpuFunction function, const FakeShape& shape, GpuStream stream,
                void** parameters, void** extra) {
  const unsigned blocks = shape.grid[0], threads = shape.block[0];
  if (blocks == 0 || blocks > grid_max || shape.grid[1] != 1 || shape.grid[2] != 1 ||
      threads == 0 || threads > 1024 || shape.block[1] != 1 || shape.block[2] != 1 ||
      shape.shared_bytes != 0 || extra != nullptr) {
    return gpu_error_invalid_value;
  }
  fake_gpu()->calls.push_back(function->name + " " + std::to_string(blocks) + "x" +
                              std::to_string(threads));
  const int code = fake_wanted(call);
  if (code != 0) return code;
  if (own_streams.count(stream) > 0 && stream->device != fake_device(call)) return invalid_handle;
  const FakeKernel& kernel = kernel_of(*function);
  if (threads > kernel.threads_max) return call.driver.beyond_bounds;
  const unsigned registers = (kernel.registers + 7) / 8 * 8;  // as they are given out
  if (threads * registers > registers_max) return gpu_error_launch_out_of_resources;
  if (fake_gpu()->recording != nullptr && !function->was_launched) {
    fake_broken("first launch of " + function->name + " in a capture");
  }
  function->was_launched = true;
  std::vector<std::vector<std::byte>> copies;
  for (std::size_t index = 0; index < kernel.parameter_bytes.size(); ++index) {
    const auto* const first = static_cast<const std::byte*>(parameters[index]);
    copies.emplace_back(first, first + kernel.parameter_bytes[index]);
  }
  const auto run = [&kernel, blocks, threads, copies = std::move(copies)] {
    if (kernel.execute) kernel.execute(blocks, threads, copies);
    fake_gpu()->clock_us += kernel.time_us ? kernel.time_us() : 1;
  };
  fake_gpu()->enqueue(run, function->module);
  return code;
}
