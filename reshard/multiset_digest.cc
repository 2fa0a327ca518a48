// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/multiset_digest.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "reshard/set_digest.h"

namespace shardingdb {
namespace {

constexpr size_t kLimbs = 4;
constexpr size_t kHexDigits = 64;

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

EntryHash HashEntry(const leveldb::Slice& key, const leveldb::Slice& value,
                    Sha256* sha) {
  UpdateWithEntry(key, value, sha);
  return sha->Finish();
}

void MultisetDigest::Add(const EntryHash& hash) {
  std::array<uint64_t, kLimbs> limbs = {};
  for (size_t i = 0; i < hash.size(); ++i) {
    limbs[i / 8] |= static_cast<uint64_t>(hash[i]) << (8 * (i % 8));
  }
  AddLimbs(limbs);
  ++entries_;
}

void MultisetDigest::Add(const MultisetDigest& other) {
  AddLimbs(other.limbs_);
  entries_ += other.entries_;
}

void MultisetDigest::AddLimbs(const std::array<uint64_t, kLimbs>& limbs) {
  uint64_t carry = 0;
  for (size_t i = 0; i < kLimbs; ++i) {
    const uint64_t sum = limbs_[i] + limbs[i];
    const uint64_t with_carry = sum + carry;
    carry = (sum < limbs[i]) | (with_carry < sum);
    limbs_[i] = with_carry;
  }
}

std::string MultisetDigest::ToHex() const {
  std::string hex;
  for (size_t i = kLimbs; i-- > 0;) {
    absl::StrAppend(&hex, absl::Hex(limbs_[i], absl::kZeroPad16));
  }
  return hex;
}

absl::StatusOr<MultisetDigest> MultisetDigest::Parse(uint64_t entries,
                                                     absl::string_view hex) {
  if (hex.size() != kHexDigits) {
    return absl::InvalidArgumentError("a digest has 64 hex digits");
  }
  MultisetDigest digest;
  digest.entries_ = entries;
  for (size_t i = 0; i < kHexDigits; ++i) {
    const int value = HexValue(hex[i]);
    if (value < 0) {
      return absl::InvalidArgumentError("a digest has 64 hex digits");
    }
    uint64_t& limb = digest.limbs_[kLimbs - 1 - i / 16];
    limb = (limb << 4) | static_cast<uint64_t>(value);
  }
  return digest;
}

}  // namespace shardingdb
