// shell: A x = b by PETSc's KSP, its products by kernels that alphasparse emitted, beside PETSc's
// own.
//
//   mpiexec -n P shell -matrix FILE.mtx -write_blocks FOLDER
//       writes the part of the matrix in the rows and columns of each process, block_R.mtx
//   mpiexec -n P shell -matrix FILE.mtx -kernels FOLDER [-repeats 5] [KSP's options]
//       solves with FOLDER/block_R.so, which was compiled from block_R.cpu.cpp
//
// The matrix is PETSc's MPIAIJ. The kernel multiplies the block of a process' own rows and columns.
// PETSc multiplies the rest: its matrix lacks that block. With one process the block is the matrix.
// FILE.mtx is general coordinate text, as make_spd of ../solver writes it.
#include <dlfcn.h>
#include <petscksp.h>

#include <complex>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "alphasparse_kernel.h"

namespace {

/// PETSc prints its errors; here they end the program.
void must(PetscErrorCode code) {
  if (code != 0) throw std::runtime_error("PETSc refused a call");
}

std::string option(const char* name) {
  char text[4096];
  PetscBool is_set = PETSC_FALSE;
  must(PetscOptionsGetString(nullptr, nullptr, name, text, sizeof text, &is_set));
  return is_set ? text : "";
}

/// The type of PETSc's numbers, which kernels have as well.
const std::string scalars =
    (PetscDefined(USE_COMPLEX) ? "c" : "f") + std::to_string(8 * sizeof(PetscScalar));

/// A number as files have it: of a complex one both parts.
[[maybe_unused]] std::istream& operator>>(std::istream& file, std::complex<PetscReal>& number) {
  PetscReal re = 0, im = 0;
  file >> re >> im;
  number = {re, im};
  return file;
}

struct Entries {
  PetscInt rows = 0, cols = 0;
  std::vector<PetscInt> row, col;
  std::vector<PetscScalar> value;
};

Entries read_entries(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line) && !line.empty() && line[0] == '%') continue;
  Entries entries;
  long count = 0;
  if (!(std::istringstream(line) >> entries.rows >> entries.cols >> count))
    throw std::runtime_error(path + " is no Matrix Market file");
  PetscInt row = 0, col = 0;
  PetscScalar value = 0;
  while (file >> row >> col >> value) {
    entries.row.push_back(row - 1);
    entries.col.push_back(col - 1);
    entries.value.push_back(value);
  }
  if (static_cast<long>(entries.row.size()) != count)
    throw std::runtime_error(path + " is not whole");
  return entries;
}

/// The matrix of each process' own rows; `own_block` false: without the block of its own columns.
Mat assemble(const Entries& entries, bool own_block) {
  Mat matrix = nullptr;
  must(MatCreate(PETSC_COMM_WORLD, &matrix));
  must(MatSetSizes(matrix, PETSC_DECIDE, PETSC_DECIDE, entries.rows, entries.cols));
  must(MatSetType(matrix, MATAIJ));
  must(MatSetUp(matrix));
  PetscInt first = 0, end = 0, first_col = 0, end_col = 0;
  must(MatGetOwnershipRange(matrix, &first, &end));
  must(MatGetOwnershipRangeColumn(matrix, &first_col, &end_col));
  std::vector<PetscInt> inside(static_cast<std::size_t>(end - first)), outside(inside);
  const auto each = [&](const auto& visit) {
    for (std::size_t i = 0; i < entries.row.size(); ++i) {
      if (entries.row[i] < first || entries.row[i] >= end) continue;
      const bool is_own = entries.col[i] >= first_col && entries.col[i] < end_col;
      if (own_block || !is_own) visit(i, is_own);
    }
  };
  each([&](std::size_t i, bool is_own) {
    ++(is_own ? inside : outside)[static_cast<std::size_t>(entries.row[i] - first)];
  });
  must(MatSeqAIJSetPreallocation(matrix, 0, inside.data()));
  must(MatMPIAIJSetPreallocation(matrix, 0, inside.data(), 0, outside.data()));
  each([&](std::size_t i, bool) {
    must(MatSetValue(matrix, entries.row[i], entries.col[i], entries.value[i], INSERT_VALUES));
  });
  must(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  must(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  return matrix;
}

std::string block_name(const std::string& folder) {
  PetscMPIInt rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return folder + "/block_" + std::to_string(rank);
}

void write_block(Mat matrix, const std::string& folder) {
  PetscInt first = 0, end = 0, first_col = 0, end_col = 0, count = 0;
  must(MatGetOwnershipRange(matrix, &first, &end));
  must(MatGetOwnershipRangeColumn(matrix, &first_col, &end_col));
  std::ostringstream text;
  text.precision(17);
  for (PetscInt row = first; row < end; ++row) {
    PetscInt length = 0;
    const PetscInt* cols = nullptr;
    const PetscScalar* values = nullptr;
    must(MatGetRow(matrix, row, &length, &cols, &values));
    for (PetscInt i = 0; i < length; ++i) {
      if (cols[i] < first_col || cols[i] >= end_col) continue;
      text << row - first + 1 << ' ' << cols[i] - first_col + 1 << ' ' << PetscRealPart(values[i]);
      if (PetscDefined(USE_COMPLEX)) text << ' ' << PetscImaginaryPart(values[i]);
      text << '\n';
      ++count;
    }
    must(MatRestoreRow(matrix, row, &length, &cols, &values));
  }
  std::ofstream file(block_name(folder) + ".mtx");
  file << "%%MatrixMarket matrix coordinate " << (PetscDefined(USE_COMPLEX) ? "complex" : "real")
       << " general\n"
       << end - first << ' ' << end_col - first_col << ' ' << count << '\n'
       << text.str();
  if (!file.flush()) throw std::runtime_error(block_name(folder) + ".mtx cannot be written");
}

/// A kernel of a shared object, and PETSc's matrix of the entries that it lacks.
struct Shell {
  const alphasparse_kernel* kernel = nullptr;
  alphasparse_handle* handle = nullptr;
  Mat rest = nullptr;

  void load(const std::string& folder) {
    const std::string name = block_name(folder);
    const std::string stem = name.substr(name.rfind('/') + 1);
    void* const object = dlopen((name + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!object) throw std::runtime_error(dlerror());
    using Interface = const alphasparse_kernel* (*)();
    const auto interface =
        reinterpret_cast<Interface>(dlsym(object, (stem + "_cpu_interface").c_str()));
    if (!interface) throw std::runtime_error(name + ".so holds no kernel of " + stem);
    kernel = interface();
    if (kernel->version != ALPHASPARSE_KERNEL_VERSION || kernel->dtype != scalars)
      throw std::runtime_error(name + ".so is no kernel of this version for " + scalars);
    if (kernel->load((name + ".cpu.safetensors").c_str(), &handle) != alphasparse_ok ||
        kernel->set_threads(handle, 1) != alphasparse_ok)
      throw std::runtime_error(kernel->message());
  }
};

PetscErrorCode multiply(Mat matrix, Vec x, Vec y) {
  PetscFunctionBeginUser;
  Shell* shell = nullptr;
  PetscCall(MatShellGetContext(matrix, &shell));
  const PetscScalar* from = nullptr;
  PetscScalar* to = nullptr;
  if (shell->rest) PetscCall(MatMult(shell->rest, x, y));
  PetscCall(VecGetArrayRead(x, &from));
  PetscCall(VecGetArray(y, &to));
  const PetscScalar one = 1, beta = shell->rest ? 1 : 0;
  const int status = shell->kernel->spmv_scaled(shell->handle, from, to, &one, &beta, nullptr);
  PetscCall(VecRestoreArray(y, &to));
  PetscCall(VecRestoreArrayRead(x, &from));
  PetscCheck(status == alphasparse_ok, PETSC_COMM_SELF, PETSC_ERR_LIB, "%s",
             shell->kernel->message());
  PetscFunctionReturn(0);
}

struct Solved {
  PetscInt iterations = 0;
  double seconds = 0;
  PetscReal error = 0;
};

Solved solve(Mat by, Mat matrix, Vec b, Vec known) {
  KSP solver = nullptr;
  PC preconditioner = nullptr;
  Vec x = nullptr;
  must(VecDuplicate(b, &x));
  must(KSPCreate(PETSC_COMM_WORLD, &solver));
  must(KSPSetOperators(solver, by, matrix));
  must(KSPSetType(solver, KSPCG));
  must(KSPGetPC(solver, &preconditioner));
  must(PCSetType(preconditioner, PCJACOBI));
  must(KSPSetTolerances(solver, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 100000));
  must(KSPSetFromOptions(solver));
  must(KSPSetUp(solver));
  Solved solved;
  MPI_Barrier(PETSC_COMM_WORLD);
  const double start = MPI_Wtime();
  must(KSPSolve(solver, b, x));
  solved.seconds = MPI_Wtime() - start;
  must(KSPGetIterationNumber(solver, &solved.iterations));
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  must(KSPGetConvergedReason(solver, &reason));
  if (reason < 0) throw std::runtime_error("the solver did not converge");
  must(VecAXPY(x, -1, known));
  must(VecNorm(x, NORM_INFINITY, &solved.error));
  must(KSPDestroy(&solver));
  must(VecDestroy(&x));
  return solved;
}

void print(const char* name, const Solved& solved) {
  must(PetscPrintf(PETSC_COMM_WORLD, "%-12s %6d iterations  %9.2f us each  %8.4f s  error %.1e\n",
                   name, static_cast<int>(solved.iterations),
                   1e6 * solved.seconds / static_cast<double>(solved.iterations), solved.seconds,
                   static_cast<double>(solved.error)));
}

void run() {
  const std::string path = option("-matrix"), blocks = option("-write_blocks");
  const std::string kernels = option("-kernels");
  if (path.empty() || blocks.empty() == kernels.empty())
    throw std::runtime_error("usage: shell -matrix FILE.mtx -write_blocks FOLDER|-kernels FOLDER");
  PetscInt repeats = 5;
  must(PetscOptionsGetInt(nullptr, nullptr, "-repeats", &repeats, nullptr));
  const Entries entries = read_entries(path);
  const Mat matrix = assemble(entries, true);
  if (!blocks.empty()) return write_block(matrix, blocks);

  PetscMPIInt processes = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &processes);
  Shell shell;
  shell.load(kernels);
  if (processes > 1) shell.rest = assemble(entries, false);
  PetscInt rows = 0, cols = 0;
  must(MatGetLocalSize(matrix, &rows, &cols));
  if (shell.kernel->rows != rows || shell.kernel->cols != cols)
    throw std::runtime_error("a kernel is for another block than its process has");
  Mat by_kernels = nullptr;
  must(MatCreateShell(PETSC_COMM_WORLD, rows, cols, entries.rows, entries.cols, &shell,
                      &by_kernels));
  must(MatShellSetOperation(by_kernels, MATOP_MULT, reinterpret_cast<void (*)()>(multiply)));

  Vec known = nullptr, b = nullptr;
  must(MatCreateVecs(matrix, &known, &b));
  must(VecSet(known, 1));
  must(MatMult(matrix, known, b));
  Solved ours, petscs;
  for (PetscInt repeat = 0; repeat < repeats; ++repeat) {
    Solved now = solve(by_kernels, matrix, b, known);
    if (repeat == 0 || now.seconds < ours.seconds) ours = now;
    now = solve(matrix, matrix, b, known);
    if (repeat == 0 || now.seconds < petscs.seconds) petscs = now;
  }
  must(PetscPrintf(PETSC_COMM_WORLD, "%s: %d rows, %ld non-zeros, %d process%s\n", path.c_str(),
                   static_cast<int>(entries.rows), static_cast<long>(entries.row.size()), processes,
                   processes == 1 ? "" : "es"));
  print("alphasparse", ours);
  print("PETSc", petscs);
  must(PetscPrintf(PETSC_COMM_WORLD, "ratio        %.2f times as fast an iteration\n",
                   petscs.seconds / static_cast<double>(petscs.iterations) /
                       (ours.seconds / static_cast<double>(ours.iterations))));
  if (PetscAbsInt(ours.iterations - petscs.iterations) > 1 + petscs.iterations / 100)
    throw std::runtime_error("the iterations differ by more than rounding can make them");
}

}  // namespace

int main(int count, char** arguments) {
  if (PetscInitialize(&count, &arguments, nullptr, nullptr) != 0) return 2;
  try {
    run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "shell: error: %s\n", error.what());
    MPI_Abort(PETSC_COMM_WORLD, 2);
  }
  return PetscFinalize() == 0 ? 0 : 2;
}
