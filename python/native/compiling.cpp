// compiling: kernels for CPUs to machine code, by the program's compiler and in its cache; and the
// program's rules for folders, files and names.
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/version.h"
#include "native.h"
#include "runtime/compilers/cache_folder.h"
#include "runtime/compilers/host_compiler.h"
#include "runtime/compilers/kernel_cache.h"
#include "runtime/matrices/matrix_names.h"
#include "runtime/system/files/home.h"
#include "runtime/system/files/own_files.h"
#include "runtime/system/files/regular_file.h"
#include "runtime/system/machine/processor.h"
#include "runtime/system/processes/child_process.h"
#include "runtime/system/processes/environment.h"

namespace py = pybind11;

namespace alphasparse {

namespace fs = std::filesystem;

namespace {

/// Compiles the sources of one kernel, in a folder of its own.
class KernelCompiler {
 public:
  KernelCompiler(HostCompiler compiler, fs::path folder)
      : compiler_(std::move(compiler)), folder_(std::move(folder)), cache_(open_cache()) {}

  /// The machine code of a text, a file `name`. `header` is alphasparse_runtime.h, where the text
  /// includes it.
  Result<std::string> code_of_kernel(const std::string& name, const std::string& text,
                                     const std::string& header) const {
    return cached(text + header, [&]() -> Result<std::string> {
      std::vector<std::string> more;
      if (!header.empty()) {
        write_made_file(folder_ / "alphasparse_runtime.h", header);
        const Result<std::string> runtime = code_of_runtime(header);
        if (!runtime) return runtime;
        write_made_file(folder_ / "runtime.o", *runtime);
        more = {"-DALPHASPARSE_RUNTIME_COMPILED", "runtime.o"};
      }
      write_made_file(folder_ / name, text);
      return compiled(name, more);
    });
  }

 private:
  /// The functions of the header, once for all kernels.
  Result<std::string> code_of_runtime(const std::string& header) const {
    return cached(header, [&] {
      write_made_file(folder_ / "runtime.cpp", "#include \"alphasparse_runtime.h\"\n");
      return compiled("runtime.cpp", {"-c", "-DALPHASPARSE_RUNTIME_IMPLEMENTATION"});
    });
  }

  Result<std::string> cached(const std::string& text,
                             const std::function<Result<std::string>()>& make) const {
    if (!cache_) return make();
    return cache_->code_or(
        cache_key({strip(text), processor_text(), shared_object_flags(), compiler_.text()}), make);
  }

  /// The first library with a symbol that is unique in the process would stay in memory. Clang
  /// makes no such symbols, and refuses the word.
  Result<std::string> compiled(const std::string& name,
                               const std::vector<std::string>& more) const {
    constexpr const char* unloadable = "-fno-gnu-unique";
    std::vector<std::string> flags = shared_object_flags();
    flags.emplace_back(unloadable);
    flags.insert(flags.end(), more.begin(), more.end());
    const auto compile = [&]() -> Result<std::string> {
      const Result<fs::path> made =
          compile_shared_object(compiler_, folder_ / name, folder_ / (name + ".made"), flags);
      if (!made) return made.failure();
      return read_made_file(*made);
    };
    try {
      return compile();
    } catch (const Error& failure) {
      if (std::string_view(failure.what()).find(unloadable) == std::string_view::npos) throw;
      std::erase(flags, unloadable);
      return compile();
    }
  }

  HostCompiler compiler_;
  fs::path folder_;
  std::unique_ptr<KernelCache> cache_;
};

std::string without(std::string text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part))
    text.erase(at, part.size());
  return text;
}

/// The shared object of the kernel at `path`, a file in the empty folder `folder`.
std::string compile_cpu(const std::string& path, const std::string& text, const std::string& header,
                        const std::string& folder) {
  const fs::path object = fs::path(folder) / "kernel.so";
  std::string failure;
  {
    const py::gil_scoped_release released;
    try {
      const Result<HostCompiler> compiler = named_host_compiler();
      const std::string name = fs::path(path).filename();
      const Result<std::string> code =
          compiler ? KernelCompiler(*compiler, folder).code_of_kernel(name, text, header)
                   : Result<std::string>(compiler.failure());
      if (code) write_made_file(object, *code);
      if (!code) failure = compiler ? path + " does not compile: " + code.reason() : code.reason();
    } catch (const Error& error) {
      failure = path + " does not compile: " + error.what();
    }
  }
  if (!failure.empty())
    raise("CompileError", without(without(failure, folder + "/"), " in " + folder));
  return object;
}

std::vector<std::string> named_command() {
  const Result<HostCompiler> compiler = named_host_compiler();
  return compiler ? compiler->command : std::vector<std::string>();
}

std::optional<std::string> to_text(const std::optional<fs::path>& path) {
  return path ? std::optional(path->string()) : std::nullopt;
}

/// Keeps the limit of all that is cached.
void trim_cache() {
  const std::optional<fs::path> folder = cache_directory();
  const Result<std::int64_t> bytes_max = cache_bytes_max();
  const py::gil_scoped_release released;
  if (folder && bytes_max) make_cache_room(*folder, *bytes_max, 0);
}

}  // namespace

std::unique_ptr<KernelCache> open_cache() {
  return open_user_cache([](const std::string&) {});  // without it, compilers do the work
}

void define_compiling(py::module_& module) {
  module.attr("generator_version") = generator_version;
  module.def("compile_cpu", compile_cpu);
  module.def("compiler_command", named_command);
  module.def("find_program", find_program);
  module.def("cache_folder", [] { return to_text(cache_directory()); });
  module.def("without_tilde", [](const std::string& path) { return to_text(without_tilde(path)); });
  module.def("locate_matrix", [](const std::string& path) {
    const MatrixLocation location = locate_matrix(path);
    return py::make_tuple(location.file, location.member);
  });
  module.def("matrix_stem", matrix_stem);
  module.def("trim_cache", trim_cache);
  module.def("is_own_file",
             [](const std::string& path) { return RegularFile::open_own(path).ok(); });
  module.def("make_folders", [](const std::string& path) { return make_folders(path).value(); });
  module.def("make_own_folder",
             [](const std::string& path) { return make_own_folder(path).value(); });
}

}  // namespace alphasparse
