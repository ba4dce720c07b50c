#include "tests/support/fragment_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "generator/text/fragment_text.h"
#include "generator/text/kernel_text.h"
#include "runtime/device/expectations.h"
#include "tests/support/csr_kernels.h"
#include "tests/support/files.h"
#include "tests/support/fragment_names.h"
#include "tests/support/pair_tiles.h"

namespace alphasparse {

namespace {

constexpr double untold = 0.5;  // in y, where nothing was told: all that is told is an integer
constexpr int pads = 2 * pair_lanes_most;  // behind a tile's values, which a gang may read

using Told = std::array<double, 4>;  // kind, number, and both parts of the value
constexpr double too_much = 8;       // as a kind, in words.h

/// Numbers, in which one NaN is like another, so that they can be put in order.
double in_order(double number) {
  return std::isnan(number) ? std::numeric_limits<double>::max() : number;
}

/// A number of the tiles as the type has it: the imaginary part is an integer too.
Number number_of(double real, Dtype dtype) {
  if (!number_type(dtype).is_complex() || real == 0) return real;
  return {real, std::fmod(std::abs(3 * real) + 1, 5) - 2};
}

std::vector<std::byte> bytes_of(const std::vector<double>& numbers, Dtype dtype) {
  return to_device(dtype, numbers.size(),
                   [&](std::size_t i) { return number_of(numbers[i], dtype); });
}

/// The reports in a tile's part of y, in order.
std::vector<Told> told_in(const Number* y, std::size_t size) {
  std::vector<Told> all;
  for (const Number* at = y; at + 3 <= y + size; at += 3) {
    if (at[0].re == untold) continue;
    all.push_back({at[0].re, at[1].re, in_order(at[2].re), in_order(at[2].im)});
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// The rows of a tile, as if told.
std::vector<Told> rows_in(const Number* y, std::size_t size) {
  std::vector<Told> all;
  for (std::size_t row = 0; row < size; ++row) {
    all.push_back({-1, static_cast<double>(row), in_order(y[row].re), in_order(y[row].im)});
  }
  return all;
}

bool has_too_much(const std::vector<Told>& all) {
  return std::any_of(all.begin(), all.end(), [](const Told& told) { return told[0] == too_much; });
}

std::string words_of(const Told& told) {
  static const std::vector<std::string> kinds = {"row of y", "emit", "edge",   "result", "head",
                                                 "tail",     "last", "begins", "open"};
  const auto kind = static_cast<std::size_t>(told[0] + 1);
  return fmt::format("{} {}: {}{:+}i", kind < kinds.size() ? kinds[kind] : "?", told[1], told[2],
                     told[3]);
}

/// The reports that the first has and the second lacks.
std::string only_in(const std::vector<Told>& first, const std::vector<Told>& second) {
  std::vector<Told> only;
  std::set_difference(first.begin(), first.end(), second.begin(), second.end(),
                      std::back_inserter(only));
  return only.empty() ? "nothing more"
                      : fmt::format("{} ({} such)", words_of(only[0]), only.size());
}

std::string text_of(const PairTile& tile) {
  return fmt::format(
      "lanes {} first {} end {} step {} carry_row {} alpha {} beta {} starts {:x} {:x} {:x} ...",
      tile.lanes, tile.first, tile.end, tile.step, tile.carry_row, tile.alpha, tile.beta,
      tile.starts[0], tile.starts[1], tile.starts[2]);
}

/// One entry a tile.
template <class Member>
std::vector<int> of_tiles(const std::vector<PairTile>& tiles, Member member) {
  std::vector<int> all;
  for (const PairTile& tile : tiles) all.push_back(tile.*member);
  return all;
}

/// One entry a lane of a tile.
template <class Entry, class Member>
std::vector<Entry> of_lanes(const std::vector<PairTile>& tiles, Member member) {
  std::vector<Entry> all;
  for (const PairTile& tile : tiles) {
    all.insert(all.end(), (tile.*member).begin(), (tile.*member).end());
  }
  return all;
}

}  // namespace

std::string PairCall::name() const {
  return fmt::format("{}{}, {}", fragment, number > 0 ? fmt::format("<{}>", number) : "",
                     gang > 0 ? fmt::format("gangs of {}", gang) : "threads one by one");
}

const std::vector<PairCall>& pair_calls() {
  static const std::vector<PairCall> calls = {
      {"thread_total", 0, 0, 1, total_tile},
      {"thread_total", 0, 4, 1, total_tile},
      {"thread_total", 0, 32, 1, total_tile},
      {"thread_total", 0, 64, 1, total_tile},
      {"thread_total_sums", 2, 0, 1, total_tile},
      {"thread_total_sums", 4, 0, 1, total_tile},
      {"thread_total_sums", 2, 32, 1, total_tile},
      {"thread_total_sums", 4, 8, 1, total_tile},
      {"thread_total_ragged", 0, 8, 1, ragged_tile},
      {"thread_total_ragged", 0, 32, 1, ragged_tile},
      {"thread_total_bits", 4, 0, 1, bits_tile},
      {"thread_total_bits", 8, 0, 1, bits_tile},
      {"thread_total_band", 33, 0, 3, band_tile},
      {"thread_total_band", 24, 0, 2, band_tile},
      {"thread_total_band", 33, 8, 3, band_tile},
      {"thread_total_band", 42, 32, 4, band_tile},
      {"thread_total_band_gaps", 22, 0, 2, band_tile},
      {"thread_total_band_gaps", 33, 8, 3, band_tile},
      {"thread_total_band_gaps", 48, 32, 4, band_tile},
      {"thread_bitmap", 1, 0, 7, bitmap_tile},
      {"thread_bitmap", 13, 0, 19, bitmap_tile},
      {"thread_bitmap", 1, 32, 7, bitmap_tile},
      {"thread_bitmap", 8, 32, 14, bitmap_tile},
      {"thread_bitmap", 13, 32, 19, bitmap_tile},
      {"thread_bitmap", 32, 32, 38, bitmap_tile},
      {"thread_merge", 0, 0, 34, merge_tile},
      {"warp_total", 2, 2, 1, lanes_tile},
      {"warp_total", 8, 8, 1, lanes_tile},
      {"warp_total", 32, 32, 1, lanes_tile},
      {"warp_bitmap", 0, 32, 2, lanes_tile},
      {"warp_segment", 1, 32, 4, bitmap_tile},
      {"warp_segment", 13, 32, 16, bitmap_tile},
      {"warp_segment", 32, 32, 35, bitmap_tile},
      {"global_store", 0, 0, 0, one_writer_tile},
      {"global_store", 0, 32, 0, one_writer_tile},
      {"global_add", 0, 0, 0, one_writer_tile},
      {"global_add", 0, 32, 0, one_writer_tile},
      {"global_atomic", 0, 0, 0, many_writers_tile},
      {"global_atomic", 0, 32, 0, many_writers_tile},
      {"global_init", 0, 0, 0, one_writer_tile},
      {"packed_bits", 0, 0, 2, words_tile},
      {"packed_bits", 0, 8, 2, words_tile},
      {"packed_fields", 4, 0, 2, words_tile},
      {"packed_fields", 13, 0, 2, words_tile},
      {"packed_fields", 31, 8, 2, words_tile},
      {"packed_bytes", 0, 0, 2, words_tile},
      {"packed_bytes", 0, 8, 2, words_tile},
      {"run_number", 0, 0, 1, words_tile},
  };
  return calls;
}

PairTiles::PairTiles(Dtype dtype, std::uint64_t seed) : dtype_(dtype) {
  const std::vector<PairCall>& calls = pair_calls();
  for (std::size_t call = 0; call < calls.size(); ++call) {
    Random random(seed, call);
    for (int number = 0; number < of_a_call; ++number) {
      tiles_.push_back(calls[call].tile(calls[call], number, random));
      PairTile& tile = tiles_.back();
      tile.value.insert(tile.value.end(), pads, std::nan(""));
      std::vector<double> y = tile.y;
      if (y.empty()) y.assign(std::size_t{3} * pair_lanes_most * calls[call].told_most, untold);
      regions_.push_back({y_.size(), y.size()});
      y_.insert(y_.end(), y.begin(), y.end());
    }
  }
}

/// One kernel, or part, a call: a block, or a unit, is a tile.
std::string PairTiles::call_text(std::size_t call, Target target,
                                 const std::vector<Array>& arrays) const {
  const PairCall& called = pair_calls()[call];
  const std::size_t tile = call * of_a_call;
  const std::string unit = target == Target::gpu ? "int(blockIdx.x)" : "unit";
  const Code run = code(
      "run<{}>($f, {} + {}, &$out[{} + {} * {}], {}, [](Tile& tile, auto lane) {{ "
      "call_{}{}(tile, "
      "lane); }});",
      called.gang, tile, unit, regions_[tile].first, regions_[tile].size, unit, called.told_most,
      called.fragment, called.number > 0 ? fmt::format("<{}>", called.number) : "");
  if (target == Target::gpu) {
    std::vector<Code> names;
    std::vector<PointerParameter> pointers;
    for (const Array& array : arrays) {
      const std::string type = array.is_value() ? "Value" : element_cuda_name(array.type);
      pointers.push_back({"const " + type, array.name + "_"});
      names.push_back(Code::named(pointers.back().name));
    }
    return written({.name = fmt::format("call_{}", call),
                    .description = "A tile is a block.",
                    .threads = pair_lanes_most,
                    .body = code("  {}\n", run),
                    .format = code("const Format f{{{}}};", joined(names, ", "))},
                   pointers)
        .text;
  }
  return fmt::format(
      "static void call_{}(const Format& f, Input, Output out, int unit, int end) {{\n"
      "  for (; unit < end; ++unit) {}\n}}\n",
      call, run.text());
}

Kernel PairTiles::kernel(Target target) const {
  const bool cpu = target == Target::cpu;
  const std::set<std::string> paired = paired_fragments();
  std::vector<std::string_view> names(paired.begin(), paired.end());
  if (cpu) names.push_back("part");
  Kernel kernel;
  kernel.design = "fragments, tile by tile";
  kernel.dtype = dtype_;
  kernel.target = target;
  kernel.rows = static_cast<std::int32_t>(y_.size());
  kernel.cols = 1;
  std::vector<int> list_first, value_first, list;
  std::vector<double> alpha, beta, value;
  for (const PairTile& tile : tiles_) {
    list_first.push_back(static_cast<int>(list.size()));
    list.insert(list.end(), tile.list.begin(), tile.list.end());
    value_first.push_back(static_cast<int>(value.size()));
    value.insert(value.end(), tile.value.begin(), tile.value.end());
    alpha.push_back(tile.alpha);
    beta.push_back(tile.beta);
  }
  const auto ints = [&](const char* name, const std::vector<int>& entries) {
    kernel.arrays.push_back(make_array(name, ElementType::i32, entries));
  };
  const auto values = [&](const char* name, const std::vector<double>& entries) {
    Array& array = kernel.arrays.emplace_back();
    array.name = name;
    array.type = number_type(dtype_).element;
    array.count = static_cast<std::int64_t>(entries.size());
    array.bytes = bytes_of(entries, dtype_);
  };
  ints("lanes", of_tiles(tiles_, &PairTile::lanes));
  ints("first", of_tiles(tiles_, &PairTile::first));
  ints("end", of_tiles(tiles_, &PairTile::end));
  ints("step", of_tiles(tiles_, &PairTile::step));
  ints("carry_row", of_tiles(tiles_, &PairTile::carry_row));
  ints("list_first", list_first);
  ints("value_first", value_first);
  kernel.arrays.push_back(
      make_array("starts", ElementType::u32, of_lanes<unsigned>(tiles_, &PairTile::starts)));
  ints("open", of_lanes<int>(tiles_, &PairTile::open));
  ints("row", of_lanes<int>(tiles_, &PairTile::row));
  ints("list", list);
  values("alpha", alpha);
  values("beta", beta);
  values("value", value);

  kernel.source = fragment_text(names, dtype_, target);
  for (const char* file : {"words.h", cpu ? "cpu.h" : "gpu.cuh", "calls.h"}) {
    kernel.source += "\n" + source_text(std::string("tests/kernels/pairs/") + file);
  }
  std::string parts;
  for (std::size_t call = 0; call < pair_calls().size(); ++call) {
    kernel.source += "\n" + call_text(call, target, kernel.arrays);
    const std::string name = fmt::format("call_{}", call);
    kernel.launches.push_back({name, of_a_call, cpu ? 0 : pair_lanes_most});
    parts += fmt::format("    {{{}, {}, nullptr, nullptr}},\n", name, int{of_a_call});
  }
  if (cpu) kernel.source += "\nstatic const Part parts[] = {\n" + parts + "};\n";
  return kernel;
}

Result<std::vector<Number>> PairTiles::run(Device& device, const Kernel& kernel) const {
  const auto loaded = device.load(kernel);
  if (!loaded) return loaded.failure();
  SpmvCase input;
  input.name = "tiles";
  input.x = bytes_of({0}, dtype_);
  input.y = bytes_of(y_, dtype_);
  std::vector<SpmvCase> cases(2, input);
  cases[1].name = "tiles, lanes reversed";
  cases[1].lanes_reversed = true;
  const auto outcomes = (*loaded)->run(cases);
  if (!outcomes) return outcomes.failure();
  if ((*outcomes)[0].y != (*outcomes)[1].y) {
    return Failure{Status::wrong_result, "two runs of the same tiles differ"};
  }
  std::vector<Number> y;
  for (std::size_t i = 0; i < y_.size(); ++i)
    y.push_back(number_from_device(dtype_, (*outcomes)[0].y, i));
  return y;
}

std::string PairTiles::tile_difference(const PairTile& tile, const Region& region,
                                       const std::vector<Number>& gpu,
                                       const std::vector<Number>& cpu) const {
  const auto read = tile.y.empty() ? told_in : rows_in;
  const std::vector<Told> of_gpu = read(&gpu[region.first], region.size);
  const std::vector<Told> of_cpu = read(&cpu[region.first], region.size);
  if (has_too_much(of_gpu) || has_too_much(of_cpu)) return "a lane tells more than told_most";
  if (of_gpu == of_cpu) return "";
  return fmt::format("the GPU's alone: {}; the CPU's alone: {}; {}", only_in(of_gpu, of_cpu),
                     only_in(of_cpu, of_gpu), text_of(tile));
}

std::string PairTiles::difference(std::size_t call, const std::vector<Number>& gpu,
                                  const std::vector<Number>& cpu) const {
  for (int number = 0; number < of_a_call; ++number) {
    const std::size_t tile = call * of_a_call + number;
    const std::string found = tile_difference(tiles_[tile], regions_[tile], gpu, cpu);
    if (!found.empty()) return fmt::format("tile {}: {}", number, found);
  }
  return "";
}

}  // namespace alphasparse
