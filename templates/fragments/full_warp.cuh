// full_warp: the mask of all lanes, because each takes part in every collective.
#pragma once
constexpr unsigned full_warp = 0xffffffffu;
