#pragma once

namespace yard {

/// For a process of many threads that pass large, short-lived values around: fewer heaps of the
/// allocator, so that what one thread frees serves the others. Call it before the first thread.
void shareHeaps();

/// Gives memory that is free back to the system; takes tens of milliseconds. Any thread.
void returnFreeMemory();

}  // namespace yard
