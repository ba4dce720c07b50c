#pragma once
#include "finite_number.cuh"
