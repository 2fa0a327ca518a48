// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/set_digest.h"

#include <array>
#include <cstddef>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"

namespace shardingdb {
namespace {

void UpdateWithSized(const leveldb::Slice& bytes, Sha256* sha) {
  const uint32_t size = static_cast<uint32_t>(bytes.size());
  char length[4];
  for (int i = 0; i < 4; ++i) length[i] = static_cast<char>(size >> (8 * i));
  sha->Update(absl::string_view(length, sizeof(length)));
  sha->Update(absl::string_view(bytes.data(), bytes.size()));
}

}  // namespace

void UpdateWithEntry(const leveldb::Slice& key, const leveldb::Slice& value,
                     Sha256* sha) {
  UpdateWithSized(key, sha);
  UpdateWithSized(value, sha);
}

void SetDigest::Add(const leveldb::Slice& key, const leveldb::Slice& value) {
  UpdateWithEntry(key, value, &sha_);
  ++entries_;
}

std::string SetDigest::FinishHex() {
  const auto hash = sha_.Finish();
  return absl::BytesToHexString(absl::string_view(
      reinterpret_cast<const char*>(hash.data()), hash.size()));
}

}  // namespace shardingdb
