// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_ENCRYPTED_DB_HANDLE_H_
#define SHARDINGDB_ENCRYPTED_DB_HANDLE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "crypto/aead.h"
#include "leveldb/db.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/grace_period.h"
#include "shardingdb/value_sealer.h"

namespace shardingdb {

// Seals every value with its key as associated data before it goes down, and
// opens it on the way up.
//
// Keys stay as they are: they are in clear on disk, and order, ranges and
// sharding are those of the keys. Values, empty ones included, never reach the
// handle below in clear.
//
// Errors, beyond DbHandle's: a value that does not open (damaged, moved to
// another key, sealed by a key that the Aead does not have, or never sealed) is
// Corruption, or NotSupported where its key is there but disabled; the message
// names the shard, the key in hex and the reason, never a value. Has does not
// open the value.
//
// An iterator opens a value when value() is first asked for at a position: a
// scan of keys alone costs no decryption. If it does not open, value() is
// empty, the iterator becomes invalid and status() says why, so check Valid()
// or status() before using what value() returned.
//
// A value opens under the bytes of the key that it was put under: where a
// comparator calls another key equal, a Get of that one is Corruption.
//
// Sizes (GetApproximateSizes, GetStats) are those of the sealed values.
class EncryptedDbHandle final : public DbHandle {
 public:
  // `locate` says in messages where a key lives; it may be null.
  // InvalidArgument if `base` or `aead` is null.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<EncryptedDbHandle>> New(
      std::unique_ptr<DbHandle> base, std::shared_ptr<const Aead> aead,
      ValueSealer::Locate locate = nullptr);

  // Returns once all writes that had begun before have ended. What the key that
  // was the Aead's before seals has then been written, if it will be at all.
  void AwaitWrites() { writes_.Await(); }

  const Aead& aead() const { return sealer_->aead(); }

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
  EncryptedDbHandle(std::unique_ptr<DbHandle> base,
                    std::shared_ptr<const ValueSealer> sealer);

  std::unique_ptr<leveldb::Iterator> OpenValues(
      std::unique_ptr<leveldb::Iterator> sealed) const;

  const std::unique_ptr<DbHandle> base_;
  const std::shared_ptr<const ValueSealer> sealer_;
  GracePeriod writes_;
};

// Notices another key, and values that nobody has sealed, before anything is
// written among them: looks at the first few values of `handle`, which is below
// an EncryptedDbHandle. FailedPrecondition if there are some and none of them
// opens. Where one does, others that do not are damaged, which is for the reads
// that meet them, as errors of reading are.
[[nodiscard]] absl::Status CheckValuesOpen(DbHandle* handle, const Aead& aead);

}  // namespace shardingdb

#endif  // SHARDINGDB_ENCRYPTED_DB_HANDLE_H_
