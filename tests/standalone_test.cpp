// format_file: what is written comes back, whole, and nothing that is damaged does.
#include "runtime/format_file.h"

#include <gtest/gtest.h>
TEST(A,B){}
