// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Any bytes as a compressed plaintext, and as a plaintext. The first byte of an
// input chooses the compression.

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crypto/compression.h"
#include "testing/fuzz_target.h"

namespace shardingdb {
namespace {

using crypto_internal::CompressIfSmaller;
using crypto_internal::Decompress;

// Compresses and decompresses.
std::string CheckRoundTrip(Compression compression,
                           absl::string_view plaintext) {
  std::string compressed;
  if (!CompressIfSmaller(compression, plaintext, &compressed)) return "";
  std::string again;
  const absl::Status status = Decompress(compression, compressed, &again);
  if (!status.ok()) return std::string(status.message());
  return again == plaintext ? "" : "decompressed to something else";
}

std::string CheckDecompress(Compression compression,
                            absl::string_view compressed) {
  // What docs/formats/envelope.md allows.
  const size_t expansion = compression == Compression::kSnappy ? 22 : 32768;
  std::string plaintext;
  const absl::Status status = Decompress(compression, compressed, &plaintext);
  // A string allocates some bytes more where it holds few.
  if (plaintext.capacity() > 32 + expansion * compressed.size()) {
    return absl::StrCat("allocated ", plaintext.capacity(), " bytes for ",
                        compressed.size());
  }
  if (status.ok()) return CheckRoundTrip(compression, plaintext);
  return absl::IsDataLoss(status)
             ? ""
             : absl::StrCat("another code: ", status.ToString());
}

}  // namespace

std::string FuzzOne(absl::string_view input) {
  if (input.empty()) return "";
  const Compression compression = static_cast<uint8_t>(input[0]) % 2 == 0
                                      ? Compression::kZstd
                                      : Compression::kSnappy;
  input.remove_prefix(1);
  const std::string error = CheckDecompress(compression, input);
  return error.empty() ? CheckRoundTrip(compression, input) : error;
}

}  // namespace shardingdb
