#include "tests/protocol/heap_support.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<size_t> g_held{0}, g_most{0};

void* Take(size_t size) {
  void* at = std::malloc(size);
  if (at == nullptr) throw std::bad_alloc();
  const size_t held = g_held += malloc_usable_size(at);
  size_t most = g_most;
  while (held > most && !g_most.compare_exchange_weak(most, held)) {
  }
  return at;
}

void Give(void* at) {
  if (at == nullptr) return;
  g_held -= malloc_usable_size(at);
  std::free(at);
}

}  // namespace

void* operator new(size_t size) {
  return Take(size);
}
void* operator new[](size_t size) {
  return Take(size);
}
void operator delete(void* at) noexcept {
  Give(at);
}
void operator delete[](void* at) noexcept {
  Give(at);
}
void operator delete(void* at, size_t) noexcept {
  Give(at);
}
void operator delete[](void* at, size_t) noexcept {
  Give(at);
}

namespace parley::protocol {

HeapPeak::HeapPeak() : before_(g_held) {
  g_most = before_;
}

size_t HeapPeak::bytes() const {
  return g_most - std::min<size_t>(g_most, before_);
}

}  // namespace parley::protocol
