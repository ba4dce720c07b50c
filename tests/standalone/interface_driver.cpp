// interface_driver: calls the C interface as a user's program does, behind the text of NAME.cu.
//
// Usage: interface_driver FILE, the format of the matrix (1 0 2; 0 0 3) in f32. Exits with 1 and
// the line where something is not as promised.
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
  EXPECT(alphasparse_load("/missing", &handle) == alphasparse_bad_file);
  EXPECT(std::string(alphasparse_message()) == "/missing: No such file or directory");
  EXPECT(handle == nullptr);
  EXPECT(alphasparse_load(nullptr, &handle) == alphasparse_bad_argument);
  EXPECT(alphasparse_load(arguments[1], nullptr) == alphasparse_bad_argument);
  EXPECT(alphasparse_load(arguments[1], &handle) == alphasparse_ok);

  const Value x[3] = {1, 10, 100};
  Value y[2] = {NAN, NAN};
  int before = allocations;
  EXPECT(alphasparse_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(y[0] == 201 && y[1] == 300);
  EXPECT(alphasparse_spmv(handle, x, y, 2, -1, nullptr) == alphasparse_ok);
  EXPECT(y[0] == 201 && y[1] == 300);
  EXPECT(alphasparse_spmv(handle, nullptr, y, 1, 0, nullptr) == alphasparse_bad_argument);
  EXPECT(alphasparse_spmv(nullptr, x, y, 1, 0, nullptr) == alphasparse_bad_argument);
  EXPECT(allocations == before);

  const Value values[3] = {5, 6, 7};
  EXPECT(alphasparse_update_values(handle, nullptr) == alphasparse_bad_argument);
  EXPECT(alphasparse_update_values(handle, values) == alphasparse_ok);
  EXPECT(alphasparse_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(y[0] == 605 && y[1] == 700);

  // An earlier error of the caller's is neither told nor forgotten; one of its own is told.
  EXPECT(cudaSetDevice(9) == cudaErrorInvalidDevice);
  before = allocations;
  EXPECT(alphasparse_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);
  EXPECT(cudaGetLastError() == cudaSuccess);
  refuse_launches = true;
  EXPECT(alphasparse_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_cuda_error);
  EXPECT(allocations == before);
  EXPECT(std::string(alphasparse_message()) ==
         "alphasparse_spmv: too many resources requested for launch");
  refuse_launches = false;
  EXPECT(cudaGetLastError() == cudaErrorLaunchOutOfResources);

  // Its device is the one that was current when it was loaded, whichever is current now.
  cudaStream_t stream;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  EXPECT(cudaSetDevice(1) == cudaSuccess);
  devices_at_work = 0;
  EXPECT(alphasparse_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(alphasparse_spmv(handle, x, y, 1, 0, stream) == alphasparse_ok);
  EXPECT(alphasparse_update_values(handle, values) == alphasparse_ok);
  EXPECT(devices_at_work == 1 && current_device == 1);
  alphasparse_handle* other = nullptr;
  EXPECT(alphasparse_load(arguments[1], &other) == alphasparse_ok);
  EXPECT(cudaSetDevice(0) == cudaSuccess);
  EXPECT(alphasparse_spmv(other, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(launched_on == 1 && current_device == 0);
  EXPECT(cudaStreamDestroy(stream) == cudaSuccess);
  alphasparse_free(other);
  alphasparse_free(handle);
  alphasparse_free(nullptr);
}
