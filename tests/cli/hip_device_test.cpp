// cli_hip_device: the command line on a GPU of AMD, by fakes of its libraries - devices, a search
// and its files, and every part that may be missing. ctest label: emulator
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>

#include "tests/cli/gpu_fixture.h"

namespace alphasparse {
namespace {

/// The fakes of ROCm in the place of NVIDIA's.
class CliHipDevice : public CliGpu {
 protected:
  CliHipDevice() : CliGpu(hip_maker) { setenv("ALPHASPARSE_LIBCUDA", "/nowhere/libcuda.so", 1); }

  static void expect_error(const CliOutcome& outcome, int status, const std::string& text) {
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, text)) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }

  std::string emitted(const std::string& device) {
    const CliOutcome outcome = run_cli(folder, "emit m.mtx --design csr-scalar --device " + device);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  }
};

TEST_F(CliHipDevice, DoctorAndDevicesFindTheGpu) {
  const CliOutcome devices = run_cli(folder, "devices");
  ASSERT_EQ(devices.status, 0) << devices.err;
  EXPECT_TRUE(contains(devices.out, "hip:0              available Fake MI250X, gfx90a:sramecc+"))
      << devices.out;
  const CliOutcome doctor = run_cli(folder, "doctor");
  ASSERT_EQ(doctor.status, 0) << doctor.err;
  EXPECT_TRUE(contains(doctor.out, "yes hip:0          Fake MI250X: a kernel was built, run and"))
      << doctor.out;
  EXPECT_TRUE(std::regex_search(doctor.out, std::regex("yes hiprtc +[0-9.]+, .*libfake_hiprtc.so")))
      << doctor.out;
  EXPECT_TRUE(std::regex_search(doctor.out, std::regex("yes rocSPARSE +/.*libfake_rocsparse.so")))
      << doctor.out;
}

TEST_F(CliHipDevice, TuneMeasuresAndWritesAFileForHip) {
  const CliOutcome first =
      run_cli(folder, "tune m.mtx --device hip:0 --time 4s --db t.db -o out --json");
  ASSERT_EQ(first.status, 0) << first.err;
  const json answer = json::parse(first.out);
  EXPECT_EQ(answer["device"], "hip:0");
  EXPECT_EQ(answer["kind"], "measured");
  for (const char* const file : {"m.hip", "m.kernel.hip", "m.h", "m.safetensors"})
    EXPECT_TRUE(std::filesystem::exists(folder / "out" / file)) << file;
  EXPECT_FALSE(std::filesystem::exists(folder / "out/m.cu"));
  EXPECT_TRUE(contains(contents(folder / "out/m.hip"), "--offload-arch=gfx90a:sramecc+:xnack-"));
  EXPECT_EQ(answer["vendor"]["library"], "rocSPARSE");
  EXPECT_EQ(answer["vendor"]["version"], "4.2.0");
  EXPECT_EQ(answer["vendor_algorithms"], 9);
  EXPECT_EQ(answer["vendor_tried"], 9);
  int measured = 0;
  for (const json& peer : answer["peers"]) measured += peer["status"] == "ok";
  EXPECT_EQ(measured, 8) << "no blocks divide the matrix";
  const CliOutcome again = run_cli(folder, "tune m.mtx --device hip:0 --time 4s --db t.db -o out");
  EXPECT_TRUE(contains(again.err, "answered from the database")) << again.out << again.err;
}

TEST_F(CliHipDevice, AVendorsAlgorithmsRunOnItsOwnGpusAlone) {
  const CliOutcome bench =
      run_cli(folder, "bench m.mtx --device hip:0 --designs csr5,rocsparse-csr-adaptive --json");
  ASSERT_EQ(bench.status, 0) << bench.err;
  const json matrix = json::parse(bench.out)["matrices"][0];
  EXPECT_EQ(matrix["vendor"]["name"], "rocsparse-csr-adaptive");
  EXPECT_TRUE(contains(matrix["vendor"]["note"], "; preprocessed in ")) << matrix["vendor"];
  expect_error(run_cli(folder, "bench m.mtx --device hip:0 --designs cusparse-csr-1"), 2,
               "cusparse-csr-1 runs on GPUs of NVIDIA alone");
  setenv("ALPHASPARSE_LIBROCSPARSE", "/nowhere/librocsparse.so", 1);
  const CliOutcome without =
      run_cli(folder, "tune m.mtx --device hip:0 --trials 2 --db t.db -o out -v");
  EXPECT_EQ(without.status, 0) << without.err;
  EXPECT_TRUE(contains(without.out, "baseline not measured: rocSPARSE is missing: looked for /now"))
      << without.out;
}

TEST_F(CliHipDevice, AutoAndAllTakeIt) {
  EXPECT_TRUE(contains(emitted("auto"), "hip:0"));
  EXPECT_TRUE(contains(emitted("hip"), "hip:0"));
  const CliOutcome all = run_cli(folder, "tune m.mtx --device all --time 1s --db t.db --json");
  ASSERT_EQ(all.status, 0) << all.err;
  EXPECT_TRUE(contains(all.out, "hip:0")) << all.out;
  expect_error(run_cli(folder, "tune m.mtx --device hip:0,hip"), 2, "hip:0 is there twice");
}

/// ROCm 5 has the compiler in the driver's library.
TEST_F(CliHipDevice, TheDriverOfRocm5HasTheCompiler) {
  setenv("ALPHASPARSE_LIBAMDHIP64", FAKE_HIP_5, 1);
  setenv("ALPHASPARSE_LIBHIPRTC", FAKE_HIP_5, 1);
  EXPECT_TRUE(contains(emitted("hip:0"), "hip:0"));
}

TEST_F(CliHipDevice, TellsTheMissingPart) {
  const auto refused = [&](const std::string& text, const std::string& device = "hip:0") {
    const CliOutcome outcome = run_cli(folder, "emit m.mtx --design csr-scalar --device " + device);
    expect_error(outcome, 4, text);
  };
  refused("hip:9: there is no such GPU; there is hip:0", "hip:9");
  setenv("ALPHASPARSE_LIBAMDHIP64", "/nowhere/libamdhip64.so", 1);
  refused("no HIP driver: looked for /nowhere/libamdhip64.so");
  setenv("ALPHASPARSE_LIBAMDHIP64", FAKE_CUDA, 1);  // a library that is none of HIP's
  refused("lacks hipInit");
  setenv("ALPHASPARSE_LIBAMDHIP64", FAKE_HIP, 1);
  setenv("ALPHASPARSE_LIBHIPRTC", "/nowhere/libhiprtc.so", 1);
  refused("hiprtc is missing: looked for /nowhere/libhiprtc.so");
  setenv("ALPHASPARSE_LIBHIPRTC", FAKE_NVRTC, 1);
  refused("lacks hiprtcGetErrorString");
}

}  // namespace
}  // namespace alphasparse
