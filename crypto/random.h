// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Unpredictable bytes from the operating system.

#ifndef SHARDINGDB_CRYPTO_RANDOM_H_
#define SHARDINGDB_CRYPTO_RANDOM_H_

#include <cstddef>

#include "absl/status/status.h"

namespace shardingdb::crypto_internal {

// Fills `size` bytes at `data` from the system's generator, fit for keys and
// nonces. Waits, once after boot, until that generator has been seeded.
//
// Thread-safe. Keeps no state of its own, so a child process never repeats what
// its parent drew.
//
// Errors:
//   kUnavailable  the system gave no randomness; `data` must not be used
[[nodiscard]] absl::Status RandomBytes(char* data, size_t size);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_RANDOM_H_
