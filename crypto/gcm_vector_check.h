// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Whether AES-GCM does what a test vector says.

#ifndef SHARDINGDB_CRYPTO_GCM_VECTOR_CHECK_H_
#define SHARDINGDB_CRYPTO_GCM_VECTOR_CHECK_H_

#include <string>

#include "crypto/gcm_vector_file.h"

namespace shardingdb::crypto_internal {

enum class GcmPath {
  // AesGcmSealer and AesGcmOpener, which values are sealed and opened with: a
  // key of 256 bits, a nonce of 96, a tag of 128. Vectors of other sizes they
  // must refuse.
  kAes256Gcm,
  // AnySizeGcm, which is the library's GCM ...
  kLibrary,
  // ... or, for a few nonces, not: see there.
  kOwnCounter,
};

struct GcmVectorResult {
  GcmPath path = GcmPath::kAes256Gcm;

  // What was wrong; empty where all was right.
  std::string error;
};

// Runs `vector` both ways. A valid one seals to its bytes and they open to its
// plaintext; an invalid one does neither; an acceptable one does both or
// neither. Thread-safe.
[[nodiscard]] GcmVectorResult CheckGcmVector(const GcmVector& vector);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_GCM_VECTOR_CHECK_H_
