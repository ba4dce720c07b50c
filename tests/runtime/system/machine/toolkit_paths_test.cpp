// toolkit_places_test: the places of the CUDA toolkit's libraries, and their order.
#include "runtime/system/machine/toolkit_paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "tests/support/files.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

class ToolkitPlaces : public testing::Test {
 protected:
  ToolkitPlaces() {
    for (const char* const name : {"CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX", "HOME"})
      unsetenv(name);
  }

  void make_program(const std::string& name) {
    fs::create_directories((folder_ / name).parent_path());
    set_contents(folder_ / name, "#!/bin/sh\n");
    fs::permissions(folder_ / name, fs::perms::owner_all);
  }

  std::ptrdiff_t place(const std::string& file) const {
    const std::vector<std::string> places = toolkit_paths("ALPHASPARSE_LIBX", {"libx.so"});
    return std::find(places.begin(), places.end(), file) - places.begin();
  }
  bool is_named(const std::string& file) const {
    return place(file) <
           static_cast<std::ptrdiff_t>(toolkit_paths("ALPHASPARSE_LIBX", {"libx.so"}).size());
  }

  TestFolder folder_;
};

TEST_F(ToolkitPlaces, StandInTheirOrder) {
  make_program("cuda/bin/nvcc");
  make_program("real/bin/python3.11");
  fs::create_directories(folder_ / "venv/bin");
  fs::create_symlink(folder_ / "real/bin/python3.11", folder_ / "venv/bin/python3");
  const std::string package = "lib/python3.11/site-packages/nvidia/cu13/lib";
  fs::create_directories(folder_ / "venv" / package);
  fs::create_directories(folder_ / "real" / package);
  setenv("CUDA_HOME", "/opt/toolkit", 1);
  setenv("CONDA_PREFIX", "/opt/conda", 1);
  setenv("PATH", ((folder_ / "cuda/bin").string() + ":" + (folder_ / "venv/bin").string()).c_str(),
         1);
  const std::vector<std::string> in_order = {
      "libx.so",
      "/opt/toolkit/lib64/libx.so",
      "/opt/toolkit/lib/libx.so",
      "/opt/conda/lib/libx.so",
      "/usr/local/cuda/lib64/libx.so",
      folder_ / "cuda/lib64/libx.so",
      folder_ / "cuda/lib/libx.so",
      folder_ / "venv" / package / "libx.so",
      fs::canonical(folder_ / "real").string() + "/" + package + "/libx.so",
  };
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    EXPECT_TRUE(is_named(in_order[i])) << in_order[i];
    const std::ptrdiff_t before = i > 0 ? place(in_order[i - 1]) : -1;
    EXPECT_LT(before, place(in_order[i])) << in_order[i];
  }
}

TEST_F(ToolkitPlaces, LibrariesOfPipLieInTheActiveEnvironment) {
  make_program("venv/bin/python3");
  setenv("PATH", (folder_ / "venv/bin").c_str(), 1);
  EXPECT_EQ(python_library_paths({"liby.so"}), std::vector<std::string>{"liby.so"});
  fs::create_directories(folder_ / "venv/lib");
  set_contents(folder_ / "venv/lib/liby.so.3", "");
  EXPECT_EQ(python_library_paths({"liby.so", "liby.so.3"}),
            (std::vector<std::string>{"liby.so", "liby.so.3", folder_ / "venv/lib/liby.so.3"}));
}

TEST_F(ToolkitPlaces, OfRelativeFoldersNoneCounts) {
  make_program("nvcc/bin/nvcc");
  const fs::path before = fs::current_path();
  fs::current_path(folder_ / "nvcc/bin");
  for (const char* const path : {".", "", ":", "../bin"}) {
    setenv("PATH", path, 1);
    for (const std::string& place : toolkit_paths("ALPHASPARSE_LIBX", {"libx.so"}))
      EXPECT_EQ(place.find("nvcc"), std::string::npos) << path << ": " << place;
  }
  unsetenv("PATH");
  EXPECT_TRUE(is_named("libx.so"));
  fs::current_path(before);
}

}  // namespace
}  // namespace alphasparse
