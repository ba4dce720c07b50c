// emitted_loaders: the loaders of all subjects of a target as they stand in emitted files, compiled
// into it. A program of the build writes their source (emitted_loaders.cpp).
#pragma once
#include <cstddef>

/// The reason for which the loader of a subject refuses a file; null: it takes it. The text lives
/// until the next call.
extern "C" const char* emitted_refusal(std::size_t subject, const char* path);
