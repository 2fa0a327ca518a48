// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_CRYPTO_UNSEALED_CODEC_H_
#define SHARDINGDB_CRYPTO_UNSEALED_CODEC_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "crypto/aead.h"
#include "crypto/compression.h"

namespace shardingdb {

// Stores values compressed and not encrypted, where values are otherwise sealed
// by an Aead. NO SECRECY: anybody can read what it makes, and make it.
//
// The bytes are those of an unsealed envelope (docs/formats/envelope.md): 6
// more than the value, compressed where that saves an eighth. A checksum over
// the user key and the value tells damage, a value moved to another key, and
// bytes that no such codec has made (but for one in 2^32).
//
// Thread-safe. Errors of Open() are those of Aead: kDataLoss says "too short",
// "unknown version", "is sealed", "unknown flags", "unknown compression", "the
// checksum is wrong" or "does not decompress".
class UnsealedCodec final : public Aead {
 public:
  // How much longer a value that does not compress becomes.
  static constexpr size_t kOverhead = 6;

  explicit UnsealedCodec(Compression compression) : compression_(compression) {}

  [[nodiscard]] absl::Status Seal(absl::string_view plaintext,
                                  absl::string_view associated_data,
                                  std::string* sealed) const override;
  [[nodiscard]] absl::Status Open(absl::string_view sealed,
                                  absl::string_view associated_data,
                                  std::string* plaintext) const override;
  bool NeedsReseal(absl::string_view) const override { return false; }

  // Whether such a codec has made `sealed`, by its header and its checksum.
  // Decompresses nothing, so it takes no more memory whatever `sealed` is.
  [[nodiscard]] static bool HasMade(absl::string_view sealed,
                                    absl::string_view associated_data);

 private:
  const Compression compression_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_CRYPTO_UNSEALED_CODEC_H_
