#pragma once
#include "templates/lanes/packs/warp_segment.h"
