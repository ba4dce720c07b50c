// stored_values: values of 64 bits lie in a format as float where that loses nothing, or on
// request. Then the kernel says how much was lost.
// ctest label: emulator
#include "generator/arrays/stored_values.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>

#include "runtime/emulated/device.h"
#include "search/trial/trial.h"
#include "tests/support/battery.h"
#include "tests/support/design_check.h"

namespace alphasparse {
namespace {

#define PLAIN "compress | thread_rows rows=1 | thread_total | global_store | "
#define PADDED \
  "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | "
#define ONLY "compact columns=full structure=full values="

/// A matrix of so many rows, of lengths 1 to 3; the k-th value is k + 0.5.
Matrix numbered(int rows) {
  std::vector<std::vector<std::pair<int, double>>> entries(rows);
  int next = 0;
  for (int row = 0; row < rows; ++row) {
    for (int k = 0; k <= row % 3; ++k) entries[row].push_back({(row + k) % rows, next++ + 0.5});
  }
  return from_rows(rows, entries);
}

/// The same with one value that no float is.
Matrix numbered_with(int rows, double value) {
  Matrix matrix = numbered(rows);
  matrix.value[matrix.value.size() / 2] = value;
  return matrix;
}

Kernel build(const Matrix& matrix, const std::string& design, Dtype dtype = Dtype::f64) {
  const Result<Kernel> kernel = Designer(matrix).build(design, dtype);
  EXPECT_TRUE(kernel.ok()) << design << ": " << (kernel.ok() ? "" : kernel.reason());
  return kernel.ok() ? *kernel : Kernel{};
}

const Array& array_of(const Kernel& kernel, const std::string& name) {
  for (const Array& array : kernel.arrays) {
    if (array.name == name) return array;
  }
  ADD_FAILURE() << "no array " << name;
  return kernel.arrays.front();
}

bool has_array(const Kernel& kernel, const std::string& name) {
  for (const Array& array : kernel.arrays) {
    if (array.name == name) return true;
  }
  return false;
}

TEST(StoredValues, AFloatIsWhatComesBackBitForBit) {
  using Float = std::numeric_limits<float>;
  for (const double value : {0.0, -0.0, 0.5, -3.0, 16777216.0, double{Float::max()},
                             double{Float::min()}, -double{Float::min()}}) {
    EXPECT_TRUE(is_single(value)) << value;
  }
  // Exact as denormal floats, which fast arithmetic reads as 0.
  for (const double value : {double{Float::denorm_min()}, 0x1p-127, -0x1.8p-130}) {
    EXPECT_FALSE(is_single(value)) << value;
  }
  for (const double value : {0.1, 16777217.0, std::nextafter(1.0, 2.0), 1e-50, 1e300, -1e39}) {
    EXPECT_FALSE(is_single(value)) << value;
  }
}

/// All parts one behind the other; each is a part of `most` bytes at most.
template <class Parts>
std::vector<std::byte> joined(const Parts& parts, std::size_t most) {
  std::vector<std::byte> all;
  parts([&](std::span<const std::byte> part) {
    EXPECT_LE(part.size(), most);
    all.insert(all.end(), part.begin(), part.end());
  });
  return all;
}

// More entries than one part has. Neighbours lie in order, far apart, or are pads.
TEST(StoredValues, AreMadeInPartsAsTheyAreMadeAtOnce) {
  constexpr std::int32_t stride = 5000, count = 1000 * stride;
  std::vector<double> canonical(count);
  std::vector<std::byte> integers(count);
  for (std::int32_t nz = 0; nz < count; ++nz) {
    canonical[nz] = 1.0 / (nz + 1);
    integers[nz] = static_cast<std::byte>(nz % 100);
  }
  std::vector<std::int32_t> in_order(count), apart(count), padded(count);
  for (std::int32_t i = 0; i < count; ++i) {
    in_order[i] = i;
    apart[i] = i % stride * (count / stride) + i / stride;
    padded[i] = i % 3 == 0 ? -1 : i / 3;
  }
  for (const auto& source : {in_order, apart, padded}) {
    for (const auto& [choice, dtype] :
         {std::pair(ValueChoice::full, Dtype::f32), std::pair(ValueChoice::full, Dtype::f64),
          std::pair(ValueChoice::rounded, Dtype::f64)}) {
      const Array made = value_array(choice, dtype, canonical, source);
      const Array unmade = unmade_value_array(choice, dtype, canonical, source);
      ASSERT_TRUE(unmade.bytes.empty());
      const std::size_t most = made.bytes.size() / 2;
      EXPECT_TRUE(joined([&](const auto& take) { for_bytes(unmade, take); }, most) == made.bytes);
      const auto expected = [&](std::int32_t i) {
        return source[i] < 0 ? 0 : static_cast<int>(integers[source[i]]);
      };
      const std::vector<std::byte> placed = make_values(unmade, integers);
      ASSERT_EQ(placed.size(), made.bytes.size());
      for (std::int32_t i = 0; i < count; i += 997) {
        const ElementType type = made.type;
        double found = 0;
        float single = 0;
        std::memcpy(&single, placed.data() + i * sizeof single, sizeof single);
        if (type == ElementType::f64) std::memcpy(&found, placed.data() + i * sizeof found, 8);
        EXPECT_EQ(type == ElementType::f64 ? found : single, expected(i)) << i;
      }
    }
  }
}

TEST(StoredValues, AreFloatsWhereAllAreExact) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const Matrix matrix = numbered(100);
  for (const char *const design :
       {PLAIN ONLY "coded | launch threads=64", PLAIN ONLY "single | launch threads=64",
        PLAIN ONLY "rounded | launch threads=64", PADDED ONLY "coded | launch threads=64",
        PADDED ONLY "single | launch threads=64 cache=streamed",
        "compress | warp_nnz nnz=128 | thread_nnz nnz=4 | interleave | thread_bitmap | "
        "warp_segment | global_atomic | compact values=single | launch threads=64",
        "bitmap_block_peel cols=4 share=0 { " PLAIN ONLY "single | launch threads=64 } { "
        "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=64 }"}) {
    SCOPED_TRACE(design);
    const Kernel kernel = build(matrix, design);
    for (const Array& array : kernel.arrays) {
      if (array.is_value() && !array.name.starts_with("branch_2")) {
        EXPECT_EQ(array.type, ElementType::f32) << array.name;
        EXPECT_EQ(array.bytes.size(), 4 * static_cast<std::size_t>(array.count));
      }
    }
    EXPECT_EQ(kernel.value_error, 0);
    EXPECT_EQ(kernel_problem(*device, kernel, matrix), "");
  }
}

TEST(StoredValues, MoreThanADictionaryTakesBecomeFloats) {
  const Matrix matrix = numbered(35'000);
  ASSERT_GT(matrix.nnz(), 1 << 16);
  const Kernel kernel = build(matrix, PLAIN "compact | launch threads=256");
  EXPECT_FALSE(has_array(kernel, "value_dictionary"));
  EXPECT_EQ(array_of(kernel, "value").type, ElementType::f32);
  EXPECT_EQ(kernel_problem(*open_emulated_device("h200"), kernel, matrix, false), "");
}

TEST(StoredValues, OneThatIsNoFloatKeepsAllOfThem) {
  const Matrix matrix = numbered_with(100, 0.1);
  for (const char* const choice : {"coded", "single"}) {
    const Kernel kernel =
        build(matrix, fmt::format(PLAIN "compact values={} | launch threads=64", choice));
    EXPECT_EQ(array_of(kernel, "value").type, ElementType::f64) << choice;
    EXPECT_EQ(kernel.value_error, 0);
  }
}

TEST(StoredValues, RoundedOnesSayWhatWasLost) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  for (const auto& [value, error] : {std::pair{0.1, 1.4901161138336505e-08},
                                     {1e-50, 1.0},
                                     {0x1p-130, 1.0},
                                     {-0.0, 0.0},
                                     {16777217.0, 5.96e-8}}) {
    SCOPED_TRACE(value);
    const Matrix matrix = numbered_with(100, value);
    for (const char *const design :
         {PLAIN ONLY "rounded | launch threads=64", PADDED ONLY "rounded | launch threads=64"}) {
      const Kernel kernel = build(matrix, design);
      const Array& array = array_of(kernel, "value");
      EXPECT_EQ(array.type, ElementType::f32);
      EXPECT_NEAR(kernel.value_error, error, error * 1e-3);
      EXPECT_EQ(kernel_problem(*device, kernel, matrix), "");
      for (std::size_t i = 0; i < array.value_source.size(); ++i) {
        float stored;
        std::memcpy(&stored, array.bytes.data() + i * sizeof stored, sizeof stored);
        const std::int32_t nz = array.value_source[i];
        EXPECT_EQ(stored, nz < 0 ? 0 : narrowed(matrix.value[nz]));
        EXPECT_NE(std::fpclassify(stored), FP_SUBNORMAL);
      }
    }
  }
}

TEST(StoredValues, OfOneTriangleAreRounded) {
  const Matrix matrix =
      from_rows(3, {{{0, 0.1}, {1, 0.2}}, {{0, 0.2}, {2, 0.3}}, {{1, 0.3}, {2, 4.0}}});
  const Kernel kernel = build(matrix,
                              "symmetric_half | compress | thread_rows rows=1 | thread_total | "
                              "global_atomic | compact values=rounded | launch threads=64");
  EXPECT_GT(kernel.value_error, 0);
  EXPECT_EQ(kernel_problem(*open_emulated_device("h200"), kernel, matrix), "");
}

TEST(StoredValues, ABranchRoundsItsOwn) {
  const Matrix matrix = numbered_with(100, 0.1);
  const std::string branches =
      "bin_rows at=3 { " PLAIN ONLY "rounded | launch threads=64 } { " PLAIN ONLY
      "single | launch threads=64 }";
  const Kernel kernel = build(matrix, branches);
  const Array& first = array_of(kernel, "branch_1.value");
  const Array& second = array_of(kernel, "branch_2.value");
  EXPECT_NE(first.value_error > 0, second.type == ElementType::f64) << "0.1 is in one of them";
  EXPECT_TRUE(first.rounded && !second.rounded);
  EXPECT_EQ(kernel.value_error, first.value_error);
  EXPECT_EQ(kernel_problem(*open_emulated_device("h200"), kernel, matrix), "");
}

TEST(StoredValues, OfADictionaryAreFloatsToo) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  for (const auto& [value, type] :
       {std::pair{3.0, ElementType::f32}, {0.1, ElementType::f64}, {1e300, ElementType::f64}}) {
    Matrix matrix = numbered(300);
    for (std::size_t nz = 0; nz < matrix.value.size(); ++nz) {
      matrix.value[nz] = nz % 3 == 0 ? 0.5 : nz % 3 == 1 ? -0.0 : value;
    }
    for (const char *const design :
         {PLAIN ONLY "coded | launch threads=64", PADDED "compact | launch threads=64"}) {
      const Kernel kernel = build(matrix, design);
      EXPECT_EQ(array_of(kernel, "value_dictionary").type, type) << value;
      EXPECT_EQ(kernel.value_error, 0);
      EXPECT_EQ(kernel_problem(*device, kernel, matrix), "") << value << " " << design;
    }
    EXPECT_FALSE(
        has_array(build(matrix, PLAIN ONLY "single | launch threads=64"), "value_dictionary"));
  }
}

TEST(StoredValues, OfFloatsAreLeftAsTheyAre) {
  const Matrix matrix = numbered_with(100, 0.1);
  const auto content = [&](const std::string& choice) {
    const std::string design =
        fmt::format(PLAIN "compact columns=packed values={} | launch threads=64", choice);
    Kernel kernel = build(matrix, design, Dtype::f32);
    EXPECT_EQ(kernel.value_error, 0);
    for (const Array& array : kernel.arrays) EXPECT_FALSE(array.rounded);
    return kernel.source.substr(kernel.source.find("\n\n"));  // behind the design
  };
  EXPECT_EQ(content("single"), content("full"));
  EXPECT_EQ(content("rounded"), content("full"));
}

TEST(StoredValues, WhatNoFloatIsNearIsRefused) {
  Matrix matrix = numbered_with(100, -1e300);
  matrix.value.back() = 1e39;
  const auto reason = [&](const std::string& design) {
    const Result<Kernel> kernel = Designer(matrix).build(design, Dtype::f64);
    EXPECT_EQ(kernel.ok() ? Status::ok : kernel.failure().status, Status::pruned);
    return kernel.ok() ? "" : kernel.reason();
  };
  const std::string why =
      "compact: -1e+300 (row 50, column 50, counted from 0) is too large for a float; use "
      "values=single";
  EXPECT_EQ(reason(PLAIN ONLY "rounded | launch threads=64"), why);
  EXPECT_EQ(reason("sort_rows | " PADDED ONLY "rounded | launch threads=64"), why)
      << "the first in the canonical order";
  EXPECT_TRUE(Designer(matrix).build(PLAIN "compact | launch threads=64", Dtype::f64).ok());
}

TEST(StoredValues, WhatIsRoundedWithoutAWordIsFoundOut) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const Matrix matrix = numbered_with(100, 0.1);
  const Kernel right = build(matrix, PLAIN ONLY "rounded | launch threads=64");
  Kernel silent = right;
  for (Array& array : silent.arrays) array.rounded = false;
  EXPECT_NE(kernel_problem(*device, silent, matrix, false).find("wrong result in case 'rounded'"),
            std::string::npos);
  Kernel wrong = right;
  for (Array& array : wrong.arrays) {
    if (array.is_value()) array.bytes[4 * 7] ^= std::byte{1};  // the next float
  }
  EXPECT_NE(kernel_problem(*device, wrong, matrix, false).find("wrong result in case 'rounded'"),
            std::string::npos);
}

TEST(StoredValues, ArePrunedWhereOtherValuesMayCome) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const Matrix matrix = numbered(100);
  TuneOptions options;
  options.dtype = Dtype::f64;
  const auto tried = [&](const std::string& choice) {
    const std::string design = PLAIN ONLY + choice + " | launch threads=64";
    return Trial(matrix, *device, options).run(design, {});
  };
  EXPECT_EQ(tried("single").status, Status::ok);
  EXPECT_EQ(tried("coded").status, Status::ok);
  options.values_vary = true;
  for (const char* const choice : {"single", "coded"}) {
    EXPECT_EQ(tried(choice).status, Status::pruned);
    EXPECT_EQ(
        tried(choice).reason,
        "stores values as float, which --values varying forbids: others need not be exact so");
  }
  options.may_round = true;
  EXPECT_EQ(tried("rounded").status, Status::pruned);
}

TEST(StoredValues, AreRoundedOnlyWhereThatIsAskedFor) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const Matrix matrix = numbered_with(100, 0.1);
  const std::string design = PLAIN ONLY "rounded | launch threads=64";
  TuneOptions options;
  options.dtype = Dtype::f64;
  const Measurement pruned = Trial(matrix, *device, options).run(design, {});
  EXPECT_EQ(pruned.status, Status::pruned);
  EXPECT_EQ(pruned.reason, "rounds values, which only --values-precision f32 allows");
  options.may_round = true;
  EXPECT_EQ(Trial(matrix, *device, options).run(design, {}).status, Status::ok);
}

/// The numbered matrix with a number of quarters in each imaginary part, and one value of its own.
Matrix complex_with(int rows, const Number& value) {
  Matrix matrix = numbered_with(rows, value.re);
  for (std::int32_t nz = 0; nz < matrix.nnz(); ++nz) matrix.imag.push_back(nz * 0.25 - 10);
  matrix.imag[matrix.value.size() / 2] = value.im;
  return matrix;
}

TEST(StoredComplexValues, AreFloatsWhereBothPartsAreExact) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  for (const char *const design : {PLAIN ONLY "single | launch threads=64",
                                   PADDED ONLY "coded | launch threads=64 cache=streamed"}) {
    for (const auto& [value, type] : {std::pair{Number(0.5, -0.0), ElementType::c64},
                                      {{0.5, 0.1}, ElementType::c128},
                                      {{0.1, 0.5}, ElementType::c128},
                                      {{0.5, 0x1p-130}, ElementType::c128}}) {
      const Matrix matrix = complex_with(100, value);
      const Kernel kernel = build(matrix, design, Dtype::c128);
      for (const Array& array : kernel.arrays)
        EXPECT_TRUE(!array.is_value() || array.type == type) << value.re << " " << value.im;
      EXPECT_EQ(kernel.value_error, 0);
      EXPECT_EQ(kernel_problem(*device, kernel, matrix), "") << design;
    }
  }
}

TEST(StoredComplexValues, OfARealMatrixAreReal) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const Matrix matrix = numbered_with(100, 0.1);
  for (const auto& [choice, dtype, type] : {std::tuple{"full", Dtype::c64, ElementType::f32},
                                            {"full", Dtype::c128, ElementType::f64},
                                            {"single", Dtype::c128, ElementType::f64},
                                            {"rounded", Dtype::c128, ElementType::f32},
                                            {"rounded", Dtype::c64, ElementType::f32}}) {
    const Kernel kernel = build(
        matrix, fmt::format(PLAIN "compact columns=packed values={} | launch threads=64", choice),
        dtype);
    EXPECT_EQ(array_of(kernel, "value").type, type) << choice;
    EXPECT_EQ(kernel.value_error > 0, type == ElementType::f32 && dtype == Dtype::c128);
    EXPECT_EQ(kernel_problem(*device, kernel, matrix), "") << choice;
  }
  const Kernel exact = build(numbered(100), PLAIN ONLY "single | launch threads=64", Dtype::c128);
  EXPECT_EQ(array_of(exact, "value").type, ElementType::f32);
}

TEST(StoredComplexValues, RoundedOnesSayWhatWasLostInEitherPart) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  for (const auto& [value, error] : {std::pair{Number(0.5, 0.1), 1.4901161138336505e-08},
                                     {{0.1, 0.5}, 1.4901161138336505e-08},
                                     {{1e-50, 2}, 1.0},
                                     {{2, -0.0}, 0.0}}) {
    const Matrix matrix = complex_with(100, value);
    const Kernel kernel = build(matrix, PLAIN ONLY "rounded | launch threads=64", Dtype::c128);
    const Array& array = array_of(kernel, "value");
    EXPECT_EQ(array.type, ElementType::c64);
    EXPECT_EQ(array.bytes.size(), 8 * static_cast<std::size_t>(array.count));
    EXPECT_NEAR(kernel.value_error, error, error * 1e-3);
    EXPECT_EQ(kernel_problem(*device, kernel, matrix), "") << value.re << " " << value.im;
  }
}

TEST(StoredComplexValues, OfADictionaryMayDifferInOnePart) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const std::vector<Number> values = {{1, 2}, {1, -2}, {-1, 2}, {2, 1}, {1, 0.0}, {1, -0.0}};
  Matrix matrix = numbered(300);
  for (std::size_t nz = 0; nz < matrix.value.size(); ++nz) {
    matrix.value[nz] = values[nz % values.size()].re;
    matrix.imag.push_back(values[nz % values.size()].im);
  }
  for (const Dtype dtype : {Dtype::c64, Dtype::c128}) {
    const Kernel kernel = build(matrix, PLAIN ONLY "coded | launch threads=64", dtype);
    const Array& dictionary = array_of(kernel, "value_dictionary");
    EXPECT_EQ(dictionary.type, ElementType::c64);
    ASSERT_EQ(dictionary.count, static_cast<std::int64_t>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      Complex<float> stored;
      std::memcpy(&stored, dictionary.bytes.data() + i * sizeof stored, sizeof stored);
      EXPECT_EQ(stored, Complex<float>(values[i])) << i;
      EXPECT_EQ(std::signbit(stored.im), std::signbit(values[i].im)) << i;
    }
    EXPECT_EQ(kernel_problem(*device, kernel, matrix), "") << dtype_name(dtype);
    const Kernel padded = build(matrix, PADDED "compact | launch threads=64", dtype);
    EXPECT_EQ(array_of(padded, "value_dictionary").count, dictionary.count + 1) << "pads";
    EXPECT_EQ(kernel_problem(*device, padded, matrix), "") << dtype_name(dtype);
  }
}

TEST(StoredComplexValues, WhatNoFloatIsNearIsRefusedInEitherPart) {
  for (const Number& value : {Number(1, 1e39), Number(1e39, 1)}) {
    const Result<Kernel> kernel = Designer(complex_with(100, value))
                                      .build(PLAIN ONLY "rounded | launch threads=64", Dtype::c128);
    ASSERT_FALSE(kernel.ok());
    EXPECT_EQ(kernel.reason(),
              "compact: 1e+39 (row 50, column 50, counted from 0) is too large for a float; use "
              "values=single");
  }
}

TEST(StoredComplexValues, AWrongPartIsFoundOut) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const Matrix matrix = complex_with(100, {0.5, 0.1});
  const auto problem_with = [&](auto change) {
    Kernel kernel = build(matrix, PLAIN ONLY "rounded | launch threads=64", Dtype::c128);
    for (Array& array : kernel.arrays) {
      if (array.is_value()) change(array);
    }
    return kernel_problem(*device, kernel, matrix, false);
  };
  EXPECT_EQ(problem_with([](Array&) {}), "");
  const std::string wrong = "wrong result in case 'rounded'";
  EXPECT_NE(problem_with([](Array& array) { array.rounded = false; }).find(wrong),
            std::string::npos);
  for (const std::size_t part : {0, 1}) {
    EXPECT_NE(problem_with([&](Array& array) {
                array.bytes[8 * 7 + 4 * part] ^= std::byte{1};
              }).find(wrong),
              std::string::npos);
    EXPECT_NE(problem_with([&](Array& array) {
                array.bytes[8 * 7 + 4 * part + 3] ^= std::byte{128};
              }).find(wrong),
              std::string::npos)
        << "its sign";
  }
}

}  // namespace
}  // namespace alphasparse
