// mirror_driver: loads other values into a standalone kernel that stores one triangle.
//
// Usage: mirror_driver FILE, the format of the matrix (1 2 .; 2 . 3; . 3 .) in f32. Exits with 1
// and the line where something is not as promised.
#include <cmath>

#define EXPECT(condition) \
  if (!(condition)) return std::printf("line %d: %s\n", __LINE__, #condition), 1

int main(int, char** arguments) {
  alphasparse_handle* handle = nullptr;
  EXPECT(a_load(arguments[1], &handle) == alphasparse_ok);
  const Value x[3] = {1, 10, 100};
  Value y[3] = {NAN, NAN, NAN};
  EXPECT(a_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(y[0] == 21 && y[1] == 302 && y[2] == 30);
  EXPECT(a_spmv(handle, x, y, 2, -1, nullptr) == alphasparse_ok);
  EXPECT(y[0] == 21 && y[1] == 302 && y[2] == 30);

  for (int image = 1; image <= 4; ++image) {  // each of the entries that have a twin
    Value values[5] = {5, 6, 6, 7, 7};
    values[image] = 8;
    EXPECT(a_update_values(handle, values) == alphasparse_not_representable);
    EXPECT(std::string(a_message()) ==
           "a_update_values: the format holds one triangle, but the values are not "
           "symmetric");
  }
  EXPECT(a_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(y[0] == 21 && y[1] == 302 && y[2] == 30);

  const Value values[5] = {5, 6, 6, 7, 7};
  EXPECT(a_update_values(handle, values) == alphasparse_ok);
  EXPECT(a_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(y[0] == 65 && y[1] == 706 && y[2] == 70);
  EXPECT(a_update_values_device(handle, values, nullptr) == alphasparse_only_from_host);
  EXPECT(std::string(a_message()) ==
         "a_update_values_device: the format holds one triangle; a_update_values takes them from "
         "the host");
  const Value unknown[5] = {5, NAN, NAN, 7, 7};
  EXPECT(a_update_values(handle, unknown) == alphasparse_ok);
  EXPECT(a_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  using alphasparse::host::is_nan;
  EXPECT(is_nan(y[0]) && is_nan(y[1]) && y[2] == 70);
  const Value zeros[5] = {5, 0.0F, -0.0F, 7, 7};
  EXPECT(a_update_values(handle, zeros) == alphasparse_not_representable);
  a_free(handle);
}
