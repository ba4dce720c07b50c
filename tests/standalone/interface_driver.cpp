// interface_driver: calls the C interface as a user's program does, behind the text of NAME.cu.
//
// Usage: interface_driver FILE WORKSPACE_BYTES, the format of the matrix (1 0 2; 0 0 3) in f32 and
// the workspace of an SpMV. Exits with 1 and the line where a promise is broken.
#include <cmath>

namespace {

int allocations = 0;

#define EXPECT(condition) \
  if (!(condition)) return std::printf("line %d: %s\n", __LINE__, #condition), 1

}  // namespace

void* operator new(std::size_t bytes) {
  ++allocations;
  return std::malloc(bytes);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main(int, char** arguments) {
  alphasparse_handle* handle = nullptr;
  EXPECT(a_load("/missing", &handle) == alphasparse_bad_file);
  EXPECT(std::string(a_message()) == "/missing: No such file or directory");
  EXPECT(handle == nullptr);
  char nowhere = 0;
  handle = reinterpret_cast<alphasparse_handle*>(&nowhere);
  EXPECT(a_load(nullptr, &handle) == alphasparse_bad_argument);
  EXPECT(handle == nullptr);
  EXPECT(a_load(arguments[1], nullptr) == alphasparse_bad_argument);
  EXPECT(a_load(arguments[1], &handle) == alphasparse_ok);

  const Value x[3] = {1, 10, 100};
  Value y[2] = {NAN, NAN};
  int before = allocations;
  EXPECT(a_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(y[0] == 201 && y[1] == 300);
  EXPECT(a_spmv(handle, x, y, 2, -1, nullptr) == alphasparse_ok);
  EXPECT(y[0] == 201 && y[1] == 300);
  const Value not_finite[3] = {INFINITY, NAN, -INFINITY};
  EXPECT(a_spmv(handle, not_finite, y, 0, 2, nullptr) == alphasparse_ok);
  EXPECT(y[0] == 402 && y[1] == 600);
  y[1] = NAN;
  EXPECT(a_spmv(handle, not_finite, y, 0, 0, nullptr) == alphasparse_ok);
  EXPECT(y[0] == 0 && y[1] == 0);
  EXPECT(a_spmv(handle, nullptr, y, 1, 0, nullptr) == alphasparse_bad_argument);
  EXPECT(a_spmv(nullptr, x, y, 1, 0, nullptr) == alphasparse_bad_argument);
  EXPECT(allocations == before);

  const Value values[3] = {5, 6, 7};
  EXPECT(a_update_values(handle, nullptr) == alphasparse_bad_argument);
  EXPECT(a_update_values(handle, values) == alphasparse_ok);
  EXPECT(a_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(y[0] == 605 && y[1] == 700);

  // An earlier error of the caller's is neither told nor forgotten; one of its own is told.
  EXPECT(cudaSetDevice(9) == cudaErrorInvalidDevice);
  before = allocations;
  EXPECT(a_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);
  EXPECT(cudaGetLastError() == cudaSuccess);
  refuse_launches = true;
  EXPECT(a_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_cuda_error);
  EXPECT(allocations == before);
  EXPECT(std::string(a_message()) == "a_spmv: too many resources requested for launch");
  refuse_launches = false;
  EXPECT(cudaGetLastError() == cudaErrorLaunchOutOfResources);

  // Its device is the one that was current when it was loaded, even if another is current now.
  cudaStream_t stream;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  EXPECT(cudaSetDevice(1) == cudaSuccess);
  devices_at_work = 0;
  EXPECT(a_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(a_spmv(handle, x, y, 1, 0, stream) == alphasparse_ok);
  EXPECT(a_update_values(handle, values) == alphasparse_ok);
  EXPECT(devices_at_work == 1 && current_device == 1);
  alphasparse_handle* other = nullptr;
  EXPECT(a_load(arguments[1], &other) == alphasparse_ok);
  EXPECT(cudaSetDevice(0) == cudaSuccess);
  EXPECT(a_spmv(other, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(launched_on == 1 && current_device == 0);
  EXPECT(cudaStreamDestroy(stream) == cudaSuccess);

  // A workspace of the caller's: as large and as aligned as it is said to be.
  std::size_t alignment = 0;
  const std::size_t bytes = a_workspace_bytes(&alignment);
  EXPECT(bytes == std::stoul(arguments[2]) && a_workspace_bytes(nullptr) == bytes);
  EXPECT(alignment > 0 && alignment % sizeof(Value) == 0);
  char* const workspace = static_cast<char*>(std::aligned_alloc(alignment, bytes + alignment));
  std::memset(workspace, 0xff, bytes + alignment);
  before = allocations;
  EXPECT(a_spmv_with(handle, x, y, 2, 0, workspace, nullptr) == alphasparse_ok);
  EXPECT(y[0] == 1210 && y[1] == 1400);
  EXPECT(a_spmv_with(nullptr, x, y, 1, 0, workspace, nullptr) == alphasparse_bad_argument);
  const bool is_used = workspace[0] != '\xff' || workspace[1] != '\xff';
  EXPECT(is_used == (bytes > 0));
  for (std::size_t i = bytes; i < bytes + alignment; ++i) EXPECT(workspace[i] == '\xff');
  const int refused = bytes > 0 ? alphasparse_bad_argument : alphasparse_ok;
  EXPECT(a_spmv_with(handle, x, y, 1, 0, nullptr, nullptr) == refused);
  EXPECT(a_spmv_with(handle, x, y, 1, 0, workspace + 4, nullptr) == refused);
  EXPECT(allocations == before);
  std::free(workspace);

  // Values that lie on the device: the first call leaves their places there, later ones only
  // launch.
  const Value others[3] = {1, 2, 4};
  EXPECT(a_update_values_device(nullptr, others, nullptr) == alphasparse_bad_argument);
  EXPECT(a_update_values_device(handle, nullptr, nullptr) == alphasparse_bad_argument);
  EXPECT(a_update_values_device(handle, others, nullptr) == alphasparse_ok);
  EXPECT(a_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(y[0] == 201 && y[1] == 400);
  EXPECT(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  EXPECT(a_update_values_device(handle, values, nullptr) == alphasparse_ok);
  cudaGraph_t graph;
  EXPECT(cudaStreamEndCapture(nullptr, &graph) == cudaSuccess);
  EXPECT(cudaGraphLaunch(graph, nullptr) == cudaSuccess);
  EXPECT(cudaGraphDestroy(graph) == cudaSuccess);
  EXPECT(a_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(y[0] == 605 && y[1] == 700);

  // Nobody but its own kernel takes a handle.
  alphasparse_handle stranger = {"of another kernel"};
  EXPECT(a_spmv(&stranger, x, y, 1, 0, nullptr) == alphasparse_bad_argument);
  EXPECT(std::string(a_message()) == "a_spmv: a handle of another kernel");
  EXPECT(a_update_values(&stranger, values) == alphasparse_bad_argument);
  EXPECT(a_update_values_device(&stranger, values, nullptr) == alphasparse_bad_argument);
  a_free(&stranger);
  a_free(other);
  a_free(handle);
  a_free(nullptr);
}
