// mirror_driver: loads other values into a standalone kernel that stores one triangle.
//
// Usage: mirror_driver FILE KIND, the format of the matrix (1 2 .; 2 . 3; . 3 .) in f32, or of (0 2
// .; -2 . 3; . -3 .) where KIND is skew-symmetric. Exits with 1 and the line where something is not
// as promised.
#include <cmath>

#define EXPECT(condition) \
  if (!(condition)) return std::printf("line %d: %s\n", __LINE__, #condition), 1

int main(int, char** arguments) {
  alphasparse_handle* handle = nullptr;
  EXPECT(a_load(arguments[1], &handle) == alphasparse_ok);
  const std::string kind = arguments[2];
  const bool skew = kind == "skew-symmetric";
  const Value sign = skew ? -1 : 1, first = skew ? 20 : 21, second = 300 + 2 * sign;
  const Value x[3] = {1, 10, 100};
  Value y[3] = {NAN, NAN, NAN};
  EXPECT(a_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(y[0] == first && y[1] == second && y[2] == 30 * sign);
  EXPECT(a_spmv(handle, x, y, 2, -1, nullptr) == alphasparse_ok);
  EXPECT(y[0] == first && y[1] == second && y[2] == 30 * sign);

  for (int image = 1; image <= 4; ++image) {  // each of the entries that have a twin
    Value values[5] = {5, 6, 6 * sign, 7, 7 * sign};
    values[image] = 8;
    EXPECT(a_update_values(handle, values) == alphasparse_not_representable);
    EXPECT(std::string(a_message()) ==
           "a_update_values: the format holds one triangle, but the values are not " + kind);
  }
  EXPECT(a_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(y[0] == first && y[1] == second && y[2] == 30 * sign);

  const Value values[5] = {5, 6, 6 * sign, 7, 7 * sign};
  EXPECT(a_update_values(handle, values) == alphasparse_ok);
  EXPECT(a_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  EXPECT(y[0] == 65 && y[1] == 700 + 6 * sign && y[2] == 70 * sign);
  EXPECT(a_update_values_device(handle, values, nullptr) == alphasparse_only_from_host);
  EXPECT(std::string(a_message()) ==
         "a_update_values_device: the format holds one triangle; a_update_values takes them from "
         "the host");
  const Value unknown[5] = {5, NAN, NAN, 7, 7 * sign};
  EXPECT(a_update_values(handle, unknown) == alphasparse_ok);
  EXPECT(a_spmv(handle, x, y, 1, 0, nullptr) == alphasparse_ok);
  using alphasparse::host::is_nan;
  EXPECT(is_nan(y[0]) && is_nan(y[1]) && y[2] == 70 * sign);
  const Value tiny[5] = {5, 1e-40F, skew ? -1e-40F : 1e-40F, 7, 7 * sign};
  EXPECT(a_update_values(handle, tiny) == alphasparse_ok);
  const Value zeros[][5] = {{5, 0.0F, -0.0F, 7, 7}, {5, 0.0F, 0.0F, 7, -7}};
  EXPECT(a_update_values(handle, zeros[skew]) == alphasparse_not_representable);
  a_free(handle);
}
