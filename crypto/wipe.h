// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Overwriting secrets in a way that a compiler does not leave out.

#ifndef SHARDINGDB_CRYPTO_WIPE_H_
#define SHARDINGDB_CRYPTO_WIPE_H_

#include <string.h>

#include <cstddef>
#include <string>

namespace shardingdb::crypto_internal {

// Sets `size` bytes at `data` to zero. `data` may be null when `size` is 0.
inline void Wipe(void* data, size_t size) {
  if (size != 0) explicit_bzero(data, size);
}

// Sets all that `*text` holds to zero, then makes it empty.
inline void WipeAndClear(std::string* text) {
  Wipe(&(*text)[0], text->size());
  text->clear();
}

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_WIPE_H_
