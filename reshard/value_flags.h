// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_VALUE_FLAGS_H_
#define SHARDINGDB_RESHARD_VALUE_FLAGS_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/kek_flags.h"
#include "reshard/value_codec.h"

namespace shardingdb {

// The flags that say how values are stored, as they were given.
struct ValueFlags {
  std::string in_key_ring;                 // --in-key-ring
  bool in_compressed = false;              // --in-compressed
  bool in_plain = false;                   // --in-plain
  std::string in_legacy_key_file;          // --in-legacy-aes-cbc-key-file
  std::string key_ring;                    // --key-ring
  std::optional<std::string> compression;  // --value-compression
  bool opaque_keys = false;                // --opaque-keys
  crypto_internal::KekFlags kek;
  crypto_internal::KekFlags in_kek;
};

struct ValueCodecs {
  ValueCodec in;
  ValueCodec out;
};

// InvalidArgument, with the flag, for flags that do not go together. `digest`:
// for reading only, where --key-ring is the ring of the inputs.
[[nodiscard]] absl::Status CheckValueFlags(const ValueFlags& flags,
                                           bool digest);

// Opens the rings and keys of `flags`, which CheckValueFlags has accepted; for
// `digest`, what the values are is `in`. `working_folder` is what relative
// paths are relative to.
//
// Errors, with the path: FailedPrecondition for a wrong key, a file that is not
// there or that others may use; DataLoss for a damaged ring; Unavailable for
// I/O errors; those of `ask`.
[[nodiscard]] absl::StatusOr<ValueCodecs> OpenValueCodecs(
    const ValueFlags& flags, bool digest, const std::string& working_folder,
    const crypto_internal::AskForPassphrase& ask);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_VALUE_FLAGS_H_
