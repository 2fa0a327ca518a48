// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_SHARD_ROUTER_H_
#define SHARDINGDB_SHARD_ROUTER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/call_once.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "shardingdb/commit_log.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/reserved_keys.h"
#include "shardingdb/sequencer.h"
#include "shardingdb/shard_queue.h"
#include "shardingdb/sharding_func.h"
#include "shardingdb/thread_pool.h"

namespace shardingdb {

// Makes N shards one database: each key lives in the shard that the sharding
// function names.
//
// Batches, snapshots, iterators and MultiGet see every batch whole and all
// batches in one order, over all shards. A write that fails in one shard (full
// disk, I/O error) fails with that shard's error, "shard 3: ..." (the lowest
// one, if several fail); the parts of that batch in other shards may have been
// applied. Single puts and deletes are all or nothing.
//
// Writes with `sync` are on stable storage in each shard that they touch when
// they return; an empty batch with `sync` makes everything written before it
// durable in every shard.
//
// Reserved keys (ReservedKeys) are not there for anybody who reads, and refused
// where somebody writes them.
//
// Nobody else may write to the shards.
class ShardRouter final : public DbHandle {
 public:
  // InvalidArgument: no shards or too many, a null shard, no function.
  // FailedPrecondition: the shards' comparators differ.
  [[nodiscard]] static absl::Status Check(
      const std::vector<std::unique_ptr<DbHandle>>& shards,
      const ShardingFuncPtr& function);

  // Errors are those of Check.
  //
  // With a `commit_log`, that of RecoverSet, which becomes the router's, a
  // batch is whole or not there in all of its shards together, also after a
  // crash: see docs/commit-log.md.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<ShardRouter>> New(
      std::vector<std::unique_ptr<DbHandle>> shards, ShardingFuncPtr function,
      std::unique_ptr<CommitLog> commit_log = nullptr);
  ~ShardRouter() override;

  uint32_t shard_count() const { return static_cast<uint32_t>(shards_.size()); }

  // For reading; what waits in the queue is not in it yet.
  DbHandle* shard(uint32_t i) const { return shards_[i].get(); }

  // One value to put in the place of another.
  struct Replacement {
    std::string key;
    std::string expected;
    std::string value;
  };

  // Replaces those values of `shard` that are what is expected, at one point of
  // the order of writes, in one batch. *replaced is how many. The other keys
  // have been written or deleted since somebody read them, and stay so.
  leveldb::Status ReplaceUnchanged(uint32_t shard,
                                   absl::Span<const Replacement> replacements,
                                   size_t* replaced);

  // Leaves what the shards have counted of somebody else out of GetStats.
  // Before anybody uses the router.
  void LeaveOut(const DbStats& counted) { left_out_ = counted; }

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

  // Numbers are added up; texts stand under a line "--- shard N ---" each. Also
  // "shardingdb.stats", "shardingdb.shard-count",
  // "shardingdb.sharding-function" and "shardingdb.batch-atomicity": what a
  // batch over several shards is after a crash, "all-shards" with a commit log
  // and "per-shard" without.
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
  const leveldb::Comparator* comparator() const override { return comparator_; }

 private:
  // Outlives the router where iterators do.
  struct OpenCounts {
    std::atomic<uint64_t> iterators{0};
    std::atomic<uint64_t> snapshots{0};
  };
  class Cut;

  ShardRouter(std::vector<std::unique_ptr<DbHandle>> shards,
              ShardingFuncPtr function, std::unique_ptr<CommitLog> commit_log);

  static leveldb::Status Closed();
  // Puts "shard N: " in front of an error.
  static leveldb::Status AtShard(const leveldb::Status& status, uint32_t shard);
  // The same for what a key was looked up with: NotFound stays as it is.
  static leveldb::Status FoundAtShard(const leveldb::Status& status,
                                      uint32_t shard);

  leveldb::Status WriteToShard(uint32_t shard, const leveldb::WriteBatch& batch,
                               bool sync);
  leveldb::Status WriteToShards(MultiShardOperation& operation,
                                absl::Span<const uint32_t> shards, bool sync);
  leveldb::Status WriteLogged(MultiShardOperation& operation,
                              absl::Span<const uint32_t> shards,
                              const leveldb::WriteBatch& batch, bool sync);
  leveldb::Status SyncAll();

  // Runs at_barrier(i) for the i-th of `shards` at one point of the order of
  // writes.
  void AtOnePoint(absl::Span<const uint32_t> shards,
                  absl::FunctionRef<void(size_t)> at_barrier);

  // Sets *read to `options` for one key of `shard`, having waited for what a
  // read must not miss.
  leveldb::Status PrepareRead(const leveldb::ReadOptions& options,
                              const leveldb::Slice& key, uint32_t* shard,
                              leveldb::ReadOptions* read);
  leveldb::Status CheckSnapshot(const leveldb::Snapshot* snapshot) const;
  // The shards' own counts, over all of them.
  DbStats AddUpShards();

  // The error of the lowest of `shards` that failed.
  static leveldb::Status FirstError(MultiShardOperation& operation,
                                    absl::Span<const uint32_t> shards);
  // OK if the commit log can be written as far as is known.
  leveldb::Status MendLog();
  // OK if all of `shards` have applied what stands in the commit log.
  leveldb::Status CheckNoneBehind(absl::Span<const uint32_t> shards) const;

  // Removes segments of the commit log that no shard needs any more, on a
  // thread of its own.
  void RecycleLogInBackground();
  void RecycleLog();
  // Makes all that was written durable in the shards, and notes there how far
  // that is. Returns the error of the lowest shard that failed.
  leveldb::Status NoteApplied(bool closed);
  leveldb::Status CloseLog();
  std::unique_ptr<leveldb::Iterator> CountIterator(
      std::unique_ptr<leveldb::Iterator> iterator);
  std::unique_ptr<leveldb::Iterator> NewMergedIterator(
      const leveldb::ReadOptions& options);

  const std::vector<std::unique_ptr<DbHandle>> shards_;
  const ShardingFuncPtr function_;
  const leveldb::Comparator* const comparator_;
  const ReservedKeys reserved_;
  std::vector<uint32_t> all_shards_;  // 0, 1, 2, ...
  DbStats left_out_;
  const std::shared_ptr<OpenCounts> open_ = std::make_shared<OpenCounts>();
  std::atomic<bool> closed_{false};
  absl::Mutex set_read_only_mutex_;  // before the Sequencer's mutex
  std::atomic<bool> read_only_{false};

  const std::unique_ptr<CommitLog> commit_log_;  // may be null
  Sequencer sequencer_;
  std::vector<std::unique_ptr<ShardQueue>> queues_;

  // Syncs several shards at the same time; made at the first use. Gone before
  // the queues are.
  absl::once_flag sync_pool_once_;
  std::unique_ptr<ThreadPool> sync_pool_;

  // One thread, with a commit log only.
  std::atomic<uint64_t> recycled_before_{0};  // segments that are dealt with
  std::unique_ptr<ThreadPool> recycle_pool_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_SHARD_ROUTER_H_
