#include "runtime/emulated/source.h"

#include <fmt/format.h>

#include <regex>
#include <set>

namespace alphasparse {

namespace {

/// The names of `extern __shared__ T name[]` variables.
std::set<std::string> dynamic_shared_names(const std::string& source) {
  static const std::regex declaration(
      R"(extern\s+__shared__\s+[^;]*?([A-Za-z_]\w*)\s*\[\s*\]\s*;)");
  std::set<std::string> names;
  for (std::sregex_iterator match(source.begin(), source.end(), declaration), none; match != none;
       ++match) {
    names.insert((*match)[1]);
  }
  return names;
}

}  // namespace

const std::string& emulator_shim() {
  static const std::string shim = [] {
    std::string joined;
    for (const char* part :
         {"qualifiers", "vector_types", "warp", "atomics", "arithmetic", "launch"}) {
      joined += template_text(fmt::format("{}.h", part), emulator_shim_files());
    }
    return joined;
  }();
  return shim;
}

std::string emulated_source(const Kernel& kernel) {
  std::string launches;
  for (std::size_t i = 0; i < kernel.launches.size(); ++i) {
    launches += fmt::format("EMULATOR_LAUNCH({}, {}, {})\n", i, kernel.launches[i].kernel,
                            kernel.arrays.size() + kernel.workspaces.size());
  }
  return emulated_source(kernel.source, launches);
}

std::string emulated_source(const std::string& source, const std::string& exports) {
  std::string text = emulator_shim() + "#line 1 \"kernel.cu\"\n" + source;
  text += "\n#line 1 \"launches\"\n" + exports;
  for (const std::string& name : dynamic_shared_names(source)) {
    text += fmt::format("EMULATOR_DYNAMIC_SHARED({})\n", name);
  }
  return text;
}

const std::vector<std::string>& emulated_flags(EmulatedBuild build) {
  // -fno-thread-jumps: a barrier is one call, wherever lanes come from. -fstack-clash-protection: a
  // frame that overflows a fiber's stack touches the guard below it.
  static const std::vector<std::string> plain = {"-x",
                                                 "c++",
                                                 "-std=c++17",
                                                 "-O2",
                                                 "-fPIC",
                                                 "-fno-exceptions",
                                                 "-fno-rtti",
                                                 "-fno-plt",
                                                 "-fno-extern-tls-init",
                                                 "-w",
                                                 "-pipe",
                                                 "-fno-thread-jumps",
                                                 "-nostdlib",
                                                 "-fno-strict-aliasing",
                                                 "-ffp-contract=off",
                                                 "-fvisibility=hidden",
                                                 "-fstack-clash-protection"};
  // Program order must be address order (see runtime/emulated/emulator/merge.h): no reordered
  // blocks, and -O1, which neither vectorises nor merges stores. Nor may a load leave its loop: a
  // loop without a round would read memory that nobody has written. Later flags win.
  static const std::vector<std::string> observed = [] {
    std::vector<std::string> flags = plain;
    for (const char* flag :
         {"-O1", "-fno-reorder-blocks", "-fno-tree-loop-im", "-fsanitize=thread",
          "-fsanitize-coverage=trace-pc", "--param", "tsan-instrument-func-entry-exit=0"}) {
      flags.emplace_back(flag);
    }
    return flags;
  }();
  return build == EmulatedBuild::plain ? plain : observed;
}

}  // namespace alphasparse
