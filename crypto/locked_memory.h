// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Memory for secrets: out of swap and out of core dumps where the system
// allows.

#ifndef SHARDINGDB_CRYPTO_LOCKED_MEMORY_H_
#define SHARDINGDB_CRYPTO_LOCKED_MEMORY_H_

#include <cstddef>

namespace shardingdb::crypto_internal {

// Returns `size` zero bytes. Small secrets share locked pages, so thousands of
// keys fit into the few pages that an ordinary user may lock. Pages of small
// secrets are kept for reuse and never given back.
//
// Never null: like operator new it throws std::bad_alloc where no memory is
// left. A page that cannot be locked (RLIMIT_MEMLOCK) is used all the same and
// counted.
//
// Thread-safe.
//
// REQUIRES: size > 0
void* AllocateLocked(size_t size);

// Wipes and gives back what AllocateLocked(size) returned. Thread-safe.
void FreeLocked(void* memory, size_t size);

// How much memory for secrets the process has asked for so far.
struct LockedMemoryStats {
  size_t pages = 0;
  // Of these, pages that the system refused to lock and may swap out.
  size_t unlocked_pages = 0;
};
LockedMemoryStats GetLockedMemoryStats();

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_LOCKED_MEMORY_H_
