// codes_driver: loads other values into a standalone kernel that codes them.
//
// Usage: codes_driver FILE, the format of a matrix of 100 rows with one entry each, in column row
// % 3: 1 in even rows, 2 in odd ones; f32. Exits with 1 and the line where something is not as
// promised.
#define EXPECT(condition) \
  if (!(condition)) return std::printf("line %d: %s\n", __LINE__, #condition), 1

int main(int, char** arguments) {
  alphasparse_handle* handle = nullptr;
  EXPECT(a_load(arguments[1], &handle) == alphasparse_ok);
  const Value x[3] = {1, 10, 100};
  Value y[100] = {};
  const auto is_product = [&](Value even, Value odd) {
    if (a_spmv(handle, x, y, 1, 0, nullptr) != alphasparse_ok) return false;
    for (int row = 0; row < 100; ++row) {
      if (y[row] != (row % 2 == 0 ? even : odd) * x[row % 3]) return false;
    }
    return true;
  };
  EXPECT(is_product(1, 2));

  Value values[100];
  for (int row = 0; row < 100; ++row) values[row] = row % 2 == 0 ? 5 : 7;
  for (const int other : {0, 1, 50, 99}) {
    const Value kept = values[other];
    values[other] = 6;
    EXPECT(a_update_values(handle, values) == alphasparse_not_representable);
    EXPECT(std::string(a_message()) ==
           "a_update_values: the format codes values, but some that share a code are not "
           "equal");
    values[other] = kept;
  }
  EXPECT(is_product(1, 2));
  EXPECT(a_update_values(handle, values) == alphasparse_ok);
  EXPECT(is_product(5, 7));
  EXPECT(a_update_values_device(handle, values, nullptr) == alphasparse_only_from_host);
  EXPECT(
      std::string(a_message()) ==
      "a_update_values_device: the format codes values; a_update_values takes them from the host");
  a_free(handle);
}
