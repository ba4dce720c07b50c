#include "runtime/emulated/emulator/module.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include "runtime/emulated/emulator/kernel_error.h"

// The C library's own: the address of a thread-local variable, allocated on first use.
extern "C" void* __tls_get_addr(std::size_t* module_and_offset);

namespace alphasparse::emulator {

namespace {

struct Segments {
  std::uintptr_t base = 0;
  std::uintptr_t end = 0;
  std::size_t thread_local_module = 0;
};

int visit_object(dl_phdr_info* info, std::size_t, void* data) {
  auto& found = *static_cast<Segments*>(data);
  if (info->dlpi_addr != found.base) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    found.end = std::max(found.end, info->dlpi_addr + header.p_vaddr + header.p_memsz);
  }
  found.thread_local_module = info->dlpi_tls_modid;
  return 1;
}

/// "spmv::table" of "_ZZ4spmvE5table" is "table"; a name that is not mangled stays.
std::string plain_name(const char* mangled) {
  int status = 0;
  char* demangled = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = demangled ? demangled : mangled;
  std::free(demangled);
  const std::size_t colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

/// Every thread-local symbol of the file, at its place in the segment that starts at `low`.
std::vector<SharedArray> read_shared(const std::string& path, std::uintptr_t low) {
  std::ifstream in(path, std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(in), {}};
  const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(file.data());
  const auto* sections = reinterpret_cast<const ElfW(Shdr)*>(file.data() + header->e_shoff);
  std::vector<SharedArray> shared;
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const auto* symbols = reinterpret_cast<const ElfW(Sym)*>(file.data() + sections[i].sh_offset);
    const char* names = file.data() + sections[sections[i].sh_link].sh_offset;
    for (std::size_t k = 0; k < sections[i].sh_size / sizeof(ElfW(Sym)); ++k) {
      if (ELF64_ST_TYPE(symbols[k].st_info) != STT_TLS) continue;
      const std::string_view name = names + symbols[k].st_name;
      shared.push_back({plain_name(name.data()), low + symbols[k].st_value, symbols[k].st_size,
                        name.starts_with("_ZGV")});
    }
  }
  return shared;
}

}  // namespace

Module load_module(const std::string& path, std::size_t launches) {
  void* object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object) {
    const char* const reason = dlerror();
    fail("cannot load the compiled kernel: %s", reason ? reason : "no reason given");
  }
  Module module;
  module.object = object;
  for (std::size_t i = 0; i < launches; ++i) {
    const std::string name = "emulator_launch_" + std::to_string(i);
    void* entry = dlsym(object, name.c_str());
    if (!entry) fail("the compiled kernel lacks %s", name.c_str());
    module.entries.push_back(reinterpret_cast<LaunchEntry>(entry));
  }
  Dl_info info{};
  dladdr(reinterpret_cast<void*>(module.entries.front()), &info);
  Segments segments;
  segments.base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  dl_iterate_phdr(visit_object, &segments);
  module.base = segments.base;
  module.end = segments.end;
  if (segments.thread_local_module != 0) {
    std::size_t start[2] = {segments.thread_local_module, 0};
    module.shared = read_shared(path, reinterpret_cast<std::uintptr_t>(__tls_get_addr(start)));
  }
  return module;
}

}  // namespace alphasparse::emulator
