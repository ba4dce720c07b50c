// inspect: the statistics of a matrix and a picture of its pattern.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "base/printable.h"
#include "base/result.h"
#include "runtime/system/files/atomic_file.h"
#include "runtime/system/machine/memory.h"
#include "search/learning/features.h"
#include "tools/commands/commands.h"
#include "tools/console/inputs.h"
#include "tools/console/print.h"
#include "tools/picture/picture.h"
#include "tools/reports/matrix_text.h"
#include "tools/reports/report.h"

namespace alphasparse {

namespace {

constexpr int picture_columns_max = 80;

int picture_columns() {
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return std::clamp<int>(known ? size.ws_col : picture_columns_max, 10, picture_columns_max);
}

std::string two_lines_text(const Distribution& lengths) {
  return fmt::format("{}\n{:<10}{}\n", lengths_text(lengths), "", quantiles_text(lengths));
}

std::string blocks_text(const Features& f) {
  std::string text;
  for (const BlockFeatures& blocks : f.blocks) {
    text += fmt::format("{}{}x{} {:.3g} filled, {:.3g} of the entries in full ones",
                        text.empty() ? "" : fmt::format("\n{:<10}", ""), blocks.side, blocks.side,
                        blocks.fill, blocks.full_share);
  }
  return text;
}

std::string inspect_text(const InspectReport& report) {
  const Features& f = report.features;
  const Matrix& matrix = report.input.matrix;
  const double positions = static_cast<double>(f.rows) * static_cast<double>(f.cols);
  std::string text = fmt::format(
      "matrix    {}: {} x {}, {} non-zeros ({:.3g} % of the positions), {} of them "
      "stored zeros\n",
      printable(report.input.name), f.rows, f.cols, f.nnz,
      static_cast<double>(f.nnz) / positions * 100, f.stored_zeros);
  std::vector<std::string> sizes;
  for (const NumberType& type : number_types)
    if (type.is_complex() == matrix.is_complex())
      sizes.push_back(byte_count_text(csr_bytes(matrix, type.dtype)) + " in " + type.name);
  text += fmt::format("csr       {}\n", fmt::join(sizes, ", "));
  text += fmt::format("symmetry  {}\n", symmetry_text(f, matrix));
  text += fmt::format("rows      {}", two_lines_text(f.row_lengths));
  text += fmt::format("columns   {}", two_lines_text(f.col_counts));
  text += fmt::format("band      {} below and {} above the diagonal, profile {}\n", f.band_below,
                      f.band_above, f.profile);
  text += fmt::format(
      "locality  next column {:.4g} away on average; {:.3g} of the entries have one "
      "right above\n",
      f.col_gap_mean, f.row_similarity);
  text += fmt::format(
      "{:<10}bandwidth {:.3g} of the columns, {:.3g} of 2 neighbours, similarity {:.3g} to the "
      "next "
      "row\n",
      "", f.locality.bandwidth, f.locality.neighbours, f.locality.similarity);
  text += fmt::format("blocks    {}\n", blocks_text(f));
  text += fmt::format("diagonals {}; {} entries on the main one; the ten fullest hold {:.3g}\n",
                      f.diagonals, f.diagonal_entries, f.fullest_diagonals);
  text += fmt::format("values    {}\n", values_text(f, matrix));
  if (!report.picture.empty()) text += fmt::format("picture   {}\n", report.picture);
  return text + terminal_picture(matrix, picture_columns());
}

enum class PictureKind { none, svg, png };

PictureKind picture_kind(std::string_view file) {
  if (file.empty()) return PictureKind::none;
  if (file.ends_with(".svg")) return PictureKind::svg;
  if (file.ends_with(".png")) return PictureKind::png;
  throw Error(fmt::format("--picture wants a file that ends in .svg or .png, not '{}'", file));
}

}  // namespace

void run_inspect(const InspectCommand& command) {
  const PictureKind kind = picture_kind(command.picture);
  const InputMatrix input = read_input(command.matrix, widest_dtype, command.transpose);
  const InspectReport report{input, compute_features(input.matrix), command.picture};
  if (kind == PictureKind::svg) write_file(command.picture, svg_picture(input.matrix, input.name));
  if (kind == PictureKind::png) write_file(command.picture, png_picture(input.matrix));
  print_report(command.json, command.json ? inspect_json(report) : inspect_text(report));
}

}  // namespace alphasparse
