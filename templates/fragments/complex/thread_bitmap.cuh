#pragma once
#include "templates/fragments/packs/thread_bitmap.cuh"
