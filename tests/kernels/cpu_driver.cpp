// cpu_driver: runs a kernel for CPUs on the cases of a file, for a sanitizer to watch.
//
// Compiled behind the kernel's program (runtime/compilers/shared_objects.h) by
// tests/support/sanitized_cpu.cpp, which writes the file. Usage: cpu_driver CASES RESULTS. Every
// array is a block of its own that ends with its slack; x and y have none. ThreadSanitizer does not
// know OpenMP: where it watches, the threads of a team are the driver's own.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
#ifdef __SANITIZE_THREAD__
#include <pthread.h>

#include <thread>
#endif

namespace driver {

using Scale = decltype(Output::alpha);

/// A block of just so many bytes.
using Block = std::unique_ptr<char[]>;

class File {
 public:
  File(const char* path, const char* mode) : file_(std::fopen(path, mode)) {
    if (file_ == nullptr) fail(path);
  }
  ~File() { std::fclose(file_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void read(void* bytes, std::size_t count) {
    if (std::fread(bytes, 1, count, file_) != count) fail("the cases end early");
  }
  template <class T>
  T number() {
    T read_number;
    read(&read_number, sizeof read_number);
    return read_number;
  }
  /// alpha or beta, which have two parts.
  Scale factor() {
    const double re = number<double>(), im = number<double>();
    return factor_of<Scale>(re, im);
  }
  Block block(std::size_t bytes) {
    Block block(new char[bytes]);
    read(block.get(), bytes);
    return block;
  }
  void write(const void* bytes, std::size_t count) {
    if (std::fwrite(bytes, 1, count, file_) != count) fail("the results do not fit");
  }

 private:
  template <class Factor>
  static Factor factor_of(double re, [[maybe_unused]] double im) {
    if constexpr (std::is_arithmetic_v<Factor>)
      return static_cast<Factor>(re);
    else
      return Factor(re, im);
  }
  [[noreturn]] static void fail(const char* why) {
    std::fprintf(stderr, "cpu_driver: %s\n", why);
    std::exit(2);
  }
  std::FILE* file_;
};

#ifdef __SANITIZE_THREAD__
/// Two barriers in turn. With one alone, a thread that leaves late would learn of the others' work
/// before they came to it again. No race with that would be seen.
void run(void* opened, Scale alpha, const Value* x, Scale beta, Value* y) {
  const Team& team = *static_cast<const Team*>(opened);
  const Output out{y, alpha, beta, -1, nullptr};
  pthread_barrier_t barriers[2];
  for (pthread_barrier_t& barrier : barriers) {
    pthread_barrier_init(&barrier, nullptr, static_cast<unsigned>(team.threads));
  }
  std::vector<std::thread> threads;
  for (int thread = 0; thread < team.threads; ++thread) {
    threads.emplace_back([&, thread] {
      int met = 0;
      const auto meet = [&] { pthread_barrier_wait(&barriers[met++ % 2]); };
      run_share(team, thread, team.threads, Input{x}, out, meet);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (pthread_barrier_t& barrier : barriers) pthread_barrier_destroy(&barrier);
}
#else
void run(void* opened, Scale alpha, const Value* x, Scale beta, Value* y) {
  multiply_rows(*static_cast<const Team*>(opened), alpha, x, 1, beta, y, 1);
}
#endif

}  // namespace driver

int main(int, char** arguments) {
  driver::File cases(arguments[1], "rb"), results(arguments[2], "wb");
  const int threads = cases.number<int>();
  std::vector<driver::Block> arrays(cases.number<std::size_t>());
  std::vector<const void*> pointers(arrays.size() + 1);  // an empty struct still takes a byte
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    arrays[i] = cases.block(cases.number<std::size_t>());  // its slack among them
    pointers[i] = arrays[i].get();
  }
  void* const team = alphasparse_open_team(pointers.data(), threads);
  for (int left = cases.number<int>(); left > 0; --left) {
    for (std::size_t replaced = cases.number<std::size_t>(); replaced > 0; --replaced) {
      const std::size_t array = cases.number<std::size_t>();
      cases.read(arrays[array].get(), cases.number<std::size_t>());
    }
    const driver::Scale alpha = cases.factor(), beta = cases.factor();
    const driver::Block x = cases.block(cases.number<std::size_t>());
    const std::size_t y_bytes = cases.number<std::size_t>();
    const driver::Block y = cases.block(y_bytes);
    driver::run(team, alpha, reinterpret_cast<const Value*>(x.get()), beta,
                reinterpret_cast<Value*>(y.get()));
    results.write(y.get(), y_bytes);
  }
  alphasparse_close_team(team);
  return 0;
}
