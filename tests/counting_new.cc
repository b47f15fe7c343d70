#include "tests/counting_new.h"

#include <atomic>
#include <cstdlib>
#include <new>

// In a file of its own: inlined into a caller, malloc paired with delete looks like a mistake.

namespace cubicbench {
namespace {

std::atomic<long> count{0};

}  // namespace

long allocation_count() { return count; }

}  // namespace cubicbench

void* operator new(std::size_t size) {
  ++cubicbench::count;
  if (void* memory = std::malloc(size)) {
    return memory;
  }
  throw std::bad_alloc();
}

// The one that std::stable_sort asks: what it gets must be from where `delete` returns it to.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++cubicbench::count;
  return std::malloc(size);
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
