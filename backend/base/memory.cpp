#include "backend/base/memory.h"

#include <malloc.h>

namespace yard {
namespace {

constexpr int kHeaps = 2;

}  // namespace

void shareHeaps()
{
    mallopt(M_ARENA_MAX, kHeaps);
}

void returnFreeMemory()
{
    malloc_trim(0);
}

}  // namespace yard
