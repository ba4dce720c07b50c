// inputs: x is copied once for all kernels that read it, and kept no longer than anybody has it.
#include "runtime/cpu/inputs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace alphasparse {
namespace {

SharedBytes bytes_of(std::size_t count, int filled) {
  std::vector<std::byte> bytes;
  bytes.resize(count, std::byte(filled));
  return bytes;
}

bool is_all(const std::byte* first, std::size_t count, int filled) {
  return std::all_of(first, first + count,
                     [&](std::byte byte) { return byte == std::byte(filled); });
}

TEST(KeptInputs, AreCopiedOnceForAllThatShareThem) {
  KeptInputs inputs;
  const SharedBytes x = bytes_of(1000, 1), copy = x, equal = bytes_of(1000, 1);
  const auto guarded = inputs.guarded(x);
  EXPECT_TRUE(is_all(guarded->data(), 1000, 1));
  EXPECT_EQ(inputs.guarded(copy), guarded);
  EXPECT_NE(inputs.guarded(equal), guarded);
  EXPECT_EQ(inputs.guarded(x), guarded);
  const auto timed = inputs.timed(x);
  EXPECT_TRUE(is_all(timed->data(), 1000, 1));
  EXPECT_TRUE(is_all(timed->data() + 1000, slack_bytes, 0));
  EXPECT_EQ(inputs.timed(copy), timed);
  EXPECT_NE(inputs.timed(equal), timed);
}

TEST(KeptInputs, GoWithTheLastWhoHasThem) {
  KeptInputs inputs;
  for (int time = 0; time < 3; ++time) {
    const SharedBytes x = bytes_of(5000, time);  // where the last one was, as likely as not
    EXPECT_TRUE(is_all(inputs.guarded(x)->data(), 5000, time));
    EXPECT_TRUE(is_all(inputs.timed(x)->data(), 5000, time));
    EXPECT_EQ(inputs.count(), 1);
  }
}

TEST(KeptInputs, TheLatestStayAsFarAsThereIsRoom) {
  KeptInputs inputs(3000);
  const SharedBytes a = bytes_of(1000, 1), b = bytes_of(1000, 2), c = bytes_of(1000, 3),
                    d = bytes_of(1000, 4), large = bytes_of(9000, 5);
  const auto of_a = inputs.guarded(a);
  const auto of_b = inputs.guarded(b);
  inputs.guarded(c);
  EXPECT_EQ(inputs.guarded(a), of_a);
  inputs.guarded(d);  // b was asked for before all others
  EXPECT_EQ(inputs.count(), 3);
  EXPECT_EQ(inputs.guarded(a), of_a);
  EXPECT_NE(inputs.guarded(b), of_b);
  inputs.guarded(large);
  EXPECT_EQ(inputs.count(), 1);
}

TEST(KeptInputs, GuardedOnesEndWhereTheirPageDoes) {
  KeptInputs inputs;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (const std::size_t size : {4, 4096, 4100, 5 << 20}) {
    const SharedBytes x = bytes_of(size, 7);
    const auto guarded = inputs.guarded(x);
    EXPECT_EQ(reinterpret_cast<std::size_t>(guarded->data() + size) % page, 0);
    EXPECT_TRUE(is_all(guarded->data(), size, 7));
  }
}

TEST(KeptInputsDeathTest, NobodyWritesIntoThemOrReadsBehindThem) {
  KeptInputs inputs;
  const SharedBytes x = bytes_of(100, 7);
  const auto guarded = inputs.guarded(x);
  EXPECT_DEATH(*const_cast<volatile std::byte*>(guarded->data()) = std::byte{1}, "");
  EXPECT_DEATH((void)*static_cast<const volatile std::byte*>(guarded->data() + 100), "");
}

TEST(KeptInputs, AnEmptyOneIsNobodys) {
  KeptInputs inputs;
  EXPECT_EQ(inputs.guarded({})->size(), 0);
  EXPECT_EQ(inputs.count(), 0);
  EXPECT_NE(inputs.timed({})->data(), nullptr);
}

}  // namespace
}  // namespace alphasparse
