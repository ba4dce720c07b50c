// lanes_pairs: a fragment of CPUs gives the results of the GPU's of the same name, tile by tile, to
// the bit. ctest label: emulator
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <regex>
#include <set>

#include "runtime/emulated/device.h"
#include "templates/templates.h"
#include "tests/support/cpu_devices.h"
#include "tests/support/fragment_names.h"
#include "tests/support/fragment_pairs.h"

namespace alphasparse {
namespace {

/// The fragments that no call of their own compares.
const std::map<std::string, std::string> inside_others = {
    {"prelude", "words that all others are written in"},
    {"head_tail", "what thread_bitmap and thread_merge give back"},
    {"finite", "the totals of bands with gaps call it"},
};

TEST(LanesPairs, EveryPairedFragmentIsCalled) {
  std::set<std::string> called;
  for (const PairCall& call : pair_calls()) called.insert(std::string(call.fragment));
  const std::set<std::string> paired = paired_fragments();
  ASSERT_GT(paired.size(), 10u);
  for (const std::string& name : paired) {
    EXPECT_NE(called.contains(name), inside_others.contains(name))
        << name << ": call it in tests/kernels/pairs/calls.h and name the call in pair_calls()";
  }
  for (const std::string& name : called) EXPECT_TRUE(paired.contains(name)) << name;
  for (const auto& [name, why] : inside_others) EXPECT_TRUE(paired.contains(name)) << name;
}

/// Fragments for one thread take its values as plain numbers, those for a gang as one of each lane.
TEST(LanesPairs, EveryFormOfAFragmentIsCalled) {
  std::map<std::string, std::set<bool>> forms;
  for (const PairCall& call : pair_calls()) forms[std::string(call.fragment)].insert(call.gang > 0);
  for (const auto& [name, called] : forms) {
    const std::string text(template_text("lanes/" + name + ".h"));
    const std::regex definition("\\nINLINE [^;{}()]*\\b" + name + "\\(");
    const auto defined = std::distance(std::sregex_iterator(text.begin(), text.end(), definition),
                                       std::sregex_iterator());
    EXPECT_EQ(static_cast<std::size_t>(defined), called.size())
        << name << ": pair_calls() must have a call of each form";
  }
}

/// A type, registers of so many bytes, and more flags of g++.
struct Build {
  const char* name;
  Dtype dtype;
  int vector_bytes;
  std::vector<std::string> flags;
};

void PrintTo(const Build& build, std::ostream* out) { *out << build.name; }

const std::vector<Build> builds = {
    {"wide_float", Dtype::f32, 64, {}},
    {"usual_double", Dtype::f64, 32, {"-O3"}},  // as kernels are built for use
    {"float_of_any_x86", Dtype::f32, 16, {"-march=x86-64"}},
    {"complex_float", Dtype::c64, 32, {}},
    {"complex_double", Dtype::c128, 64, {}},
};

std::vector<Number> run_on_gpu(const PairTiles& tiles) {
  const auto y = tiles.run(*open_emulated_device("h200"), tiles.kernel(Target::gpu));
  EXPECT_TRUE(y) << y.reason();
  return y ? *y : std::vector<Number>();
}

class LanesPairsOf : public testing::TestWithParam<Build> {};

/// Each is other inputs.
int seeds() { return std::getenv("ALPHASPARSE_LONG") ? 20 : 1; }

void expect_the_same(const Build& build, int seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  const PairTiles tiles(build.dtype, seed);
  const std::vector<Number> gpu = run_on_gpu(tiles);
  ASSERT_FALSE(gpu.empty());
  const auto cpu =
      tiles.run(*cpu_device_of(1, build.vector_bytes, build.flags), tiles.kernel(Target::cpu));
  ASSERT_TRUE(cpu) << cpu.reason();
  for (std::size_t call = 0; call < pair_calls().size(); ++call) {
    EXPECT_EQ(tiles.difference(call, gpu, *cpu), "") << pair_calls()[call].name();
  }
}

TEST_P(LanesPairsOf, GiveTheSame) {
  for (int seed = 1; seed <= seeds(); ++seed) expect_the_same(GetParam(), seed);
}

INSTANTIATE_TEST_SUITE_P(All, LanesPairsOf, testing::ValuesIn(builds),
                         [](const auto& info) { return info.param.name; });

/// Text of a fragment for CPUs, and the faulty text for its place.
struct Fault {
  const char* fragment;
  const char* text;
  const char* wrong;
};

/// Lists that are planted one by one: every call meets a fault of one of them. Fragments that are
/// built on another one have a list apart, and so has a second form.
const std::vector<std::vector<Fault>> faults = {
    {{"thread_total", "Run<G> rest = entry.below(end)", "Run<G> rest = entry"},
     {"thread_total_ragged", "entry.below(next)", "entry"},
     {"thread_total_bits", "bits >> first_bit", "bits"},
     {"thread_total_band", "value_of(cell * step + entry)", "value_of(entry)"},
     {"thread_total_band", "block_x[cell % COLS]", "block_x[0]"},
     {"thread_bitmap", "++part.last", "--part.last"},
     {"thread_bitmap", "part.last[lane] = open.of[lane] +", "part.last[lane] = open.of[lane] -"},
     {"thread_merge", "row < last_row", "row + 1 < last_row"},
     {"warp_total", "all[0] + all[1]", "all[0] - all[1]"},
     {"warp_bitmap", "++segment", "segment += 2"},
     {"global_store", "sum + old", "sum - old"},
     {"global_store", "= sums[lane]", "= -sums[lane]"},
     {"global_add", "out[row] += out.alpha", "out[row] -= out.alpha"},
     {"global_atomic", "row == out.carry_row", "row > out.carry_row"},
     {"global_init", "out[row] = out.beta == 0 ? Value(0)", "out[row] = out.beta == 0 ? 1"},
     {"packed_bits", ">> head % 32", ">> head % 31"},
     {"packed_fields", "index * width", "index * (width - 1)"},
     {"packed_bytes", "head >> 2", "head >> 3"},
     {"run_number", "first_run +", "first_run -"}},
    {{"thread_total", "int entry = first; entry < end", "int entry = first; entry + 1 < end"},
     {"thread_total_sums", "sums[0] += sums[k]", "sums[0] += sums[0]"},
     {"thread_total_band_gaps", "term(entry + k * step, block, k)", "term(entry, block, k)"},
     {"warp_segment", "open[lane - 1] + part.head", "open[lane - 1] - part.head"}},
};

const std::map<std::string, std::string> built_on = {
    {"thread_total_sums", "thread_total"},
    {"thread_total_band_gaps", "thread_total_band"},
    {"warp_segment", "thread_bitmap"}};

/// The source with all faults in it, at each place of their texts.
std::string planted(std::string source, const std::vector<Fault>& some) {
  for (const Fault& fault : some) {
    const std::string text = fault.text;
    std::size_t at = source.find(text);
    EXPECT_NE(at, std::string::npos) << "plant another fault in " << fault.fragment;
    for (; at != std::string::npos; at = source.find(text, at + std::strlen(fault.wrong))) {
      source.replace(at, text.size(), fault.wrong);
    }
  }
  return source;
}

TEST(LanesPairs, EveryCallFindsAPlantedFaultAndNoneBesides) {
  const PairTiles tiles(Dtype::f32, 1);
  const std::vector<Number> gpu = run_on_gpu(tiles);
  ASSERT_FALSE(gpu.empty());
  const std::unique_ptr<Device> device = cpu_device_of(1, 32);
  std::set<std::size_t> failed;
  for (const std::vector<Fault>& some : faults) {
    Kernel kernel = tiles.kernel(Target::cpu);
    kernel.source = planted(kernel.source, some);
    const auto cpu = tiles.run(*device, kernel);
    ASSERT_TRUE(cpu) << cpu.reason();
    std::set<std::string> expected, found;
    for (const Fault& fault : some) expected.insert(fault.fragment);
    for (const auto& [name, base] : built_on) {
      if (expected.contains(base)) expected.insert(name);
    }
    for (std::size_t call = 0; call < pair_calls().size(); ++call) {
      if (tiles.difference(call, gpu, *cpu).empty()) continue;
      found.emplace(pair_calls()[call].fragment);
      failed.insert(call);
    }
    EXPECT_EQ(found, expected);
  }
  for (std::size_t call = 0; call < pair_calls().size(); ++call) {
    EXPECT_TRUE(failed.contains(call)) << pair_calls()[call].name();
  }
}

}  // namespace
}  // namespace alphasparse
