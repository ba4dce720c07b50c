// known: y = alpha * A * x + beta * y of a small matrix in CSR. It shows that a CPU's compiler,
// loader and threads work.
struct Format {
  const int* row_first_;  // [ROWS + 1]
  const int* column_;     // [entries]
  const Value* value_;    // [entries]
};

static void known(const Format& f, Input x, Output out, int first_unit, int end_unit) {
  for (int row = first_unit; row < end_unit; ++row) {
    Value sum = 0;
    for (int nz = f.row_first_[row]; nz < f.row_first_[row + 1]; ++nz)
      sum += f.value_[nz] * x[f.column_[nz]];
    out[row] = out.alpha * sum + out.beta * out[row];
  }
}

static const Part parts[] = {{known, ROWS, nullptr, nullptr}};
