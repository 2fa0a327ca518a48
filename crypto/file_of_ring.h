// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The files that belong to a key ring on disk.

#ifndef SHARDINGDB_CRYPTO_FILE_OF_RING_H_
#define SHARDINGDB_CRYPTO_FILE_OF_RING_H_

#include <string>

namespace shardingdb::crypto_internal {

// Whether `path` is the key ring `ring` or its temporary file `ring`.tmp, which
// each change of the ring removes: by any spelling, and where they are there by
// any link. Neither need be there.
bool IsFileOfRing(const std::string& path, const std::string& ring);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_FILE_OF_RING_H_
