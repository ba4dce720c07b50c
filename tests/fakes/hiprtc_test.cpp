// ctest label: emulator
// fake_hiprtc: the fake of AMD's runtime compiler says the words of the real one.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "runtime/compilers/hiprtc_api.h"
#include "tests/support/fake_gpu.h"

namespace alphasparse {
namespace {

class FakeHiprtc : public FakeGpuTest {
 protected:
  FakeHiprtc() : FakeGpuTest(hip_maker) {}

  struct Outcome {
    int code;
    std::string log, image;
  };

  /// A compilation by a library that has hiprtc's functions.
  static Outcome compile(const char* file, const char* source, std::vector<const char*> options) {
    void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    HiprtcApi api;
    const auto find = [&](auto*& function, const char* name) {
      const std::string symbol = std::string("hiprtc") + name;
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
          dlsym(library, symbol.c_str()));
      EXPECT_NE(function, nullptr) << symbol;
    };
    find(api.create_program, "CreateProgram");
    find(api.destroy_program, "DestroyProgram");
    find(api.compile_program, "CompileProgram");
    find(api.log_bytes, "GetProgramLogSize");
    find(api.log, "GetProgramLog");
    find(api.code_bytes, "GetCodeSize");
    find(api.code, "GetCode");
    HiprtcProgram program = nullptr;
    EXPECT_EQ(api.create_program(&program, source, "name.hip", 0, nullptr, nullptr), 0);
    Outcome outcome;
    outcome.code = api.compile_program(program, static_cast<int>(options.size()), options.data());
    const auto take = [&](std::string& text, auto* size, auto* get) {
      std::size_t bytes = 0;
      EXPECT_EQ(size(program, &bytes), 0);
      text.assign(bytes + 1, '#');
      EXPECT_EQ(get(program, text.data()), 0);
      EXPECT_EQ(text.back(), '#') << "there is no closing zero";
      text.pop_back();
    };
    take(outcome.log, api.log_bytes, api.log);
    take(outcome.image, api.code_bytes, api.code);
    EXPECT_EQ(api.destroy_program(&program), 0);
    return outcome;
  }
};

// The answers of ROCm 5.2.3, which compiles without a GPU.
TEST_F(FakeHiprtc, AnswersAsTheRealOne) {
  const char* const arch = "--offload-arch=gfx90a:sramecc+:xnack-";
  const char* const kernel = "extern \"C\" __global__ void k(int* y) {\n  y[0] = there;\n}\n";
  const std::string end = "1 error generated when compiling for gfx90a.\n";
  for (const auto& [library, file] :
       {std::pair{FAKE_HIPRTC, "name.hip"}, {FAKE_HIP_5, "CompileSource"}}) {
    Outcome outcome = compile(library, kernel, {arch, "-std=c++17"});
    EXPECT_EQ(outcome.code, hiprtc_error_compilation);
    EXPECT_TRUE(
        outcome.log.starts_with(fmt::format("/tmp/comgr-fa4e00/input/{}:2:10: error: ", file)))
        << outcome.log;
    EXPECT_TRUE(outcome.log.ends_with(end)) << outcome.log;
    EXPECT_EQ(outcome.image, "");
    outcome = compile(library, ("#line 7\n" + std::string(kernel)).c_str(), {arch});
    EXPECT_NE(outcome.log.find(fmt::format("input/{}:8:10: error: ", file)), std::string::npos);
    outcome = compile(library, ("#line 7 \"own\"\n" + std::string(kernel)).c_str(), {arch});
    EXPECT_TRUE(outcome.log.starts_with("own:8:10: error: ")) << outcome.log;
    outcome = compile(library, kernel, {arch, "-fnonsense"});
    EXPECT_EQ(outcome.code, hiprtc_error_compilation);
    EXPECT_EQ(outcome.log, "error: unknown argument: '-fnonsense'\n" + end);
    outcome = compile(library, kernel, {"--offload-arch=gfx99z"});
    EXPECT_EQ(outcome.code, hiprtc_error_compilation);
    EXPECT_EQ(outcome.log, "");
    outcome = compile(library, "extern \"C\" __global__ void k(int* y) { y[0] = 1; }",
                      {arch, "-O3", "-munsafe-fp-atomics"});
    EXPECT_EQ(outcome.code, hiprtc_success);
    EXPECT_EQ(outcome.log, "");
    EXPECT_TRUE(outcome.image.starts_with("\177ELF"));
  }
}

}  // namespace
}  // namespace alphasparse
