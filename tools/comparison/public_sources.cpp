#include "tools/comparison/public_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <new>
#include <tuple>
#include <utility>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/emulated/emulator_program.h"
#include "search/learning/mean.h"
#include "tools/comparison/compare_model.h"
#include "tools/comparison/public_designs.h"
#include "tools/console/inputs.h"
#include "tools/console/progress.h"
#include "tools/synthetic/synthetic.h"

namespace alphasparse {

namespace {

constexpr std::string_view twin_prefix = "twin:";

/// The rows of one matrix, by source.
using MatrixKey = std::tuple<std::int64_t, std::string, std::int64_t, std::int64_t>;  // nnz first
MatrixKey key_of(const PublicTime& time) { return {time.nnz, time.matrix, time.rows, time.cols}; }

/// The twin with the source's number of non-zeros.
Result<Matrix> twin_of(const PublicTime& time) {
  for (const Twin& twin : twins()) {
    if (time.matrix.substr(twin_prefix.size()) != twin.name) continue;
    SyntheticOptions options = twin_options(twin, 1);
    if (options.rows != time.rows || options.cols != time.cols)
      return Failure{Status::pruned, "has another size than its twin"};
    options.mean = static_cast<double>(time.nnz) / static_cast<double>(time.rows);
    return synthetic_matrix(options);
  }
  return Failure{Status::pruned, "has no twin"};
}

Result<Matrix> matrix_of(const PublicTime& time, const PublicRequest& request) {
  if (request.nnz_max > 0 && time.nnz > request.nnz_max)
    return Failure{Status::pruned, fmt::format("has more than {} non-zeros", request.nnz_max)};
  if (time.matrix.starts_with(twin_prefix)) return twin_of(time);
  const std::filesystem::path stem = std::filesystem::path(request.matrices) / time.matrix;
  for (const char* const end : {".mtx", ".mtx.gz"}) {
    const std::string file = stem.string() + end;
    if (!std::filesystem::exists(file)) continue;
    Matrix matrix = read_input(file, time.dtype).matrix;
    if (matrix.rows != time.rows || matrix.cols != time.cols || matrix.nnz() != time.nnz)
      return Failure{Status::pruned, "has another size than the file"};
    return matrix;
  }
  return Failure{Status::pruned, "is no file of the folder"};
}

/// The devices that sources were measured on, opened once each.
class Toolchains {
 public:
  const EmulatorToolchain& of(const GpuModel& gpu) {
    std::unique_ptr<EmulatorToolchain>& tools = made_[gpu.name];
    if (!tools) {
      tools = std::make_unique<EmulatorToolchain>(gpu, find_host_compiler(), find_emulator());
      check_counts(*tools);
    }
    return *tools;
  }

 private:
  std::map<std::string, std::unique_ptr<EmulatorToolchain>> made_;
};

/// Rows of a source that are one design on one matrix.
struct SameDesign {
  PublicSource* source;
  NearestDesign design;
  std::vector<const PublicTime*> times;
};

std::vector<SameDesign> by_design(
    const std::vector<std::pair<PublicSource*, const PublicTime*>>& rows, const Matrix& matrix) {
  std::vector<SameDesign> designs;
  for (const auto& [source, time] : rows) {
    const auto design = nearest_design(time->source, time->format, matrix);
    if (!design) {
      ++source->left_out["its format " + time->format + " is no design on this matrix"];
      continue;
    }
    const auto same =
        std::find_if(designs.begin(), designs.end(), [&, from = source](const auto& each) {
          return each.source == from && each.design == *design;
        });
    if (same != designs.end()) {
      same->times.push_back(time);
    } else {
      designs.push_back({source, *design, {time}});
    }
  }
  return designs;
}

/// Kernels are built once for all sources that measured their design.
class MatrixCounter {
 public:
  MatrixCounter(const Matrix& matrix, Toolchains& tools) : tools_(tools), designer_(matrix) {}

  Result<Works> works(const PublicSource& source, const NearestDesign& design) {
    const auto key = std::make_tuple(design, source.dtype, source.comparison.gpu.name);
    const auto known = works_.find(key);
    if (known != works_.end()) return known->second;
    return works_.emplace(key, counted(source, design)).first->second;
  }

 private:
  Result<Works> counted(const PublicSource& source, const NearestDesign& design) {
    try {
      Result<Kernel> kernel =
          designer_.build(resolve_design(design.design, Target::cuda), source.dtype);
      if (!kernel) return kernel.failure();
      const OtherKernel& other = design.kernel;
      for (Launch& launch : kernel->launches) {
        if (other.terms_in_flight > 0) launch.in_flight = {other.terms_in_flight};
        launch.values_wait = other.values_wait;
      }
      Result<Works> works = works_of(tools_.of(source.comparison.gpu), *kernel, CacheRegime::warm,
                                     source.comparison.l1_shares);
      if (!works) return works;
      for (std::vector<LaunchWork>& launches : *works) {
        launches.front().longest.l2 += other.searches;
        launches.front().each.l2 += other.searches;
        launches.resize(std::max<std::size_t>(launches.size(), other.launches));
      }
      return works;
    } catch (const std::bad_alloc&) {
      return Failure{Status::out_of_memory, "this machine's memory does not hold it"};
    }
  }

  Toolchains& tools_;
  Designer designer_;
  std::map<std::tuple<NearestDesign, Dtype, std::string>, Result<Works>> works_;
};

void add_design(const SameDesign& same, const std::string& matrix, const Works& works) {
  Comparison& comparison = same.source->comparison;
  if (comparison.matrices.empty() || comparison.matrices.back() != matrix)
    comparison.matrices.push_back(matrix);
  GeometricMean measured_us;
  std::string formats;
  for (const PublicTime* const time : same.times) {
    measured_us.add(time->time_us);
    formats += (formats.empty() ? "" : "+") + time->format;
  }
  comparison.designs.push_back(
      {comparison.matrices.size() - 1, formats, *measured_us.value(), works});
  same.source->rows_used += static_cast<std::int64_t>(same.times.size());
}

/// Where a source's row goes; its model is looked up once.
class Sources {
 public:
  PublicSource& of(const PublicTime& time) {
    for (const auto& each : all_) {
      if (each->source == time.source && each->gpu == time.gpu && each->dtype == time.dtype)
        return *each;
    }
    PublicSource& source = *all_.emplace_back(std::make_unique<PublicSource>());
    source.source = time.source;
    source.gpu = time.gpu;
    source.dtype = time.dtype;
    source.comparison.l1_shares = {ModelConstants().l1_share};
    if (const GpuModel* const gpu = model_of_source(time.source, time.gpu))
      source.comparison.gpu = *gpu;
    source.comparison.gpu.launch_us = source.comparison.gpu.launch_single_us;
    return source;
  }

  std::vector<PublicSource> take() {
    std::vector<PublicSource> sources;
    for (const auto& each : all_) sources.push_back(std::move(*each));
    return sources;
  }

 private:
  std::vector<std::unique_ptr<PublicSource>> all_;
};

void count_matrix(const PublicRequest& request,
                  const std::vector<std::pair<PublicSource*, const PublicTime*>>& rows,
                  Toolchains& tools) {
  const auto leave_out = [](const SameDesign& same, const std::string& why) {
    same.source->left_out[why] += static_cast<std::int64_t>(same.times.size());
  };
  const PublicTime& first = *rows.front().second;
  const Result<Matrix> matrix = matrix_of(first, request);
  if (!matrix) {
    for (const auto& row : rows) ++row.first->left_out["its matrix " + matrix.reason()];
    return;
  }
  MatrixCounter counter(*matrix, tools);
  // Rows of like names and other sizes are other matrices.
  const std::string name = fmt::format("{} {}", first.matrix, first.nnz);
  for (const SameDesign& same : by_design(rows, *matrix)) {
    const Result<Works> works = counter.works(*same.source, same.design);
    if (works) {
      add_design(same, name, *works);
    } else {
      leave_out(same, fmt::format("its design: {}", works.reason()));
    }
  }
}

}  // namespace

std::int64_t PublicSource::rows_left_out() const {
  std::int64_t rows = 0;
  for (const auto& [why, count] : left_out) rows += count;
  return rows;
}

std::vector<PublicSource> counted_sources(const PublicRequest& request) {
  std::vector<PublicTime> times;
  for (const std::string& file : request.files) {
    for (PublicTime& time : read_public_times(file)) times.push_back(std::move(time));
  }
  if (!std::filesystem::is_directory(request.matrices))
    throw Error(fmt::format("--matrices: {} is no folder", request.matrices));
  Sources sources;
  std::map<MatrixKey, std::vector<std::pair<PublicSource*, const PublicTime*>>> matrices;
  for (const PublicTime& time : times) {
    PublicSource& source = sources.of(time);
    if (source.comparison.gpu.name.empty()) {
      ++source.left_out["its GPU has no model"];
    } else if (!has_design(time.source, time.format)) {
      ++source.left_out["its format " + time.format + " is no design"];
    } else {
      matrices[key_of(time)].emplace_back(&source, &time);
    }
  }
  ProgressLine line(request.quiet);
  Toolchains tools;
  std::size_t done = 0;
  for (const auto& [key, rows] : matrices) {
    line.update([done, name = rows.front().second->matrix, all = matrices.size()](double seconds) {
      return fmt::format("counting {}, {} of {} | {:.0f} s", name, done + 1, all, seconds);
    });
    count_matrix(request, rows, tools);
    ++done;
  }
  return sources.take();
}

std::vector<SourceVerdict> judge_sources(const std::vector<PublicSource>& sources) {
  std::vector<const PublicSource*> counted;
  for (const PublicSource& source : sources) {
    if (!source.comparison.designs.empty()) counted.push_back(&source);
  }
  std::vector<SourceVerdict> verdicts;
  const auto judge = [&](const PublicSource& source, const ModelConstants& constants,
                         std::optional<std::vector<std::string>> fitted_on) {
    std::vector<double> times = modelled_times_us(source.comparison, constants);
    const PublicFigures figures = public_figures(source.comparison, times);
    verdicts.push_back({&source, std::move(fitted_on), constants, std::move(times), figures});
  };
  for (const PublicSource* const source : counted) {
    judge(*source, {}, std::nullopt);
    if (counted.size() < 2) continue;
    std::vector<const Comparison*> others;
    std::vector<std::string> names;
    for (const PublicSource* const other : counted) {
      if (other == source) continue;
      others.push_back(&other->comparison);
      names.push_back(fmt::format("{} {}", other->source, other->gpu));
    }
    judge(*source, fit_constants_to(others), names);
  }
  return verdicts;
}

}  // namespace alphasparse
