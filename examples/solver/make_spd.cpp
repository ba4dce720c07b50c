// make_spd: writes a symmetric positive definite matrix as Matrix Market text.
//
//   make_spd 5-point|27-point|blocks NON-ZEROS FILE.mtx [complex]
//
//   5-point    the Laplacian of a square grid
//   27-point   of a cube; points meet all neighbours, and conductivities vary
//   blocks     three unknowns a point, as in elasticity: 3x3 blocks between a point of a cube and
//              all its neighbours
//
// With "complex" it is Hermitian: each neighbour has a phase, as in a magnetic or a gauge field.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

/// Between 0.5 and 1.5, the same for (a, b) and (b, a).
double conductivity(long a, long b) {
  const unsigned long low = static_cast<unsigned long>(a < b ? a : b);
  const unsigned long high = static_cast<unsigned long>(a < b ? b : a);
  unsigned long bits = low * 0x9E3779B97F4A7C15UL ^ (high + 0x7F4A7C15UL) * 0xBF58476D1CE4E5B9UL;
  bits ^= bits >> 31;
  return 0.5 + static_cast<double>(bits % 1000003) / 1000003.0;
}

struct Grid {
  long width, height, depth;

  long points() const { return width * height * depth; }

  /// Calls visit(neighbour) in ascending order, the point itself among them; of a flat grid those
  /// along its axes alone.
  template <class Visit>
  void neighbours(long point, bool axes_alone, const Visit& visit) const {
    const long x = point % width, y = point / width % height, z = point / width / height;
    for (long dz = -1; dz <= 1; ++dz) {
      for (long dy = -1; dy <= 1; ++dy) {
        for (long dx = -1; dx <= 1; ++dx) {
          if (axes_alone && std::abs(dx) + std::abs(dy) + std::abs(dz) > 1) continue;
          const long nx = x + dx, ny = y + dy, nz = z + dz;
          if (nx < 0 || ny < 0 || nz < 0 || nx >= width || ny >= height || nz >= depth) continue;
          visit((nz * height + ny) * width + nx);
        }
      }
    }
  }
};

struct Entry {
  long row, col;
  double value, imag;
};

/// Off the diagonal -c; on it the sum of all c around and a little more. With `unknowns` a point
/// each entry is a block: c where unknowns are the same, c / 4 where they are not.
std::vector<Entry> laplacian(const Grid& grid, bool axes_alone, int unknowns, bool is_complex) {
  std::vector<Entry> entries;
  for (long point = 0; point < grid.points(); ++point) {
    double around = 0;
    grid.neighbours(point, axes_alone, [&](long other) {
      if (other != point) around += conductivity(point, other) * (1 + 0.25 * (unknowns - 1));
    });
    for (int i = 0; i < unknowns; ++i) {
      grid.neighbours(point, axes_alone, [&](long other) {
        for (int j = 0; j < unknowns; ++j) {
          const bool same = i == j;
          double value = -conductivity(point, other) * (same ? 1 : 0.25);
          if (other == point) value = same ? 1.0001 * around + 1e-3 : 0.05;
          // Of opposite sign for the image, and none on the diagonal.
          const double phase = is_complex && other != point
                                   ? (conductivity(point, other) - 1) * (point < other ? 3 : -3)
                                   : 0;
          entries.push_back({point * unknowns + i, other * unknowns + j, value * std::cos(phase),
                             value * std::sin(phase)});
        }
      });
    }
  }
  return entries;
}

}  // namespace

int main(int count, char** arguments) {
  const bool is_complex = count == 5 && std::string(arguments[4]) == "complex";
  if (count != 4 && !is_complex) {
    std::fprintf(
        stderr, "make_spd: usage: make_spd 5-point|27-point|blocks NON-ZEROS FILE.mtx [complex]\n");
    return 2;
  }
  const std::string kind = arguments[1];
  const double nonzeros = std::atof(arguments[2]);
  const int unknowns = kind == "blocks" ? 3 : 1;
  Grid grid{};
  if (kind == "5-point") {
    const long side = std::lround(std::sqrt(nonzeros / 5));
    grid = {side, side, 1};
  } else if (kind == "27-point" || kind == "blocks") {
    const long side = std::lround(std::cbrt(nonzeros / (27.0 * unknowns * unknowns)));
    grid = {side, side, side};
  }
  if (grid.points() < 1) {
    std::fprintf(stderr, "make_spd: no such matrix: %s with %s non-zeros\n", arguments[1],
                 arguments[2]);
    return 2;
  }
  const std::vector<Entry> entries = laplacian(grid, kind == "5-point", unknowns, is_complex);
  std::FILE* file = std::fopen(arguments[3], "w");
  if (!file) {
    std::perror(arguments[3]);
    return 2;
  }
  const long rows = grid.points() * unknowns;
  std::fprintf(file, "%%%%MatrixMarket matrix coordinate %s general\n%ld %ld %zu\n",
               is_complex ? "complex" : "real", rows, rows, entries.size());
  for (const Entry& entry : entries) {
    std::fprintf(file, "%ld %ld %.17g", entry.row + 1, entry.col + 1, entry.value);
    if (is_complex) std::fprintf(file, " %.17g", entry.imag);
    std::fputc('\n', file);
  }
  if (std::fclose(file) != 0) {
    std::perror(arguments[3]);
    return 2;
  }
  return 0;
}
