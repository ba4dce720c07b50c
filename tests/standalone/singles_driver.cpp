// singles_driver: loads other values into a standalone kernel that holds doubles as float.
//
// Usage: singles_driver FILE CHOICE OFFSET, the format of a matrix of 100 rows with one entry each,
// row + OFFSET in column row % 3; f64. Where CHOICE is rounded any value is taken for which there
// is a float, else only a value that is exactly one. Exits with 1 and the line where something is
// not as promised.
#define EXPECT(condition) \
  if (!(condition)) return std::printf("line %d: %s\n", __LINE__, #condition), 1

int main(int, char** arguments) {
  const bool rounded = std::string(arguments[2]) == "rounded";
  alphasparse_handle* handle = nullptr;
  EXPECT(a_load(arguments[1], &handle) == alphasparse_ok);
  const Value x[3] = {1, 10, 100};
  Value y[100] = {}, values[100];
  for (int row = 0; row < 100; ++row) values[row] = row + std::atof(arguments[3]);
  const auto is_product = [&] {
    if (a_spmv(handle, x, y, 1, 0, nullptr) != alphasparse_ok) return false;
    for (int row = 0; row < 100; ++row) {
      if (y[row] != static_cast<float>(values[row]) * x[row % 3]) return false;
    }
    return true;
  };
  const auto is_rejected = [&](int row, Value value, const char* why) {
    const Value kept = values[row];
    values[row] = value;
    const bool refused = a_update_values(handle, values) == alphasparse_not_representable &&
                         std::string(a_message()) == std::string("a_update_values: ") + why;
    values[row] = kept;
    return refused;
  };
  EXPECT(is_product());

  for (int row = 0; row < 100; ++row) values[row] = -2.5 * row;
  EXPECT(a_update_values(handle, values) == alphasparse_ok);
  EXPECT(is_product());
  for (const int row : {0, 50, 99}) {
    if (rounded) {
      EXPECT(is_rejected(row, 1e300,
                         "the format rounds values to float, but some are too large for "
                         "one"));
    } else {
      const char* const why = "the format holds values as float, but some are not exactly one";
      for (const Value value : {0.1, 1e-50, 1e300, 16777217.0, 0x1p-130}) {
        EXPECT(is_rejected(row, value, why));
      }
    }
  }
  EXPECT(is_product());

  values[3] = std::numeric_limits<Value>::infinity();
  values[4] = -0.0;
  if (rounded) values[99] = 0.1;
  EXPECT(a_update_values(handle, values) == alphasparse_ok);
  EXPECT(is_product());
  EXPECT(a_update_values_device(handle, values, nullptr) == alphasparse_only_from_host);
  EXPECT(std::string(a_message()) ==
         "a_update_values_device: the format holds values as float; a_update_values takes them "
         "from the host");
  a_free(handle);
}
