// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// AES-GCM test vectors in the JSON format of Project Wycheproof.

#ifndef SHARDINGDB_CRYPTO_GCM_VECTOR_FILE_H_
#define SHARDINGDB_CRYPTO_GCM_VECTOR_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace shardingdb::crypto_internal {

// What the author of a vector says about it.
enum class GcmVerdict {
  kValid,       // seals to these bytes, and they open
  kInvalid,     // must be refused
  kAcceptable,  // either; a careful implementation may refuse it
};

// One test of such a file. What the file has as hexadecimal digits is bytes
// here. Sizes are those that the test's group declares, in bits.
struct GcmVector {
  int64_t id = 0;
  std::string comment;
  size_t key_bits = 0;
  size_t nonce_bits = 0;
  size_t tag_bits = 0;
  std::string key;
  std::string nonce;
  std::string associated_data;
  std::string plaintext;
  std::string ciphertext;
  std::string tag;
  GcmVerdict verdict = GcmVerdict::kValid;
};

// The vectors of a file such as C2SP/wycheproof's aes_gcm_test.json, in its
// order. Both versions of its schema are read; what they have besides the
// vectors (notes, flags, sources) is not looked at.
//
// Errors:
//   kInvalidArgument  not JSON, not of that format, of another algorithm, or
//                     not as many tests as it says; the message has the place
[[nodiscard]] absl::StatusOr<std::vector<GcmVector>> ParseGcmVectors(
    absl::string_view text);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_GCM_VECTOR_FILE_H_
