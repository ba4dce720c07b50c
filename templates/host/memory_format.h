// memory_format: a format that is held in memory, and the functions by which a kernel holds it.
#pragma once
#include "templates/host/facts.h"
#include "templates/host/message.h"

namespace alphasparse::host {

constexpr int threads_most = 1024;

/// Arrays in memory, and the places that their values come from.
struct MemoryFormat;

/// Reads a format file, checks it against the facts, and keeps its arrays, touched first by so many
/// threads. Fills `pointers`, those of the kernel's Format. Gives a status; after a failure
/// *held is as it was.
int hold_in_memory(const char* path, const FormatFacts& facts, int threads, void** pointers,
                   MemoryFormat** held, Message& message);

/// Replaces the values, which stand in canonical order and have the kernel's type. Gives a status.
int replace_values(MemoryFormat& held, const char* what, const void* canonical, Message& message);

/// Gives back the arrays; null is allowed.
void drop(MemoryFormat* held);

/// Whether the process is a fork without the threads of OpenMP, which stayed with its parent.
bool is_forked();

}  // namespace alphasparse::host
