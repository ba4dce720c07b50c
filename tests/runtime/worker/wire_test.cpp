// worker_wire: arrays that cases share go over once, and are kept no longer than their owner has
// them.
#include "runtime/worker/wire.h"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>

#include "generator/arrays/stored_values.h"

namespace alphasparse {
namespace {

constexpr std::size_t large = 10'000;
constexpr std::size_t small = 1'000;  // a message without any of them

SharedBytes bytes_of(std::size_t count, int byte) {
  return std::vector<std::byte>(count, std::byte(byte));
}

/// Two cases with the same integers and y.
std::vector<SpmvCase> two_cases() {
  std::vector<SpmvCase> cases(2);
  cases[0].name = "first";
  cases[0].integers = cases[1].integers = bytes_of(large, 1);
  cases[0].x = bytes_of(large, 2);
  cases[1].x = bytes_of(large, 3);
  cases[0].y = cases[1].y = bytes_of(large, 4);
  cases[1].scaling.alpha = 5;
  return cases;
}

/// Both ends of the wire.
struct Ends {
  SentBytes sent;
  KeptBytes kept;
  std::size_t message_bytes = 0;

  std::vector<std::byte> packed(std::span<const SpmvCase> cases) {
    Packer packer = Packer::referring();
    sent.pack_cases(packer, cases);
    const PackedMessage message = packer.take();
    EXPECT_LT(message.own.size(), small) << "long runs are not copied";
    std::vector<std::byte> bytes;
    message.for_bytes([&](std::span<const std::byte> part) {
      bytes.insert(bytes.end(), part.begin(), part.end());
    });
    EXPECT_EQ(bytes.size(), message.size());
    message_bytes = bytes.size();
    return bytes;
  }

  std::vector<SpmvCase> cross(std::span<const SpmvCase> cases) {
    const std::vector<std::byte> message = packed(cases);
    Unpacker reader(message);
    std::vector<SpmvCase> unpacked = kept.unpack_cases(reader);
    sent.arrived();
    return unpacked;
  }
};

TEST(WorkerWire, WhatCasesShareGoesOverOnce) {
  Ends ends;
  const std::vector<SpmvCase> cases = two_cases();
  const std::vector<SpmvCase> first = ends.cross(cases);
  EXPECT_GT(ends.message_bytes, 4 * large);
  EXPECT_LT(ends.message_bytes, 4 * large + small);
  const std::vector<SpmvCase> second = ends.cross(cases);
  EXPECT_LT(ends.message_bytes, small);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(first[i].name, cases[i].name);
    EXPECT_EQ(first[i].scaling.alpha, cases[i].scaling.alpha);
    for (const auto part : {&SpmvCase::integers, &SpmvCase::x, &SpmvCase::y}) {
      const SharedBytes::Bytes& there = first[i].*part;
      const SharedBytes::Bytes& here = cases[i].*part;
      EXPECT_EQ(there, here);
      EXPECT_TRUE((second[i].*part).is(first[i].*part)) << "a device may know it again";
    }
  }
  EXPECT_TRUE(first[0].y.is(first[1].y));
  EXPECT_TRUE(ends.cross(std::vector<SpmvCase>(1)).front().integers.empty());
}

TEST(WorkerWire, SourcesInOrderGoOverAsTheirNumber) {
  std::vector<std::int32_t> in_order(large);
  std::iota(in_order.begin(), in_order.end(), 0);
  std::vector<std::int32_t> moved = in_order, padded = in_order;
  std::swap(moved.front(), moved.back());
  padded.push_back(-1);
  for (const std::vector<std::int32_t>& sources : {{}, in_order, moved, padded}) {
    Packer packer = Packer::referring();
    packer.sources(sources);
    packer(std::int64_t{7});
    const PackedMessage message = packer.take();
    EXPECT_EQ(message.size() < small, sources.empty() || sources == in_order);
    std::vector<std::byte> bytes;
    message.for_bytes([&](std::span<const std::byte> part) {
      bytes.insert(bytes.end(), part.begin(), part.end());
    });
    Unpacker reader(bytes);
    std::vector<std::int32_t> unpacked = {1, 2, 3};
    reader.sources(unpacked);
    EXPECT_EQ(unpacked, sources);
    EXPECT_EQ(reader.get<std::int64_t>(), 7) << "what follows";
  }
}

TEST(WorkerWire, ValuesThatAreStillToBeMadeGoOverAsThoseThatAre) {
  std::vector<double> canonical(large);
  std::vector<std::int32_t> source(large);
  for (std::size_t i = 0; i < large; ++i) {
    canonical[i] = 1.0 / static_cast<double>(i + 1);
    source[i] = static_cast<std::int32_t>(large - 1 - i);
  }
  const Array made = value_array(ValueChoice::full, Dtype::f64, canonical, source);
  const Array unmade = unmade_value_array(ValueChoice::full, Dtype::f64, canonical, source);
  ASSERT_TRUE(unmade.bytes.empty());
  for (const bool refers : {false, true}) {
    for (const Array* const array : {&made, &unmade}) {
      Packer packer = refers ? Packer::referring() : Packer();
      packer(std::int64_t{6});
      pack(packer, *array);
      packer(std::int64_t{7});
      const PackedMessage message = packer.take();
      std::vector<std::byte> bytes;
      message.for_bytes([&](std::span<const std::byte> part) {
        bytes.insert(bytes.end(), part.begin(), part.end());
      });
      EXPECT_EQ(bytes.size(), message.size());
      Unpacker reader(bytes);
      EXPECT_EQ(reader.get<std::int64_t>(), 6);
      const auto there = unpack<Array>(reader);
      EXPECT_TRUE(there.bytes == made.bytes);
      EXPECT_FALSE(there.made_from);
      EXPECT_EQ(reader.get<std::int64_t>(), 7) << "the number behind it";
    }
  }
}

TEST(WorkerWire, WhatIsGoneHereIsGivenUpThere) {
  Ends ends;
  const SpmvCase lasting = two_cases()[0];
  std::weak_ptr<const SharedBytes::Bytes> x, y;
  {
    const std::vector<SpmvCase> unpacked = ends.cross(two_cases());
    x = unpacked[0].x.watch();
    y = ends.cross({&lasting, 1}).front().y.watch();
  }
  EXPECT_FALSE(y.expired());
  EXPECT_TRUE(x.expired()) << "with the message after the one that brought it";
  ends.cross(std::vector<SpmvCase>(1));
  EXPECT_FALSE(y.expired()) << "its owner has it";
}

TEST(WorkerWire, WhatMayBeLostGoesOnceMore) {
  Ends ends;
  const std::vector<SpmvCase> cases = two_cases();
  ends.cross({cases.data(), 1});
  (void)ends.packed(cases);  // this message is never read
  ends.sent.lost();
  const std::vector<SpmvCase> unpacked = ends.cross(cases);
  EXPECT_GT(ends.message_bytes, large);
  EXPECT_LT(ends.message_bytes, large + small) << "the first case has arrived before";
  const SharedBytes::Bytes& x = unpacked[1].x;
  EXPECT_EQ(x, static_cast<const SharedBytes::Bytes&>(cases[1].x));
}

}  // namespace
}  // namespace alphasparse
