// sample_test: the content of a matrix' sample, and the sizes of samples.
#include "search/estimates/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "search/learning/features.h"

namespace alphasparse {
namespace {

/// Rows of `length` entries from their own number on; `giant` has a thousand times as many.
Matrix striped(std::int32_t rows, std::int32_t length, std::int32_t giant = -1) {
  Matrix matrix;
  matrix.rows = rows;
  matrix.cols = rows + 1000 * length;
  matrix.row_first.push_back(0);
  for (std::int32_t row = 0; row < rows; ++row) {
    const std::int32_t count = row == giant ? 1000 * length : length;
    for (std::int32_t k = 0; k < count; ++k) {
      matrix.col.push_back(row + k);
      matrix.value.push_back(row);
    }
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  return matrix;
}

TEST(Sample, HasAboutSoManyNonZerosOfTheWholeLengthAndAllColumns) {
  const Matrix matrix = striped(200'000, 5);
  const Matrix sample = make_sample(matrix, 100'000);
  EXPECT_EQ(check_canonical(sample), "");
  EXPECT_EQ(sample.cols, matrix.cols);
  EXPECT_GE(sample.nnz(), 100'000);
  EXPECT_LE(sample.nnz(), 150'000);
  EXPECT_LT(sample.value.front(), 10'000);
  EXPECT_GT(sample.value.back(), 190'000);
}

TEST(Sample, KeepsRowsWholeAndPanelsAligned) {
  const Matrix matrix = striped(200'000, 5);
  const Matrix sample = make_sample(matrix, 100'000);
  int panels = 0;
  double last = -2;
  for (std::int32_t row = 0; row < sample.rows; ++row) {
    ASSERT_EQ(sample.row_length(row), 5);
    const double number = sample.value[sample.row_first[row]];
    EXPECT_EQ(sample.col[sample.row_first[row]], number);
    ASSERT_GT(number, last) << "a row comes twice";
    if (number != last + 1) {
      ++panels;
      EXPECT_EQ(static_cast<std::int64_t>(number) % 192, 0);
      EXPECT_EQ(row % 192, 0);
    }
    last = number;
  }
  EXPECT_EQ(panels, 32);
}

TEST(Sample, HoldsTheRowThatIsLongerThanTheStepOfItsPanels) {
  const Matrix matrix = striped(20'000, 5, 7'777);
  const Matrix sample = make_sample(matrix, 5'000);
  EXPECT_TRUE(std::any_of(sample.row_first.begin() + 1, sample.row_first.end(),
                          [&, before = 0](std::int32_t end) mutable {
                            return end - std::exchange(before, end) == 5000;
                          }));
}

TEST(Sample, OfAFewRowsIsTheMatrix) {
  const Matrix matrix = striped(3, 5);
  const Matrix sample = make_sample(matrix, 1'000);
  EXPECT_EQ(sample.rows, 3);
  EXPECT_EQ(sample.col, matrix.col);
}

TEST(Sample, HasTheImaginaryPartsOfItsValues) {
  Matrix matrix = striped(200'000, 5);
  const auto make_complex = [](Matrix& made) {
    for (const double value : made.value) made.imag.push_back(-value);
  };
  make_complex(matrix);
  Matrix square = matrix;
  square.rows = square.cols;
  square.row_first.resize(static_cast<std::size_t>(square.rows) + 1, square.row_first.back());
  for (const Matrix& part : {make_sample(matrix, 100'000), make_miniature(square).value()}) {
    EXPECT_EQ(check_canonical(part), "");
    Matrix expected = part;
    expected.imag.clear();
    make_complex(expected);
    EXPECT_EQ(part.imag, expected.imag);
  }
}

TEST(MiniatureOf, IsSmallAndHasNoMoreColumnsThanItNeeds) {
  Matrix wide;  // rows of two, a thousand columns apart
  wide.rows = 400'000;
  wide.cols = 400'000'000;
  wide.row_first.push_back(0);
  for (std::int32_t row = 0; row < wide.rows; ++row) {
    wide.col.insert(wide.col.end(), {row, 1000 * row + 999});
    wide.value.insert(wide.value.end(), {1, 2});
    wide.row_first.push_back(2 * row + 2);
  }
  const Matrix part = make_miniature(wide).value();
  EXPECT_EQ(check_canonical(part), "");
  EXPECT_NEAR(static_cast<double>(part.nnz()), 128'000, 8 * 2 * 192);
  EXPECT_LE(part.cols, part.nnz());
  EXPECT_EQ(part.row_length(7), 2);
  wide.cols = 2'000'000;  // not that many more
  for (std::int32_t& col : wide.col) col = std::min(col, wide.cols - 1);
  EXPECT_EQ(make_miniature(wide).value().cols, wide.cols);
  EXPECT_EQ(make_miniature(part), std::nullopt);
}

TEST(MiniatureOf, OfASquareMatrixIsSquareAndSymmetricWhereThatIs) {
  Matrix band;  // of five diagonals, two of them far away
  band.rows = band.cols = 100'000;
  band.row_first.push_back(0);
  for (std::int32_t row = 0; row < band.rows; ++row) {
    for (const std::int32_t away : {-50'000, -1, 0, 1, 50'000}) {
      const std::int32_t col = row + away;
      if (col < 0 || col >= band.cols) continue;
      band.col.push_back(col);
      band.value.push_back(std::min(row, col) + std::abs(away));
    }
    band.row_first.push_back(static_cast<std::int32_t>(band.col.size()));
  }
  const Matrix part = make_miniature(band).value();
  EXPECT_EQ(check_canonical(part), "");
  EXPECT_EQ(part.rows, part.cols);
  EXPECT_GT(part.nnz(), 64'000);
  EXPECT_LT(part.nnz(), 140'000);
  EXPECT_EQ(compute_features(part).value_symmetry, 1);
  EXPECT_EQ(compute_features(part).diagonal_entries, part.rows);
}

TEST(MiniatureOf, OfAGraphHasMoreRowsButIsNoCopy) {
  Matrix graph;  // any row may meet any column
  graph.rows = graph.cols = 100'003;
  graph.row_first.push_back(0);
  for (std::int64_t row = 0; row < graph.rows; ++row) {
    for (std::int64_t k = 0; k < 20; ++k)
      graph.col.push_back(static_cast<std::int32_t>((row * 7919 + k * 5003) % graph.cols));
    std::sort(graph.col.end() - 20, graph.col.end());
    graph.row_first.push_back(static_cast<std::int32_t>(graph.col.size()));
  }
  graph.value.assign(graph.col.size(), 1);
  ASSERT_EQ(check_canonical(graph), "");
  const Matrix part = make_miniature(graph).value();
  EXPECT_EQ(check_canonical(part), "");
  EXPECT_EQ(part.rows, part.cols);
  EXPECT_GE(part.nnz(), part.rows * std::int64_t{20} / 8);
  EXPECT_LE(part.nnz(), graph.nnz() / 8);
}

TEST(SampleSizes, GrowUntilTheMatrixIsLessThanFourTimesAsLarge) {
  DeviceInfo cpu;
  cpu.kind = TimeKind::measured;
  cpu.target = Target::cpu;
  EXPECT_TRUE(sample_sizes(3'999'999, cpu).empty());
  EXPECT_EQ(sample_sizes(4'000'000, cpu), (std::vector<std::int64_t>{1'000'000}));
  EXPECT_EQ(sample_sizes(46'500'000, cpu), (std::vector<std::int64_t>{1'000'000, 8'000'000}));
  DeviceInfo gpu = cpu;
  gpu.target = Target::gpu;
  EXPECT_TRUE(sample_sizes(31'999'999, gpu).empty());
  gpu.kind = TimeKind::modelled;
  EXPECT_EQ(sample_sizes(1'000'000, gpu).size(), 1u);
  EXPECT_EQ(sample_sizes(46'500'000, gpu).size(), 1u) << "its counts tell the time of the whole";
}

TEST(SecondSize, IsHalfOfTheSmallestOnAGpuThatMeasuresAndAQuarterOfTheWholeOnACpu) {
  DeviceInfo device;
  device.kind = TimeKind::measured;
  device.target = Target::gpu;
  EXPECT_EQ(second_size(8'000'000, 40'000'000, device), 4'000'000);
  device.kind = TimeKind::modelled;
  EXPECT_EQ(second_size(8'000'000, 40'000'000, device), std::nullopt)
      << "its model tells the fixed part";
  device.kind = TimeKind::measured;
  device.target = Target::cpu;
  EXPECT_EQ(second_size(1'000'000, 20'000'000, device), 5'000'000);
  EXPECT_EQ(second_size(1'000'000, 15'999'999, device), std::nullopt) << "the whole is near";
  EXPECT_EQ(second_size(1'000'000, 32'000'000, device), std::nullopt) << "a sample of 8 million is";
}

TEST(FittingSizes, AreThoseThatHalfOfTheMemoryDoesFor) {
  DeviceInfo cpu;
  cpu.target = Target::cpu;
  cpu.kind = TimeKind::measured;
  const std::int64_t large = 46'500'000, small = 2'000'000;
  using Sizes = std::vector<std::int64_t>;
  EXPECT_EQ(fitting_sizes(large, cpu, std::int64_t{1} << 40), sample_sizes(large, cpu));
  EXPECT_EQ(fitting_sizes(small, cpu, std::int64_t{1} << 40), Sizes{});
  EXPECT_EQ(fitting_sizes(large, cpu, 2 * candidate_bytes(8'000'000) - 2), Sizes{1'000'000});
  // Where the matrix itself does not fit, at any size: half of it, or half of that...
  EXPECT_EQ(fitting_sizes(small, cpu, candidate_bytes(small) - 1), Sizes{small / 4});
  const Sizes tiny = fitting_sizes(large, cpu, 2 * candidate_bytes(400'000));
  ASSERT_EQ(tiny.size(), 1U);
  EXPECT_LE(tiny.front(), 400'000);
  EXPECT_GE(tiny.front(), 200'000);
  EXPECT_EQ(fitting_sizes(large, cpu, 1000), Sizes{}) << "nothing does";
}

TEST(SampleRegime, IsColdWhereTheWholeLeavesCachesThatTheSampleWouldStayIn) {
  DeviceInfo device;
  device.kind = TimeKind::measured;
  device.l2_bytes = 100;
  EXPECT_EQ(sample_regime(CacheRegime::warm, 99, 50, device), CacheRegime::warm);
  EXPECT_EQ(sample_regime(CacheRegime::warm, 1000, 50, device), CacheRegime::cold);
  EXPECT_EQ(sample_regime(CacheRegime::warm, 1000, 300, device), CacheRegime::warm);
  EXPECT_EQ(sample_regime(CacheRegime::cold, 99, 50, device), CacheRegime::cold);
  device.kind = TimeKind::modelled;  // its counts are taken with the caches of the whole
  EXPECT_EQ(sample_regime(CacheRegime::warm, 1000, 50, device), CacheRegime::warm);
}

}  // namespace
}  // namespace alphasparse
