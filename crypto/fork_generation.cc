// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/fork_generation.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <new>

namespace shardingdb::crypto_internal {
namespace {

// Which process last called ForkGeneration() on this memory. In a child the
// kernel sets it to 0 (MADV_WIPEONFORK, Linux 4.14), which costs nothing here
// and cannot be missed, unlike a handler of pthread_atfork().
using Owner = std::atomic<uint32_t>;

Owner* NewWipedOnFork() {
#ifdef MADV_WIPEONFORK
  const size_t size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* page = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return nullptr;
  if (madvise(page, size, MADV_WIPEONFORK) == 0) return new (page) Owner(0);
  munmap(page, size);
#endif
  return nullptr;
}

std::atomic<uint64_t> generation{0};

// Where the kernel wipes no page: the process id tells, for a system call each.
uint64_t GenerationByProcessId() {
  static Owner owner{0};
  const uint32_t self = static_cast<uint32_t>(getpid());
  if (owner.load(std::memory_order_acquire) != self) {
    generation.fetch_add(1, std::memory_order_acq_rel);
    owner.store(self, std::memory_order_release);
  }
  return generation.load(std::memory_order_acquire);
}

}  // namespace

uint64_t ForkGeneration() {
  static Owner* const owner = NewWipedOnFork();
  if (owner == nullptr) return GenerationByProcessId();
  if (owner->load(std::memory_order_acquire) == 0) {
    // Threads that meet here may each add one, which is harmless: a state made
    // in between is given up once more than it had to be.
    generation.fetch_add(1, std::memory_order_acq_rel);
    owner->store(1, std::memory_order_release);
  }
  return generation.load(std::memory_order_acquire);
}

}  // namespace shardingdb::crypto_internal
