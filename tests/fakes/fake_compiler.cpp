#include "tests/fakes/fake_compiler.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>

#include "runtime/compilers/host_compiler.h"
#include "runtime/emulated/source.h"
#include "runtime/system/files/temporary_folder.h"
#include "templates/templates.h"
#include "tests/fakes/fake_faults.h"
#include "tests/fakes/fake_nvrtc.h"

namespace alphasparse {
const std::vector<Template>& fake_module_files();
}

using namespace alphasparse;

namespace {

constexpr int registers_of_a_block = 65536;

/// The kernels of a source; one may stand in a macro, over several lines.
std::vector<FakeEntry> entries_of(const std::string& source) {
  static const std::regex head(
      R"(extern\s+"C"\s+__global__\s+void\s+(?:__launch_bounds__\((\d*)[^)]*\)[\s\\]+)?(\w+)\s*\()");
  std::vector<FakeEntry> entries;
  for (std::sregex_iterator match(source.begin(), source.end(), head), none; match != none;
       ++match) {
    FakeEntry& entry = entries.emplace_back();
    entry.name = (*match)[2];
    entry.registers = fake_registers;
    if ((*match)[1].length() == 0) continue;
    entry.threads_max = std::stoi((*match)[1]);
    entry.registers = std::min(fake_registers, registers_of_a_block / entry.threads_max / 8 * 8);
  }
  return entries;
}

/// The line that a source begins with, where it is a comment.
std::string design_of(const std::string& source) {
  const std::size_t first = std::min(source.find_first_not_of('\n'), source.size());
  if (source.compare(first, 3, "// ") != 0) return "";
  return source.substr(first + 3, source.find('\n', first) - first - 3);
}

/// The exports that the driver looks for, as module_exports.h describes them.
std::string exports_of(const std::string& design, const std::vector<FakeEntry>& kernels,
                       const std::string& arch) {
  std::string text(template_text("module_exports.h", fake_module_files()));
  std::string table;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    text += fmt::format("FAKE_LAUNCH({}, {})\n", i, kernels[i].name);
    table += fmt::format("FAKE_KERNEL({}, {}, {}), ", kernels[i].name, kernels[i].threads_max,
                         kernels[i].registers);
  }
  text += "#define EXPORTED extern \"C\" __attribute__((visibility(\"default\")))\n";
  text +=
      fmt::format("EXPORTED const FakeModuleKernel fake_module_kernels[] = {{{}{{}}}};\n", table);
  text +=
      fmt::format("EXPORTED const char fake_module_design[] = R\"design({})design\";\n", design);
  text += fmt::format("EXPORTED const char fake_module_arch[] = \"{}\";\n", arch);
  return text;
}

/// That of g++: "kernel.cu:7:3: error: TEXT", or anything else.
FakeError error_of(const std::string& text) {
  static const std::regex place(R"(kernel\.cu:(\d+):(\d+): (?:fatal )?error: (.*))");
  std::smatch match;
  if (!std::regex_search(text, match, place)) return {0, 0, text};
  return {std::stoi(match[1]), std::stoi(match[2]), match[3]};
}

std::string file_contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::optional<FakeImage> fake_compile(const std::string& source, const std::string& arch,
                                      FakeError& error) {
  const std::string design = design_of(source);
  if (scripted_fault(design) == FakeFault::compile_error) {
    error = {1, 1, "the test wants it"};
    return std::nullopt;
  }
  static const HostCompiler compiler = find_host_compiler();
  FakeImage image{"", entries_of(source)};
  const TemporaryFolder folder;
  const auto file =
      folder.write("kernel.cpp", emulated_source(source, exports_of(design, image.kernels, arch)));
  std::vector<std::string> flags = emulated_flags(EmulatedBuild::plain);
  flags.insert(flags.end(), {"-fsanitize=alignment", "-fsanitize-recover=alignment"});
  const auto object = compile_shared_object(compiler, file, folder.path() / "kernel.so", flags);
  if (!object) {
    error = error_of(object.reason());
    return std::nullopt;
  }
  image.bytes = file_contents(*object);
  return image;
}

std::string fake_compiler_file() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<void*>(&fake_compiler_file), &here) == 0) return "";
  const std::string path = here.dli_fname;
  return path.substr(path.rfind('/') + 1);
}
