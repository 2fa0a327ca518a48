// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_OPAQUE_KEYS_HANDLE_H_
#define SHARDINGDB_OPAQUE_KEYS_HANDLE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "crypto/aead.h"
#include "crypto/key_prf.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "shardingdb/db_handle.h"

namespace shardingdb {

// Puts each entry under an opaque key, which a KeyPrf makes of the user's, and
// the user's key into the value, which the handle below seals. So neither keys
// nor values are seen on disk.
//
// The entries below have no order that means anything to the user. Point reads,
// writes, batches, snapshots and scans of everything work: an iterator shows
// all entries, forwards or backwards, each once, in an order of its own, which
// stays the same. NotSupported, and nothing of the rest:
//   Seek of an iterator       it becomes invalid, with that status
//   NewRangeIterator          with a start or a limit: never valid, with that
//                             status
// GetApproximateSizes answers 0 for every range, and CompactRange compacts
// everything.
//
// Errors, beyond those of the handle below: Corruption for an entry whose value
// does not hold the key that it is under.
class OpaqueKeysHandle final : public DbHandle {
 public:
  // InvalidArgument if an argument is null. FailedPrecondition if `base` has
  // another comparator than LevelDB's, which would see the opaque keys.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<OpaqueKeysHandle>> New(
      std::unique_ptr<DbHandle> base, std::shared_ptr<const KeyPrf> key_prf);

  leveldb::Status Put(const leveldb::WriteOptions& options,
                      const leveldb::Slice& key,
                      const leveldb::Slice& value) override;
  leveldb::Status Delete(const leveldb::WriteOptions& options,
                         const leveldb::Slice& key) override;
  leveldb::Status Write(const leveldb::WriteOptions& options,
                        leveldb::WriteBatch* updates) override;
  leveldb::Status Get(const leveldb::ReadOptions& options,
                      const leveldb::Slice& key, std::string* value) override;
  leveldb::Iterator* NewIterator(const leveldb::ReadOptions& options) override;
  const leveldb::Snapshot* GetSnapshot() override;
  void ReleaseSnapshot(const leveldb::Snapshot* snapshot) override;
  bool GetProperty(const leveldb::Slice& property, std::string* value) override;
  void GetApproximateSizes(const leveldb::Range* range, int n,
                           uint64_t* sizes) override;
  void CompactRange(const leveldb::Slice* begin,
                    const leveldb::Slice* end) override;

  leveldb::Status Has(const leveldb::ReadOptions& options,
                      const leveldb::Slice& key, bool* found) override;
  std::vector<leveldb::Status> MultiGet(
      const leveldb::ReadOptions& options,
      absl::Span<const leveldb::Slice> keys,
      std::vector<std::string>* values) override;
  std::unique_ptr<leveldb::Iterator> NewRangeIterator(
      const leveldb::ReadOptions& options,
      const leveldb::Range& range) override;
  DbStats GetStats() override;
  leveldb::Status SetReadOnly(bool read_only) override;
  leveldb::Status Close() override;
  const leveldb::Comparator* comparator() const override;

 private:
  OpaqueKeysHandle(std::unique_ptr<DbHandle> base,
                   std::shared_ptr<const KeyPrf> key_prf);

  const std::unique_ptr<DbHandle> base_;
  const std::shared_ptr<const KeyPrf> key_prf_;
};

// FailedPrecondition for another comparator than LevelDB's.
[[nodiscard]] absl::Status CheckOrderForOpaqueKeys(
    const leveldb::Comparator* comparator);

// `aead` for values under opaque keys that `key_prf` has made, apart from all
// others: a database that is opened the other way, or with another KeyPrf,
// finds that its values do not open. What binds a value to its opaque key is
// secret, so no value of a database with clear keys opens here, nor one of here
// there, whatever keys that one has. Neither may be null.
[[nodiscard]] std::shared_ptr<const Aead> AeadForOpaqueKeys(
    std::shared_ptr<const Aead> aead, std::shared_ptr<const KeyPrf> key_prf);

}  // namespace shardingdb

#endif  // SHARDINGDB_OPAQUE_KEYS_HANDLE_H_
