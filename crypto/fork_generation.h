// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Noticing that this process is a child that inherited its parent's memory.

#ifndef SHARDINGDB_CRYPTO_FORK_GENERATION_H_
#define SHARDINGDB_CRYPTO_FORK_GENERATION_H_

#include <cstdint>

namespace shardingdb::crypto_internal {

// Returns a number that stays the same within a process and is higher in each
// child that got a copy of its memory, however it was made: by fork() or by the
// bare system call. A state that must not be used on both sides of a fork (the
// counter of a nonce) remembers the number, and is given up when it differs.
//
// Two children of one process may return the same number; it tells a process
// from those whose memory it inherited, not from its siblings.
//
// Thread-safe; takes no lock, and costs one or two loads.
uint64_t ForkGeneration();

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_FORK_GENERATION_H_
