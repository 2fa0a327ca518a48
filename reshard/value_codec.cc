// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/value_codec.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crypto/compressing_aead.h"
#include "leveldb/iterator.h"
#include "reshard/bulk_read.h"
#include "shardingdb/describe_key.h"
#include "shardingdb/encrypted_db_handle.h"
#include "shardingdb/slice_view.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

bool OpensUnder(const KeyRing& key_ring, absl::string_view stored,
                absl::string_view key) {
  std::string value;
  return key_ring.Open(stored, key, &value).ok();
}

// Reads values that nobody has sealed, and no others.
class NotSealedYet final : public Aead {
 public:
  NotSealedYet(std::shared_ptr<const Aead> base,
               std::shared_ptr<const KeyRing> key_ring)
      : base_(std::move(base)), key_ring_(std::move(key_ring)) {}

  absl::Status Seal(absl::string_view, absl::string_view,
                    std::string*) const override {
    return absl::InvalidArgumentError("values are only read in this form");
  }

  absl::Status Open(absl::string_view stored, absl::string_view key,
                    std::string* value) const override {
    value->clear();
    if (OpensUnder(*key_ring_, stored, key)) {
      return absl::DataLossError("it is sealed under the key ring already");
    }
    if (base_ != nullptr) return base_->Open(stored, key, value);
    value->assign(stored.data(), stored.size());
    return absl::OkStatus();
  }

  bool NeedsReseal(absl::string_view) const override { return false; }

 private:
  const std::shared_ptr<const Aead> base_;  // null for plain values
  const std::shared_ptr<const KeyRing> key_ring_;
};

}  // namespace

bool ValueCodec::SealedByPrimary(const leveldb::Slice& stored) const {
  return key_ring != nullptr &&
         KeyRing::KeyIdOf(View(stored)) == key_ring->primary_id();
}

ValueCodec SealedValues(const KeyRingFile& file, Compression compression) {
  ValueCodec codec;
  codec.name = absl::StrCat("key-ring ", file.ring_id());
  codec.aead = std::make_shared<CompressingAead>(file.ring(), compression);
  codec.key_ring = file.ring();
  return codec;
}

ValueCodec LegacyValues(std::shared_ptr<const Aead> aead) {
  ValueCodec codec;
  codec.name = "legacy-aes-cbc";
  codec.aead = std::move(aead);
  return codec;
}

std::shared_ptr<const Aead> ReaderOf(const ValueCodec& in,
                                     const ValueCodec& out) {
  if (in.key_ring != nullptr || out.key_ring == nullptr) return in.aead;
  return std::make_shared<NotSealedYet>(in.aead, out.key_ring);
}

absl::Status CheckFirstValues(DbHandle* handle, const ValueCodec& in,
                              const ValueCodec& out) {
  if (in.plain() && out.key_ring == nullptr) return absl::OkStatus();
  constexpr int kSample = 64;
  const std::unique_ptr<leveldb::Iterator> iterator(
      handle->NewIterator(BulkReadOptions()));
  int seen = 0;
  int sealed = 0;
  std::string value;
  for (iterator->SeekToFirst(); iterator->Valid() && seen < kSample;
       iterator->Next(), ++seen) {
    const absl::string_view stored = View(iterator->value());
    const absl::string_view key = View(iterator->key());
    if (in.key_ring == nullptr && out.key_ring != nullptr) {
      sealed += OpensUnder(*out.key_ring, stored, key);
    }
    if (in.plain()) continue;
    const absl::Status status = in.aead->Open(stored, key, &value);
    if (absl::IsFailedPrecondition(status)) {
      return absl::FailedPreconditionError(
          absl::StrCat("the value of key ", DescribeKey(iterator->key()),
                       " does not open: ", status.message()));
    }
  }
  if (!iterator->status().ok()) return ToAbslStatus(iterator->status());
  if (sealed > 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        "of the first ", seen, " values ", sealed,
        " are sealed under this key ring already; sealing them twice is "
        "refused (for values that are, say --in-key-ring too)"));
  }
  return in.plain() ? absl::OkStatus() : CheckValuesOpen(handle, *in.aead);
}

}  // namespace shardingdb
