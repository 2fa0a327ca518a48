// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_SHARDING_DB_H_
#define SHARDINGDB_SHARDING_DB_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/rekey.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {

class EncryptedDbHandle;
class ShardRouter;

// N LevelDB databases that are one `leveldb::DB`.
//
// It is what code written for LevelDB expects: change the line that opens the
// database, and nothing else. What each call does, which threads may call it
// and what its errors mean is said in shardingdb/db_handle.h and leveldb/db.h.
//
// The shards belong together, and each knows which one it is: open all folders
// of the set, in whatever order, with the same sharding function every time,
// and move entries to another number of shards with //reshard.
class ShardingDb final : public DbHandle {
 public:
  // Opens the folders `paths`, one shard each, as one database whose keys are
  // spread by JumpSharding(). Missing folders are made if
  // options.create_if_missing. Fields of `options` that are at LevelDB's
  // defaults are tuned for the set (see SharedResources::Tune); the others hold
  // for each shard. Use ShardingDbBuilder for another sharding function or
  // encryption.
  //
  // If any folder fails to open, the error names it, those opened before are
  // closed again, and folders that this call has made are removed. Errors are
  // those of OpenLevelDb, and InvalidArgument for no paths, too many, or two
  // that are one folder. Of several processes that make one set at once, one
  // gets it; those that open at once a set that is there may all be refused.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<ShardingDb>> Open(
      const leveldb::Options& options, const std::vector<std::string>& paths);

  // The same in the shape of leveldb::DB::Open: on success *db is the database,
  // which the caller deletes; else *db is null.
  [[nodiscard]] static leveldb::Status Open(
      const leveldb::Options& options, const std::vector<std::string>& paths,
      leveldb::DB** db);

  // Opens the folders to read them, and changes no byte of them: see
  // ShardOptions::read_only. SetReadOnly(false) is refused. Errors as above,
  // and FailedPrecondition if somebody has a folder open to write it.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<ShardingDb>> OpenReadOnly(
      const leveldb::Options& options, const std::vector<std::string>& paths);

  ~ShardingDb() override;

  // How many shards there are, 1 to kMaxShards.
  uint32_t ShardCount() const { return shard_count_; }

  // Which shard holds each key.
  const ShardingFunc& sharding_func() const { return *sharding_func_; }

  // Seals all values anew that are sealed with another key than the one that
  // seals now, while the database is read and written as usual: after a
  // rotation (KeyRingFile::RotateDataKey), nothing needs the former keys any
  // more. What other threads write meanwhile stays what they wrote. Old
  // versions of values stay on disk until compactions remove them.
  //
  // It can be stopped at any time and begun again: what is done is done. When
  // it returns OK the new values are on stable storage. Snapshots and iterators
  // that are older still see the former values and need the former keys.
  //
  // Errors, each with the shard:
  //   FailedPrecondition  the values are not encrypted; a key is disabled
  //   Unimplemented       the database is read-only
  //   DataLoss            a value does not open; damaged
  //   Cancelled           stopped
  //   others              I/O errors
  [[nodiscard]] absl::StatusOr<RekeyProgress> Rekey(
      const RekeyOptions& options = RekeyOptions());

  // OK if no value is sealed with the key `key_id`, which is not the one that
  // seals now: for KeyRingFile::Drop. Reads everything, and makes it durable,
  // so that a power loss brings no such value back. What the labels of the
  // shards have sealed with it, to tell a wrong key at opening, is sealed anew.
  // Errors: as above, and FailedPrecondition, with the first such key.
  [[nodiscard]] absl::Status CheckKeyUnused(uint32_t key_id);

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

  // LevelDB's properties: numbers are added up over the shards, texts stand
  // under a line "--- shard N ---" each. Also "shardingdb.stats" (GetStats as
  // text), "shardingdb.shard-count", "shardingdb.sharding-function" and
  // "shardingdb.batch-atomicity" ("per-shard": what a crash leaves of a batch
  // over several shards).
  bool GetProperty(const leveldb::Slice& property, std::string* value) override;
  void GetApproximateSizes(const leveldb::Range* range, int n,
                           uint64_t* sizes) override;

  // Compacts the shards at the same time.
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
  friend class ShardingDbBuilder;

  // The layers of the data path.
  struct Layers {
    std::unique_ptr<DbHandle> top;           // owns those below it
    EncryptedDbHandle* encrypted = nullptr;  // null if values are plain
    ShardRouter* router = nullptr;
    bool read_only = false;  // and stays so
  };

  ShardingDb(Layers layers, ShardingFuncPtr sharding_func,
             std::shared_ptr<leveldb::Logger> logger);

  const std::shared_ptr<leveldb::Logger> logger_;  // may be null
  const std::unique_ptr<DbHandle> top_;  // the outermost layer of the data path
  EncryptedDbHandle* const encrypted_;
  ShardRouter* const router_;
  const bool opened_read_only_;
  const uint32_t shard_count_;
  const ShardingFuncPtr sharding_func_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_SHARDING_DB_H_
