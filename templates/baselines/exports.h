// exports: the functions of a peer's shared object; it runs and closes as a team of our own does
// (lanes/team.h).
extern "C" {

/// Null: no memory.
void* alphasparse_open_peer(int rows, int cols, int entries, int threads, const int* row,
                            const int* column, const Value* value) {
  return new (std::nothrow) Peer(Csr{rows, cols, entries, threads, row, column, value});
}

/// y = alpha * A * x + beta * y.
void alphasparse_run_team(const void* opened, const Value* alpha, const Value* x, std::int64_t,
                          const Value* beta, Value* y, std::int64_t) {
  static_cast<const Peer*>(opened)->run(*alpha, x, *beta, y);
}

void alphasparse_close_team(void* opened) { delete static_cast<Peer*>(opened); }

const char* alphasparse_peer_version() { return Peer::version(); }

/// Empty where it does not know.
const char* alphasparse_peer_code_path() { return Peer::code_path(); }
}
