// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_REKEY_H_
#define SHARDINGDB_REKEY_H_

#include <atomic>
#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/aead.h"

namespace shardingdb {

class ShardRouter;

// How far a re-keying is.
struct RekeyProgress {
  uint32_t shard = 0;  // being read now; those before it are done
  uint32_t shard_count = 0;
  uint64_t entries = 0;   // that were looked at
  uint64_t resealed = 0;  // of these, sealed anew
  uint64_t bytes = 0;     // of keys and sealed values, written for that
};

struct RekeyOptions {
  // How much to write, at most, in bytes of keys and sealed values. 0 means as
  // fast as it can.
  uint64_t bytes_per_second = 0;

  // Called after each batch, and at the end, from the calling thread; may be
  // empty.
  std::function<void(const RekeyProgress& progress)> on_progress;

  // Ends the work soon after it becomes true; may be null.
  const std::atomic<bool>* stop = nullptr;
};

// What ShardingDb::Rekey does, over the router below the encryption. No write
// that began before the Aead's key changed may be under way.
[[nodiscard]] absl::StatusOr<RekeyProgress> RekeyShards(
    ShardRouter* router, const Aead& aead, const RekeyOptions& options);

// What ShardingDb::CheckKeyUnused does, under the same condition.
[[nodiscard]] absl::Status CheckKeyUnusedInShards(ShardRouter* router,
                                                  const Aead& aead,
                                                  uint32_t key_id);

}  // namespace shardingdb

#endif  // SHARDINGDB_REKEY_H_
