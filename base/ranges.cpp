#include "base/ranges.h"

#include <algorithm>

#include "base/time_limit.h"

namespace alphasparse {

void for_ranges(std::int64_t count,
                const std::function<void(std::int64_t first, std::int64_t end)>& work,
                std::int64_t least) {
  if (count <= 0) return;
  end_if_over();
  const std::int64_t ranges = std::clamp<std::int64_t>(count / least, 1, cores_for_ranges());
  parallel_for(ranges, ranges, [&](std::size_t index, std::size_t) {
    const auto range = static_cast<std::int64_t>(index);
    // Without overflow: 2^31 entries by some hundred cores.
    work(count * range / ranges, count * (range + 1) / ranges);
  });
}

}  // namespace alphasparse
