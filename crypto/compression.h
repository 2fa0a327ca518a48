// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Compression of values before they are sealed: sealed bytes do not compress.

#ifndef SHARDINGDB_CRYPTO_COMPRESSION_H_
#define SHARDINGDB_CRYPTO_COMPRESSION_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace shardingdb {

// The numbers are those of docs/formats/envelope.md.
enum class Compression : uint8_t {
  kNone = 0,
  kSnappy =
      1,  // https://github.com/google/snappy/blob/main/format_description.txt
  kZstd = 2,  // RFC 8878, one frame that tells its content size
};

namespace crypto_internal {

// Shorter plaintexts are not worth the time.
inline constexpr size_t kMinCompressedPlaintext = 128;  // bytes

// Replaces `*compressed` with `plaintext` compressed and returns true, if that
// saves an eighth of it or more. Otherwise false, and what `*compressed` holds
// is unspecified. Thread-safe.
bool CompressIfSmaller(Compression compression, absl::string_view plaintext,
                       std::string* compressed);

// Replaces `*plaintext` with what was compressed. No more is allocated than the
// length that `compressed` declares, and a length that its own length cannot
// expand to is an error. Thread-safe.
//
// Errors:
//   kDataLoss  not what `compression`, which is not kNone, makes
[[nodiscard]] absl::Status Decompress(Compression compression,
                                      absl::string_view compressed,
                                      std::string* plaintext);

}  // namespace crypto_internal
}  // namespace shardingdb

#endif  // SHARDINGDB_CRYPTO_COMPRESSION_H_
