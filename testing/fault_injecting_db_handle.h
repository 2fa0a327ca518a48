// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_FAULT_INJECTING_DB_HANDLE_H_
#define SHARDINGDB_TESTING_FAULT_INJECTING_DB_HANDLE_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "shardingdb/db_handle.h"

namespace shardingdb {

// What is asked of a DbHandle.
enum class DbCall {
  kPut,
  kDelete,
  kWrite,
  kGet,
  kHas,
  kMultiGet,
  kNewIterator,
  kNewRangeIterator,
  kIteratorStep,  // Seek, SeekToFirst, SeekToLast, Next, Prev
  kSetReadOnly,
  kClose,
  // Those below have no way to fail.
  kGetSnapshot,
  kReleaseSnapshot,
  kGetProperty,
  kGetApproximateSizes,
  kCompactRange,
  kGetStats,
};

// Which calls fail, and how.
struct DbFault {
  // Empty means every kind that can fail.
  std::set<DbCall> calls = {};

  // So many matching calls pass first; so many fail then; those after them pass
  // again. The steps of all iterators are counted together.
  uint64_t skip = 0;
  uint64_t count = std::numeric_limits<uint64_t>::max();

  // What a failing call returns: for each key of a MultiGet, and as the status
  // of an iterator that could not be made, or that failed at a step and stays
  // invalid from there on.
  leveldb::Status status = leveldb::Status::IOError("injected fault");

  // Whether the call is performed before it fails, as when a write reached the
  // disk and only its acknowledgement did not come back.
  bool performed = false;
};

// The faults of one or several FaultInjectingDbHandles: kept by the test, which
// has given the handle away. Safe for any thread.
class DbFaults {
 public:
  // Adds a fault and returns its number. Where several match, the first added
  // decides.
  int Add(DbFault fault);
  void Remove(int number);
  void RemoveAll();

  // How often the fault has made a call fail.
  uint64_t Failures(int number) const;

  // How many calls of this kind were made.
  uint64_t Calls(DbCall call) const;

  // Called before each call, outside of all locks, by the thread that makes it:
  // stops a thread at a chosen point, say. Set it while no call is under way.
  void SetObserver(std::function<void(DbCall)> observer);

 private:
  friend class FaultInjectingDbHandle;

  struct ActiveFault {
    DbFault fault;
    uint64_t matches = 0;
    uint64_t failures = 0;
    bool removed = false;
  };

  // Counts a call.
  void Note(DbCall call);

  // Counts a call and says whether it fails; sets *performed where it does.
  leveldb::Status Check(DbCall call, bool* performed);

  std::function<void(DbCall)> observer_;
  mutable absl::Mutex mutex_;
  std::vector<ActiveFault> faults_ ABSL_GUARDED_BY(mutex_);
  std::map<DbCall, uint64_t> calls_ ABSL_GUARDED_BY(mutex_);
};

// A DbHandle over another one in which calls fail by rule. Without a fault it
// is the one below.
class FaultInjectingDbHandle final : public DbHandle {
 public:
  FaultInjectingDbHandle(std::unique_ptr<DbHandle> base,
                         std::shared_ptr<DbFaults> faults);
  ~FaultInjectingDbHandle() override;

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
  class FaultyIterator;

  // Makes the call, or fails it, or both.
  leveldb::Status Perform(DbCall call,
                          const std::function<leveldb::Status()>& perform);
  std::unique_ptr<leveldb::Iterator> NewFaultyIterator(
      DbCall call, const std::function<leveldb::Iterator*()>& make);

  const std::unique_ptr<DbHandle> base_;
  const std::shared_ptr<DbFaults> faults_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_FAULT_INJECTING_DB_HANDLE_H_
