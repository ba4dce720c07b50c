// faults_test: kernels that are wrong on purpose; the emulated device must say how, for each order
// of the lanes. ctest label: emulator
#include <gtest/gtest.h>

#include "runtime/emulated/device.h"
#include "tests/support/battery.h"
#include "tests/support/csr_kernels.h"

namespace alphasparse {
namespace {

/// A kernel of tests/kernels/faulty, and the expected report on it.
struct Faulty {
  const char* name;
  Status status;
  std::vector<const char*> said;  ///< each of these, in the reason
};

const std::vector<Faulty> all_faulty = {
    {"read_past_rows", Status::crash, {"out-of-bounds read: row_first[530]", "has 530 elements"}},
    {"read_past_entries", Status::crash, {"out-of-bounds read: value[2553], array has 2553"}},
    {"read_before_x",
     Status::crash,
     {"out-of-bounds read: x[-1], array has 529", "block 0 thread"}},
    {"write_past_y", Status::crash, {"out-of-bounds write: y[529], array has 529", "block 2"}},
    {"atomic_past_y", Status::crash, {"out-of-bounds atomic: y[529], array has 529"}},
    {"wild_read", Status::crash, {"read of 4 bytes at", "belongs to no array"}},
    {"late_wild_read", Status::crash, {"read of 4 bytes at", "belongs to no array, block 2"}},
    {"write_past_shared",
     Status::crash,
     {"out-of-bounds write: shared table[256], array has 256", "thread 255"}},
    {"dynamic_shared", Status::crash, {"out-of-bounds write: shared dynamic_table", "has 0"}},
    {"write_x", Status::crash, {"write to a read-only array: x["}},
    {"write_format", Status::crash, {"write to a read-only array: row_first["}},
    {"misaligned_vector", Status::crash, {"misaligned read: 16 bytes at column[1]"}},
    {"misaligned_scalar", Status::crash, {"misaligned read: 8 bytes at column[1]"}},
    {"uninitialised_shared", Status::crash, {"uninitialised read: table[0]", "block 0 thread"}},
    {"uninitialised_shared_atomic", Status::crash, {"uninitialised atomic: sum[0]"}},
    {"race_lanes_store", Status::crash, {"race: write of y[0]", "write of it by block 0 thread"}},
    {"race_blocks_store",
     Status::crash,
     {"race: write of y[0] and write of it by block 0 thread 0"}},
    {"race_store_and_atomic",
     Status::crash,
     {"race: atomic of y[0] and write of it by block 0 thread 0"}},
    {"race_atomic_and_read", Status::crash, {"race: atomic of y[0] and read of it by block 0"}},
    {"race_reader_and_writer", Status::crash, {"race: write of y[0] and read of it by block 0"}},
    {"missing_syncthreads", Status::crash, {"table["}},
    {"missing_second_syncthreads", Status::crash, {"race: ", "table["}},
    {"missing_syncwarp", Status::crash, {"table["}},
    {"divergent_barriers", Status::crash, {"divergent barriers", "line", "block 0"}},
    {"exited_at_barrier",
     Status::crash,
     {"17 threads wait at __syncthreads", "239 have exited", "block 2"}},
    {"some_at_barrier", Status::crash, {"deadlock: 16 lanes wait in __shfl_xor_sync"}},
    {"shuffle_exited_lane", Status::crash, {"__shfl_down_sync", "reads lane 7, which does not"}},
    {"shuffle_outside_mask", Status::crash, {"__shfl_xor_sync", "reads lane 1, which does not"}},
    {"shuffle_width", Status::crash, {"__shfl_down_sync", "width 12 is not"}},
    {"mask_without_caller", Status::crash, {"__ballot_sync", "does not name the calling lane"}},
    {"deadlocked_shuffle",
     Status::crash,
     {"deadlock: 30 lanes wait in __shfl_down_sync", "for lane 30, which does not come"}},
    {"different_masks", Status::crash, {"deadlock: 16 lanes wait in __syncwarp", "for lane 16"}},
    {"spin", Status::timeout, {"a loop that does not end", "block 0"}},
    {"endless_barriers", Status::timeout, {"a loop that does not end"}},
    {"stack_overflow", Status::crash, {"stack overflow"}},
    {"big_frame", Status::crash, {"stack overflow"}},
    {"too_much_shared", Status::compile_error, {"56000 bytes of static shared memory"}},
    {"syntax", Status::compile_error, {"kernel.cu:", "missing_name"}},
};

class Faults : public testing::TestWithParam<Faulty> {};

void expect_said(const Failure& failure, const Faulty& faulty) {
  EXPECT_EQ(failure.status, faulty.status) << failure.reason;
  for (const char* words : faulty.said) {
    EXPECT_NE(failure.reason.find(words), std::string::npos) << failure.reason;
  }
}

TEST_P(Faults, AreFoundInBothLaneOrders) {
  static const std::unique_ptr<Device> device = open_emulated_device("h200");
  static const Matrix matrix = [] {
    for (NamedMatrix& named : battery()) {
      if (named.name == "stencil_23") return named.matrix;
    }
    return Matrix();
  }();
  const Faulty& faulty = GetParam();
  const bool warp_a_row = std::string(faulty.name) == "race_lanes_store" ||
                          std::string(faulty.name).find("shuffle") != std::string::npos;
  const Kernel kernel = csr_kernel("faulty/" + std::string(faulty.name) + ".cu", matrix, Dtype::f32,
                                   256, warp_a_row ? 32 : 1);
  auto loaded = device->load(kernel);
  if (!loaded) return expect_said(loaded.failure(), faulty);
  for (const bool reversed : {false, true}) {
    std::vector<SpmvCase> cases = {integer_case("exact", matrix, Dtype::f32, {2, -1})};
    cases[0].lanes_reversed = reversed;
    const auto outcomes = (*loaded)->run(cases);
    ASSERT_FALSE(outcomes) << (reversed ? "reversed" : "forward");
    expect_said(outcomes.failure(), faulty);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Faults, testing::ValuesIn(all_faulty),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace alphasparse
