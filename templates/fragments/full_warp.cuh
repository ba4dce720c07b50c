// full_warp: the mask of a collective that every lane takes part in; there is no other kind here.
#pragma once
constexpr unsigned full_warp = 0xffffffffu;
