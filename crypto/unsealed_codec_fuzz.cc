// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Any bytes as a value that was stored unsealed. The first line of an input is
// a user key; the rest is taken for an envelope: as it is, and with a checksum
// that is right, which else would stop nearly all of them. Then it is stored as
// a value.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crc32c/crc32c.h"
#include "crypto/compression.h"
#include "crypto/unsealed_codec.h"
#include "testing/fuzz_target.h"

namespace shardingdb {
namespace {

constexpr Compression kCompressions[] = {
    Compression::kNone, Compression::kSnappy, Compression::kZstd};
constexpr size_t kChecksumAt = 2;

std::string LittleEndian(uint32_t number) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) {
    bytes.push_back(static_cast<char>((number >> (8 * i)) & 0xff));
  }
  return bytes;
}

// As docs/formats/envelope.md has it. What is too short stays as it is.
std::string WithRightChecksum(absl::string_view envelope,
                              absl::string_view user_key) {
  std::string right(envelope);
  if (right.size() < UnsealedCodec::kOverhead) return right;
  const std::string covered =
      absl::StrCat("sdb/unsealed:", envelope.substr(0, kChecksumAt),
                   LittleEndian(static_cast<uint32_t>(user_key.size())),
                   user_key, envelope.substr(UnsealedCodec::kOverhead));
  const uint32_t checksum = crc32c::Extend(
      0, reinterpret_cast<const uint8_t*>(covered.data()), covered.size());
  right.replace(kChecksumAt, 4, LittleEndian(checksum));
  return right;
}

// Stores `value` in each way and opens it again.
std::string CheckStored(absl::string_view value, absl::string_view user_key) {
  for (const Compression compression : kCompressions) {
    const UnsealedCodec codec(compression);
    std::string stored;
    absl::Status status = codec.Seal(value, user_key, &stored);
    if (!status.ok()) return std::string(status.message());
    if (stored.size() > value.size() + UnsealedCodec::kOverhead) {
      return "stored longer than it may be";
    }
    std::string opened;
    status = codec.Open(stored, user_key, &opened);
    if (!status.ok()) return std::string(status.message());
    if (opened != value) return "opened to something else";
  }
  return "";
}

std::string CheckOpen(absl::string_view envelope, absl::string_view user_key) {
  const UnsealedCodec codec(Compression::kSnappy);
  std::string value = "before";
  const absl::Status status = codec.Open(envelope, user_key, &value);
  // What the densest compression makes; a string allocates some bytes more
  // where it holds few.
  if (value.capacity() > 32 + 32768 * envelope.size()) {
    return absl::StrCat("allocated ", value.capacity(), " bytes for ",
                        envelope.size());
  }
  if (status.ok()) {
    if (WithRightChecksum(envelope, user_key) != envelope) {
      return "opened under a wrong checksum";
    }
    return CheckStored(value, user_key);
  }
  if (!value.empty()) return "refused, and gave a value";
  return absl::IsDataLoss(status) &&
                 absl::StartsWith(status.message(), "stored value: ")
             ? ""
             : absl::StrCat("refused in another way: ", status.ToString());
}

}  // namespace

std::string FuzzOne(absl::string_view input) {
  const absl::string_view user_key = input.substr(0, input.find('\n'));
  absl::string_view rest = input.substr(user_key.size());
  if (!rest.empty()) rest.remove_prefix(1);
  std::string error = CheckOpen(rest, user_key);
  if (error.empty()) {
    error = CheckOpen(WithRightChecksum(rest, user_key), user_key);
  }
  return error.empty() ? CheckStored(rest, user_key) : error;
}

}  // namespace shardingdb
