// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/locked_memory.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "crypto/wipe.h"

namespace shardingdb::crypto_internal {
namespace {

// Room for a 32-byte key or a passphrase; 64 of them share a page.
constexpr size_t kSlotSize = 64;

size_t PageSize() {
  static const size_t page_size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return page_size;
}

size_t RoundUpToPages(size_t size) {
  return (size + PageSize() - 1) / PageSize() * PageSize();
}

class SlotPool {
 public:
  void* Allocate() ABSL_LOCKS_EXCLUDED(mutex_) {
    absl::MutexLock lock(&mutex_);
    if (free_ == nullptr) AddPage();
    FreeSlot* slot = free_;
    free_ = slot->next;
    std::memset(slot, 0, kSlotSize);
    return slot;
  }

  void Free(void* memory) ABSL_LOCKS_EXCLUDED(mutex_) {
    Wipe(memory, kSlotSize);
    absl::MutexLock lock(&mutex_);
    Push(memory);
  }

  // `size` bytes of pages of their own; a multiple of the page size.
  void* Map(size_t size) ABSL_LOCKS_EXCLUDED(mutex_) {
    absl::MutexLock lock(&mutex_);
    return MapLocked(size);
  }

  LockedMemoryStats stats() ABSL_LOCKS_EXCLUDED(mutex_) {
    absl::MutexLock lock(&mutex_);
    return stats_;
  }

 private:
  struct FreeSlot {
    FreeSlot* next;
  };

  void* MapLocked(size_t size) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    stats_.pages += size / PageSize();
    // The bare call, since sanitizers turn mlock() into nothing.
    if (syscall(SYS_mlock, memory, size) != 0) {
      stats_.unlocked_pages += size / PageSize();
    }
#ifdef MADV_DONTDUMP
    (void)madvise(memory, size, MADV_DONTDUMP);
#endif
    return memory;
  }

  void AddPage() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    char* page = static_cast<char*>(MapLocked(PageSize()));
    for (size_t at = 0; at + kSlotSize <= PageSize(); at += kSlotSize) {
      Push(page + at);
    }
  }

  void Push(void* memory) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    free_ = new (memory) FreeSlot{free_};
  }

  absl::Mutex mutex_;
  FreeSlot* free_ ABSL_GUARDED_BY(mutex_) = nullptr;
  LockedMemoryStats stats_ ABSL_GUARDED_BY(mutex_);
};

// Never destroyed: secrets in static storage may outlive any order of ours.
SlotPool& Pool() {
  static SlotPool* const pool = new SlotPool;
  return *pool;
}

}  // namespace

void* AllocateLocked(size_t size) {
  if (size <= kSlotSize) return Pool().Allocate();
  return Pool().Map(RoundUpToPages(size));
}

void FreeLocked(void* memory, size_t size) {
  if (size <= kSlotSize) {
    Pool().Free(memory);
    return;
  }
  Wipe(memory, size);
  munmap(memory, RoundUpToPages(size));
}

LockedMemoryStats GetLockedMemoryStats() { return Pool().stats(); }

}  // namespace shardingdb::crypto_internal
